//===- Uses.h - What a statement does with a variable -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_CHECKER_USES_H
#define CLINCH_JIT_ENGINE_CHECKER_USES_H

#include "clang/AST/ParentMap.h"

#include <optional>

namespace clang {
class ASTContext;
class Expr;
class ValueDecl;
} // namespace clang

namespace clinch::engine {

/// What an expression that is a variable's name is there for.
enum class Use {
  None,     ///< It is no name of the variable.
  Tested,   ///< Compared, or asked whether it is NULL.
  Needed,   ///< What it points to is.
  Borrowed, ///< Python or NumPy needs it for the time of a call.
  Replaced, ///< It gets another value.
  Given     ///< Its reference may be another's now.
};

/// The variable, or the field of one struct, that \p E is; or null.
const clang::ValueDecl *variableIn(const clang::Expr *E);

bool mentions(const clang::Stmt &S, const clang::ValueDecl &V);

/// Whether \p Condition, when true, says that \p V is NULL; nothing when it
/// says nothing of that.
std::optional<bool> saysNull(const clang::Expr &Condition,
                             const clang::ValueDecl &V,
                             clang::ASTContext &Context);

/// Looks at what stands around a name.
class Uses {
public:
  Uses(clang::Stmt &Body, clang::ASTContext &Context)
      : Parents(&Body), Context(Context) {}

  Use of(const clang::Stmt &S, const clang::ValueDecl &V);
  /// Whether it stands between braces, and not after an `if`.
  bool isOwnStatement(const clang::Expr &E) const;

private:
  clang::ParentMap Parents;
  clang::ASTContext &Context;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_CHECKER_USES_H
