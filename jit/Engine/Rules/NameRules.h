// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of names and declarations.
//
// A variable of a graph is a local of a function or a member of a state, which
// C reaches through a macro of its name and C++ through `this`. A name that
// would mean something else in one of these is refused in both.

#pragma once

#include "RuleChecker.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace clinch::engine {

/// Names that directives define, undefine or test, and where.
using NamedMacros = std::vector<std::pair<std::string, clang::SourceLocation>>;

/// Reports names that clash with \p Taken, the names of variables.
void checkNames(llvm::ArrayRef<clang::Decl *> Declarations,
                clang::ASTContext &Context, const RegionMap &Regions,
                const NamedMacros &Macros, llvm::StringSet<> Taken,
                Violations &Found);

} // namespace clinch::engine

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
