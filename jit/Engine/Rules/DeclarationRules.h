//===- DeclarationRules.h - What only declares -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_RULES_DECLARATIONRULES_H
#define CLINCH_JIT_ENGINE_RULES_DECLARATIONRULES_H

#include "RuleChecker.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace clinch::engine {

/// That nothing runs in a region of declarations, and its names. Returns all
/// that are variables there.
llvm::StringSet<> checkDeclarations(llvm::ArrayRef<clang::Decl *> Declarations,
                                    clang::ASTContext &Context,
                                    const RegionMap &Regions,
                                    Violations &Found);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_RULES_DECLARATIONRULES_H
