// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a C++ exception to one of Python.
//
// The exceptions of compiled code.

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

void clinch::clinch_assertion(const char *What, const char *File, unsigned Line,
                              const char *) noexcept {
  PyGILState_STATE State = PyGILState_Ensure(); // An Op may run without it.
  if (!PyErr_Occurred())
    PyErr_Format(PyExc_AssertionError, "%s:%u: `%s` is false", File, Line,
                 What);
  PyGILState_Release(State);
}

void clinch::clinch_asserted(const char *What, const char *File, unsigned Line,
                             const char *Function) {
  clinch_assertion(What, File, Line, Function);
  throw AssertionFailed();
}

void clinch::addThrown(CompileOptions &O) {
  const std::pair<const char *, void *> Ours[] = {
      {"clinch_thrown", reinterpret_cast<void *>(&clinch_thrown)},
      {"clinch_assertion", reinterpret_cast<void *>(&clinch_assertion)},
      {"clinch_asserted", reinterpret_cast<void *>(&clinch_asserted)}};
  for (const auto &[Name, Address] : Ours)
    O.Symbols.try_emplace(Name, Address);
}
