// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names, constants and other texts in C.

#pragma once

#include "clinch/Contract/Hook.h"
#include "lib/Contract/Scalar.h"
#include "lib/Support/Text.h"

#include <string>
#include <string_view>

namespace clinch {

/// Letters of ASCII, digits and underscores, and no digit first.
bool isIdentifier(std::string_view Name);

/// Returns whether C (gnu23) or C++ (gnu++20) reserves the word. A name must be
/// valid in both, since its author does not choose the language alone.
bool isKeyword(std::string_view Name);

class Variable;

/// Returns what c_literal of a scalar type does: the host's value of
/// \p Constant as C text, or an empty text if the host cannot read it.
std::string constantText(const Variable &Constant, const ScalarInfo &Dtype);

/// Replaces `%(key)s` and `%%` in \p Template. An unknown key, or a `%` that is
/// neither, is an error that names \p Hook ("`Double.c_extract` for `x`"), the
/// line, the key and the keys there are.
Expected<std::string> fillTemplate(std::string_view Template,
                                   const Substitutions &Sub,
                                   std::string_view Hook);

/// Makes messages name \p Line of \p Name from here on.
inline std::string lineDirective(unsigned Line, const std::string &Name) {
  return "#line " + std::to_string(Line) + " \"" + escaped(Name) + "\"\n";
}

/// See HookText::Ours.
inline HookText ownText(std::string Template) {
  HookText H(std::move(Template));
  H.Ours = true;
  return H;
}

// `%(name)s` points to a Python object or is NULL. It owns a reference of its
// own, besides that of `py_%(name)s`.

inline constexpr const char *ReferenceInit = "%(name)s = NULL;";

/// Sets `py_%(name)s` to `%(name)s`, or to None if that is NULL.
inline constexpr const char *ReferenceSync =
    "Py_XSETREF(py_%(name)s,\n"
    "           Py_NewRef(%(name)s ? (PyObject *)%(name)s : Py_None));";

inline constexpr const char *ReferenceCleanup =
    "Py_XDECREF((PyObject *)%(name)s);";

/// "label_3": where block 3 jumps when it fails.
inline std::string failLabel(const std::string &Number) {
  return "label_" + Number;
}

/// "{failure = 3; goto label_3;}".
inline std::string failTo(const std::string &Number, const std::string &Label) {
  return "{failure = " + Number + "; goto " + Label + ";}";
}

} // namespace clinch
