//===- Thrown.cpp - From a C++ exception to one of Python -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one file that handles exceptions: those of compiled code. None leaves it.
//
//===----------------------------------------------------------------------===//

#include "Thrown.h"

#include <Python.h>

#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <typeinfo>

using namespace clinch;

void clinch::clinch_thrown(const char *Hook) noexcept {
  if (PyErr_Occurred())
    return;
  std::type_info *Type = abi::__cxa_current_exception_type();
  char *Name =
      Type ? abi::__cxa_demangle(Type->name(), nullptr, nullptr, nullptr)
           : nullptr;
  const char *Shown = Name ? Name : "an unknown exception";
  try {
    throw;
  } catch (const std::exception &E) {
    PyErr_Format(PyExc_RuntimeError, "%s threw `%s`: %s", Hook, Shown,
                 E.what());
  } catch (...) {
    PyErr_Format(PyExc_RuntimeError, "%s threw `%s`", Hook, Shown);
  }
  std::free(Name);
}

void clinch::addThrown(CompileOptions &O) {
  if (O.Lang == Language::CXX)
    O.Symbols.try_emplace("clinch_thrown",
                          reinterpret_cast<void *>(&clinch_thrown));
}
