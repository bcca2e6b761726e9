// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions that only declare.

#pragma once

#include "RuleChecker.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace clinch::engine {

/// Checks that regions of declarations run nothing, and checks their names.
/// Returns the variables and reserved names in them.
llvm::StringSet<> checkDeclarations(llvm::ArrayRef<clang::Decl *> Declarations,
                                    clang::ASTContext &Context,
                                    const RegionMap &Regions,
                                    Violations &Found);

} // namespace clinch::engine
