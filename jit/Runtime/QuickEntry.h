//===- QuickEntry.h - A way in that needs no cells --------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_QUICKENTRY_H
#define CLINCH_JIT_RUNTIME_QUICKENTRY_H

#include "clinch/Assembler/Assembler.h"

namespace clinch {

/// For a graph of nothing but Python floats and shipped Ops that cannot fail,
/// with one output: adds to its text
///
///   PyObject *clinch_quick(PyObject *const *floats);
///
/// which computes the same and touches no cell. Nothing of Python can run in
/// such a graph, so nobody can tell the two apart. Returns whether it did.
bool addQuickEntry(const Graph &G, ThunkSource &Source);

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_QUICKENTRY_H
