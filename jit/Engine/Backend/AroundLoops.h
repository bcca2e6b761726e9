// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that no loop runs.
//
// A function around a loop, with checks of what comes in and goes out, is many
// times as long as the loop, and is run once. What a whole pipeline finds in it
// is not worth the time that it takes.

#pragma once

#include "llvm/IR/Module.h"

namespace clinch::engine {

/// Whether any branch of \p F goes backwards.
bool hasLoop(const llvm::Function &F);

/// Keeps LLVM's passes and code generation from optimising \p F.
void leaveAsItIs(llvm::Function &F);

/// Leaves all functions of \p M as they are that have no loop, are of mostly
/// branches and calls, and are used by no function with a loop.
void leaveAroundLoops(llvm::Module &M);

} // namespace clinch::engine
