// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in which an iteration waits for the one before.

#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace clinch::engine {

/// Whether an iteration of \p L waits for a variable or for memory that the
/// one before computes. LLVM gives such a loop no vectors of iterations.
/// \p L gets a preheader and exits of its own.
bool hasRecurrence(llvm::Loop &L, llvm::Function &F,
                   llvm::FunctionAnalysisManager &FAM);

/// Makes the SLP vectoriser skip functions with an inner loop that has a
/// recurrence: putting values into a vector and taking them out again
/// lengthens each iteration.
void skipSLPWithRecurrences(llvm::PassBuilder &Builder,
                            llvm::PassInstrumentationCallbacks &Callbacks);

} // namespace clinch::engine
