// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks beside the rules.

#pragma once

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
