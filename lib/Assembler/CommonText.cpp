//===- CommonText.cpp - Text of ours that stands in several places -------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommonText.h"

#include "clinch/Support/Lexer.h"

using namespace clinch;

const std::string_view clinch::ThrownBody = R"({
  if (PyErr_Occurred())
    return;
  std::type_info *Type = abi::__cxa_current_exception_type();
  char *Name = Type ? abi::__cxa_demangle(Type->name(), 0, 0, 0) : 0;
  const char *Shown = Name ? Name : "an unknown exception";
  try {
    throw;
  } catch (const std::exception &E) {
    PyErr_Format(PyExc_RuntimeError, "%s%s threw `%s`: %s", Hook, Subject,
                 Shown, E.what());
  } catch (...) {
    PyErr_Format(PyExc_RuntimeError, "%s%s threw `%s`", Hook, Subject, Shown);
  }
  free(Name);
}
)";

const std::string_view clinch::NumPyTable = R"(
extern "C" void ***const clinch_PyArray_API = &PyArray_API;
#if NPY_ABI_VERSION >= 0x02000000
extern "C" int *const clinch_PyArray_RUNTIME_VERSION = &PyArray_RUNTIME_VERSION;
#endif
)";

bool clinch::isNumPyImport(const GlobalPiece &G) {
  Lexer In(G.Text.Text);
  for (const char *Word : {"import_array", "(", ")", ";"})
    if (!In.next().is(Word))
      return false;
  return In.next().What == Token::End;
}
