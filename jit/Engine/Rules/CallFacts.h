//===- CallFacts.h - What is known of Python's and NumPy's C API -*- C++
//-*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_RULES_CALLFACTS_H
#define CLINCH_JIT_ENGINE_RULES_CALLFACTS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class CallExpr;
class Expr;
class LangOptions;
class SourceManager;
} // namespace clang

namespace clinch::engine {

/// The name that the author wrote: NumPy's functions are macros for entries of
/// a table. Empty when there is none.
std::string calledName(const clang::CallExpr &Call,
                       const clang::SourceManager &SM,
                       const clang::LangOptions &LO);

/// The call that \p E is, within parentheses and casts, or null.
const clang::CallExpr *callIn(const clang::Expr *E);

/// Returns a new reference, or NULL with an exception.
bool givesNewReference(llvm::StringRef Function);
/// Returns a negative number, with an exception, when it fails.
bool givesStatus(llvm::StringRef Function);
/// Sets an exception and does nothing else.
bool setsException(llvm::StringRef Function);
/// After it no exception is pending.
bool clearsException(llvm::StringRef Function);

enum class Argument {
  Borrowed, ///< The caller keeps its reference.
  Taken,    ///< The reference is the caller's no more.
  Unknown
};
Argument argumentOf(llvm::StringRef Function, unsigned Index);
/// Takes NULL for an object.
bool takesNull(llvm::StringRef Function);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_RULES_CALLFACTS_H
