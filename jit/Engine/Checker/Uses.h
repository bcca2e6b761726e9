// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls, and how values are used.

#pragma once

#include "TextChecker.h"

#include "clang/AST/ParentMap.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace clang {
class ASTContext;
class Expr;
class ValueDecl;
} // namespace clang

namespace clinch::engine {

/// How an expression uses a variable.
enum class Use {
  None,     ///< Does not name the variable.
  Tested,   ///< Compared, or tested for NULL.
  Needed,   ///< Dereferenced.
  Borrowed, ///< Borrowed by a call.
  Replaced, ///< Assigned to.
  Given     ///< May have given its reference away.
};

/// Returns the variable or field of a struct that \p E names, or null.
const clang::ValueDecl *variableIn(const clang::Expr *E);

bool mentions(const clang::Stmt &S, const clang::ValueDecl &V);

/// Returns whether \p Condition, if true, implies that \p V is NULL; nullopt if
/// it implies nothing.
std::optional<bool> saysNull(const clang::Expr &Condition,
                             const clang::ValueDecl &V,
                             clang::ASTContext &Context);

/// Classifies a use by the expressions around it.
class Uses {
public:
  Uses(clang::Stmt &Body, clang::ASTContext &Context, const CallFacts &Facts)
      : Parents(&Body), Context(Context), Facts(Facts) {}

  Use of(const clang::Stmt &S, const clang::ValueDecl &V);
  /// Whether \p E is a statement between braces, and not after an `if`.
  bool isOwnStatement(const clang::Expr &E) const;

private:
  clang::ParentMap Parents;
  clang::ASTContext &Context;
  const CallFacts &Facts;
};

} // namespace clinch::engine

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
