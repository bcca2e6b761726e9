//===- WrongOutput.cpp - What an Op has left is wrong -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WrongOutput.h"

#include "Raise.h"

using namespace clinch;

/// Returns ", not aligned in memory" and the like, if \p Array says so.
static const char *flaw(PyObject *Array) {
  PyRef Flags = attributeOrNull(Array, "flags");
  auto Lacks = [&](const char *Flag) {
    PyRef Value = Flags ? attributeOrNull(Flags.get(), Flag) : PyRef();
    return Value && PyObject_Not(Value.get()) == 1;
  };
  const char *Found = "";
  if (Lacks("aligned"))
    Found = ", not aligned in memory";
  else if (Lacks("c_contiguous"))
    Found = ", not C-contiguous";
  PyErr_Clear();
  return Found;
}

void clinch::clinch_wrong_output(PyObject *Left, const char *Hook,
                                 const char *Output,
                                 const char *Wanted) noexcept {
  if (PyErr_Occurred())
    return;
  PyRef Dtype = Left ? attributeOrNull(Left, "dtype") : PyRef();
  PyRef Shape = Dtype ? attributeOrNull(Left, "shape") : PyRef();
  PyErr_Clear();
  if (!Left)
    PyErr_Format(PyExc_TypeError, "%s must set %s to %s; it left NULL", Hook,
                 Output, Wanted);
  else if (!Shape)
    PyErr_Format(PyExc_TypeError, "%s must set %s to %s; it left a `%s`", Hook,
                 Output, Wanted, Py_TYPE(Left)->tp_name);
  else
    PyErr_Format(PyExc_TypeError,
                 "%s must set %s to %s; it left an array of %S with shape %S%s",
                 Hook, Output, Wanted, Dtype.get(), Shape.get(), flaw(Left));
}

void clinch::addWrongOutput(CompileOptions &O) {
  O.Symbols.try_emplace("clinch_wrong_output",
                        reinterpret_cast<void *>(&clinch_wrong_output));
}
