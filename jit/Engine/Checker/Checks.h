//===- Checks.h - The checks beside the rules -------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_CHECKER_CHECKS_H
#define CLINCH_JIT_ENGINE_CHECKER_CHECKS_H

#include "Findings.h"

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace clinch::engine {

/// Checks each expression for `ignored-result` and CallFacts::Fields.
void checkExpressions(llvm::ArrayRef<clang::Decl *> Declarations,
                      clang::ASTContext &Context, Findings &Found);

/// Checks the paths through a block for `unused-fail`, `unchecked-result` and
/// `leaked-reference`.
void checkPaths(llvm::ArrayRef<clang::Decl *> Declarations,
                clang::ASTContext &Context, const std::string &FailureVariable,
                Findings &Found);

/// Checks for CallFacts::Macros during preprocessing; \p Found must live as
/// long.
void watchDeprecatedMacros(clang::CompilerInstance &CI, Findings &Found);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_CHECKER_CHECKS_H
