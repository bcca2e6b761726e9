// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors that follow from others.

#pragma once

#include "clinch/Support/Expected.h"

#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace clinch::engine {

/// The name that an error calls unknown; empty if it is about something else.
struct UnknownName {
  std::string Name;
  bool IsGuessed = false; ///< Clang continued with a similar name.
};

/// Recognises errors that only follow from an earlier one: further uses of a
/// missing name, names declared with a missing type, errors on a line where
/// Clang guessed a name, and further errors in one use of a macro.
class FollowOnErrors {
public:
  /// Returns whether \p D, about \p Unknown, follows from an earlier error, and
  /// remembers it if not.
  bool follows(const Diagnostic &D, const UnknownName &Unknown);

private:
  void rememberDeclared(const Diagnostic &D, const std::string &Type);

  std::set<std::string> Missing;
  std::set<std::pair<std::string, unsigned>> Guessed; ///< Origin and line.
  std::set<std::tuple<std::string, unsigned, unsigned>> Places;
};

} // namespace clinch::engine
