// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call does.

#pragma once

#include "TextChecker.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class CallExpr;
class Expr;
class LangOptions;
class SourceManager;
} // namespace clang

namespace clinch::engine {

/// Returns the name that the author wrote, or an empty string: some
/// libraries' functions are macros for entries of a table.
std::string calledName(const clang::CallExpr &Call,
                       const clang::SourceManager &SM,
                       const clang::LangOptions &LO);

/// Returns the call that \p E is, within parentheses and casts, or null.
const clang::CallExpr *callIn(const clang::Expr *E);

enum class Argument {
  Borrowed, ///< The caller keeps its reference.
  Taken,    ///< The callee takes over the reference.
  Unknown
};
Argument argumentOf(const CallFacts &Facts, llvm::StringRef Function,
                    unsigned Index);

} // namespace clinch::engine
