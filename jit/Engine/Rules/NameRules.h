//===- NameRules.h - What the graph's names may not mean -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable of a graph is a local of a function, or a member of a state that
// outlives it: in C through a macro of its name, in C++ through `this`. What
// would mean something else in one of these is refused in both.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_RULES_NAMERULES_H
#define CLINCH_JIT_ENGINE_RULES_NAMERULES_H

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

/// A name that a directive defines, or asks for, and where.
using NamedMacros = std::vector<std::pair<std::string, clang::SourceLocation>>;

/// \p Taken: the names of variables.
void checkNames(llvm::ArrayRef<clang::Decl *> Declarations,
                clang::ASTContext &Context, const RegionMap &Regions,
                const NamedMacros &Macros, llvm::StringSet<> Taken,
                Violations &Found);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_RULES_NAMERULES_H
