//===- Checks.h - What is looked for beside the rules -----------*- C++ -*-===//
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

/// `ignored-result` and `numpy-field`: seen in one expression.
void checkExpressions(llvm::ArrayRef<clang::Decl *> Declarations,
                      clang::ASTContext &Context, Findings &Found);

/// `unused-fail`, `unchecked-result` and `leaked-reference`: seen on the ways
/// through a block.
void checkWays(llvm::ArrayRef<clang::Decl *> Declarations,
               clang::ASTContext &Context, const std::string &FailureVariable,
               Findings &Found);

/// `numpy-macro`: seen while the text is read. \p Found outlives \p CI.
void watchDeprecatedMacros(clang::CompilerInstance &CI, Findings &Found);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_CHECKER_CHECKS_H
