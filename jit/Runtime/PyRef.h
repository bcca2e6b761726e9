//===- PyRef.h - What is asked of Python's objects --------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_PYREF_H
#define CLINCH_JIT_RUNTIME_PYREF_H

#include "clinch/Runtime/Function.h"

#include <string>
#include <string_view>

namespace clinch {

/// The UTF-8 of a str; empty when it is none (then nothing is raised).
std::string toString(PyObject *Str);
/// str(O), or the name of its class when that fails; raises nothing.
std::string describe(PyObject *O);
PyRef fromString(std::string_view Text);
/// O.Name; null with an exception when there is none.
PyRef attribute(PyObject *O, const char *Name);
/// O.Name, or null without an exception when there is no such attribute. Null
/// with an exception when looking it up failed otherwise.
PyRef attributeOrNull(PyObject *O, const char *Name);

/// Keeps a pending exception aside for as long as it lives.
class PendingError {
public:
  PendingError() { PyErr_Fetch(&Type, &Value, &Traceback); }
  PendingError(const PendingError &) = delete;
  PendingError &operator=(const PendingError &) = delete;
  ~PendingError() { PyErr_Restore(Type, Value, Traceback); }

private:
  PyObject *Type = nullptr, *Value = nullptr, *Traceback = nullptr;
};

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_PYREF_H
