// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors that follow from others, and what is left open.

#pragma once

#include "clinch/Support/Expected.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/LangOptions.h"

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

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

/// Returns the parenthesis after the name of a macro at \p Name.
clang::SourceLocation openingOf(clang::SourceLocation Name,
                                const clang::SourceManager &SM,
                                const clang::LangOptions &LO);

/// If \p Info says that something is open at the end of the file, or closed and
/// never opened: the message for the author of a region, and the place.
std::optional<std::pair<std::string, clang::SourceLocation>>
leftOpen(const clang::Diagnostic &Info, const clang::LangOptions &LO);

// Uses the IDs and arguments of Clang's messages, not their English.

/// Returns the variable, type or function that \p Info calls unknown, if any.
UnknownName unknownNameIn(const clang::Diagnostic &Info);

/// Whether \p Name begins what only C++ has, such as `std::vector`.
bool isOfCxx(llvm::StringRef Name);

/// Whether \p Info calls a name unknown that is of CUDA's runtime or driver, or
/// `__managed__`, and not by a letter another one's.
bool isMissingOfCUDA(const clang::Diagnostic &Info);

/// Whether an error with this ID suggests another name.
bool isGuess(unsigned ID);

/// Whether an argument of \p Info is \p Name or is declared by it.
bool names(const clang::Diagnostic &Info, llvm::StringRef Name);

/// Appends the arguments of \p Info that are strings.
void appendTexts(const clang::Diagnostic &Info, std::vector<std::string> &To);

} // namespace clinch::engine
