// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a text says of its symbols: which it uses, which are leaf functions.

#pragma once

#include "clinch/Support/Expected.h"

#include <vector>

namespace clang {
class CodeGenerator;
class CompilerInstance;
} // namespace clang

namespace clinch::engine {

/// Returns the first place in the text of each symbol that the module of \p G
/// uses and does not define; its message is the symbol. Headers' own uses are
/// left out.
std::vector<Diagnostic> symbolUses(clang::CompilerInstance &CI,
                                   clang::CodeGenerator &G);

} // namespace clinch::engine

namespace clang {
class FunctionDecl;
} // namespace clang

namespace clinch::engine {

/// Whether \p F neither loops nor calls anything but mathematics: who calls it
/// need not let others run meanwhile. False where that is not plain to see.
bool isBrief(const clang::FunctionDecl &F);

} // namespace clinch::engine
