// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that return at once.

#pragma once

namespace clang {
class FunctionDecl;
} // namespace clang

namespace clinch::engine {

/// Whether \p F neither loops nor calls anything but mathematics: who calls it
/// need not let others run meanwhile. False where that is not plain to see.
bool isBrief(const clang::FunctionDecl &F);

} // namespace clinch::engine
