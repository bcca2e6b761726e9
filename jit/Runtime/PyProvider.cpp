//===- PyProvider.cpp - The hooks that Types and Ops share, in Python *- C++
//-*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PyProvider.h"

#include "PyHook.h"
#include "Raise.h"

using namespace clinch;

/// Methods of the package's own that only ask the native are marked so.
static bool asksNative(PyObject *Method) {
  if (!PyMethod_Check(Method))
    return false;
  PyRef Mark = attributeOrNull(PyMethod_GET_FUNCTION(Method), "asks_native");
  PyErr_Clear();
  return bool(Mark);
}

bool provider::defines(PyObject *Owner, const char *Hook) {
  PyRef Own = attributeOrNull(Owner, Hook);
  PyErr_Clear();
  return Own && !asksNative(Own.get());
}

CodeProvider::Strings provider::list(PyObject *Owner, const char *Hook,
                                     std::string_view CCompiler) {
  PyRef Compiler = fromString(CCompiler);
  if (!Compiler)
    return hostError();
  HookCall Call{Owner, Hook};
  Call.Keyword = "c_compiler";
  Call.KeywordValue = Compiler.get();
  return callListHook(Call);
}

CodeProvider::Strings provider::code(PyObject *Owner, const char *Hook) {
  return callListHook(HookCall{Owner, Hook}, /*OneText=*/true);
}

Expected<std::string> provider::compiler(PyObject *Owner) {
  Expected<HookReturn> R = callHook(HookCall{Owner, "c_compiler"});
  if (!R)
    return R.takeError();
  PyObject *Value = R->Value.get();
  if (!Value || Value == Py_None)
    return std::string();
  // The name of a back end, or (in the seeds) the class that stands for one.
  if (PyUnicode_Check(Value))
    return toString(Value);
  PyRef Name = attributeOrNull(Value, "__name__");
  if (!Name && PyErr_Occurred())
    return hostError();
  return Name ? toString(Name.get()) : describe(Value);
}

Expected<CacheVersion> provider::version(PyObject *Owner) {
  return callVersionHook(HookCall{Owner, "c_code_cache_version"});
}
