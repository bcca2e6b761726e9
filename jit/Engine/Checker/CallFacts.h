//===- CallFacts.h - Facts about the C API of Python and NumPy --*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_CHECKER_CALLFACTS_H
#define CLINCH_JIT_ENGINE_CHECKER_CALLFACTS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class CallExpr;
class Expr;
class LangOptions;
class SourceManager;
} // namespace clang

namespace clinch::engine {

/// Returns the name that the author wrote, or an empty string: NumPy's
/// functions are macros for entries of a table.
std::string calledName(const clang::CallExpr &Call,
                       const clang::SourceManager &SM,
                       const clang::LangOptions &LO);

/// Returns the call that \p E is, within parentheses and casts, or null.
const clang::CallExpr *callIn(const clang::Expr *E);

/// Whether \p Function returns a new reference, or NULL with an exception.
bool givesNewReference(llvm::StringRef Function);
/// Whether it returns a negative number with an exception on failure.
bool givesStatus(llvm::StringRef Function);
/// Whether it sets an exception and does nothing else.
bool setsException(llvm::StringRef Function);
/// Whether it leaves no exception pending.
bool clearsException(llvm::StringRef Function);

enum class Argument {
  Borrowed, ///< The caller keeps its reference.
  Taken,    ///< The callee takes over the reference.
  Unknown
};
Argument argumentOf(llvm::StringRef Function, unsigned Index);
/// Whether \p Function accepts NULL for an object.
bool takesNull(llvm::StringRef Function);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_CHECKER_CALLFACTS_H
