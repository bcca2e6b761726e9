// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's errors about unknown names.
//
// Uses the IDs and arguments of Clang's messages, not their English.

#pragma once

#include "FollowOnErrors.h"

#include "clang/Basic/Diagnostic.h"

#include <string>
#include <vector>

namespace clinch::engine {

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
