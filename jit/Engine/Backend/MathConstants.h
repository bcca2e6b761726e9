// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematics of constants.

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

namespace clinch::engine {

/// Replaces calls of functions of lib/Math, of constants, by what the function
/// returns where it is called.
void computeMathConstants(llvm::Module &M);

/// Does so wherever LLVM simplifies instructions, too.
void addMathConstants(llvm::PassBuilder &Builder);

} // namespace clinch::engine
