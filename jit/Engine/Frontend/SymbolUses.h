// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a text uses what others define.

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
