//===- QuickEntry.h - A way in that needs no cells --------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_QUICKENTRY_H
#define CLINCH_JIT_RUNTIME_QUICKENTRY_H

#include "clinch/Assembler/Assembler.h"
#include "clinch/Runtime/PyRef.h"

namespace clinch {

/// How an object begins whose vectorcall is `clinch_quick`.
struct QuickCallable {
  PyObject_HEAD vectorcallfunc Call, Otherwise;
};

/// For a graph of nothing but Python floats and shipped Ops that cannot fail,
/// with one output: adds to its text
///
///   PyObject *clinch_quick(PyObject *self, PyObject *const *args,
///                          size_t flags, PyObject *names);
///
/// a `vectorcall` that computes the same and touches no cell. Nothing of Python
/// can run in such a graph, so nobody can tell the two apart. What it is not
/// made for (another number of arguments, names, other classes) it hands on to
/// the second function behind the header of `self`. Returns whether it did.
bool addQuickEntry(const Graph &G, ThunkSource &Source);

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_QUICKENTRY_H
