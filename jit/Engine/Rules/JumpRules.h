// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jumps that may not leave a block.

#pragma once

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
