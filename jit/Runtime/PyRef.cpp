//===- PyRef.cpp - A reference that counts itself ---------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clinch/Runtime/PyRef.h"

using namespace clinch;

std::string clinch::toString(PyObject *Str) {
  Py_ssize_t Size = 0;
  if (!Str || !PyUnicode_Check(Str))
    return {};
  const char *Data = PyUnicode_AsUTF8AndSize(Str, &Size);
  if (!Data) { // Lone surrogates have no UTF-8.
    PyErr_Clear();
    return {};
  }
  return {Data, size_t(Size)};
}

std::string clinch::describe(PyObject *O) {
  if (!O)
    return "NULL";
  PendingError Aside;
  PyRef Str = PyRef::steal(PyObject_Str(O));
  if (!Str) {
    PyErr_Clear();
    return Py_TYPE(O)->tp_name;
  }
  return toString(Str.get());
}

PyRef clinch::fromString(std::string_view Text) {
  return PyRef::steal(PyUnicode_DecodeUTF8(Text.data(), Py_ssize_t(Text.size()),
                                           "backslashreplace"));
}

PyRef clinch::attributeOrNull(PyObject *O, const char *Name) {
  PyRef R = PyRef::steal(PyObject_GetAttrString(O, Name));
  if (!R && PyErr_ExceptionMatches(PyExc_AttributeError))
    PyErr_Clear();
  return R;
}
