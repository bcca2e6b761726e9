//===- PySignature.cpp - What a hook's author lets it take ------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PySignature.h"

#include <algorithm>

using namespace clinch;

static bool hasParameter(PyCodeObject *Code, const char *Keyword) {
  PyRef Names = PyRef::steal(PyCode_GetVarnames(Code));
  if (!Names) {
    PyErr_Clear();
    return false;
  }
  Py_ssize_t Count =
      std::min<Py_ssize_t>(Code->co_argcount + Code->co_kwonlyargcount,
                           PyTuple_GET_SIZE(Names.get()));
  for (Py_ssize_t I = 0; I < Count; ++I)
    if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(Names.get(), I),
                                         Keyword) == 0)
      return true;
  return false;
}

static PySignature ofFunction(PyObject *Function, size_t Bound,
                              const char *Keyword) {
  auto *Code = reinterpret_cast<PyCodeObject *>(PyFunction_GET_CODE(Function));
  PySignature S;
  S.AnyPositional = Code->co_flags & CO_VARARGS;
  S.Positional = std::max<int>(0, Code->co_argcount - int(Bound));
  S.TakesKeyword = Keyword && ((Code->co_flags & CO_VARKEYWORDS) ||
                               hasParameter(Code, Keyword));
  return S;
}

PySignature PySignature::of(PyObject *Callable, const char *Keyword) {
  if (PyMethod_Check(Callable) &&
      PyFunction_Check(PyMethod_GET_FUNCTION(Callable)))
    return ofFunction(PyMethod_GET_FUNCTION(Callable), 1, Keyword);
  if (PyFunction_Check(Callable))
    return ofFunction(Callable, 0, Keyword);
  // Something else that can be called (built in, partial, an object with
  // __call__): it gets what the contract names, by position.
  PySignature S;
  S.AnyPositional = true;
  return S;
}
