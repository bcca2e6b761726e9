//===- JumpRules.h - Jumps that may not leave a block -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_RULES_JUMPRULES_H
#define CLINCH_JIT_ENGINE_RULES_JUMPRULES_H

#include "RuleChecker.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace clinch::engine {

/// Checks return, break, continue, goto and failing.
void checkJumps(llvm::ArrayRef<clang::Decl *> Declarations,
                clang::ASTContext &Context, const RegionMap &Regions,
                const std::string &FailureVariable, Violations &Found);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_RULES_JUMPRULES_H
