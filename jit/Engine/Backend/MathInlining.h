// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of lib/Math in loops.

#pragma once

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace clinch::engine {

/// Inlines the functions of lib/Math in innermost loops before LLVM vectorises
/// these, where the processor multiplies and adds in one instruction. Other
/// calls remain, also in a loop whose iterations wait for each other. Inlining
/// comes after LLVM's own, which would not inline functions of this size.
void addMathInlining(llvm::PassBuilder &Builder, const llvm::TargetMachine &TM);

/// Defines in \p M what it calls of them and nobody else will.
void defineMathematics(llvm::Module &M);

} // namespace clinch::engine
