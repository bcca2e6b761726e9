//===- Type.cpp - The defaults of a Type ---------------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clinch/Contract/Type.h"

using namespace clinch;

/// The text of \p H as filled text; both halves of c_extract_out must agree on
/// that, and either may come from a host that fills its own.
static Expected<std::string> filled(Expected<HookText> H, const char *Hook,
                                    const std::string &Class,
                                    const VariableArgs &A) {
  if (!H)
    return H.takeError();
  if (H->Filled)
    return std::move(H->Text);
  return fillTemplate(H->Text, A.Sub,
                      "`" + Class + "." + Hook + "` for `" + A.Name + "`");
}

Type::Text Type::c_extract_out(const VariableArgs &A) const {
  Expected<std::string> Init = filled(c_init(A), "c_init", className(), A);
  if (!Init)
    return Init.takeError();
  Expected<std::string> Extract =
      filled(c_extract(A), "c_extract", className(), A);
  if (!Extract)
    return Extract.takeError();
  return HookText::filled("if (py_" + A.Name + " == Py_None) {\n" + *Init +
                          "\n} else {\n" + *Extract + "\n}\n");
}

Type::Text Type::c_cleanup(const VariableArgs &) const { return HookText(); }

Expected<bool> Type::c_is_simple() const { return false; }

Expected<std::string> Type::c_literal(const Variable &) const {
  return std::string();
}

Expected<std::string> Type::c_element_type() const { return std::string(); }

std::string Type::dtype() const { return {}; }
