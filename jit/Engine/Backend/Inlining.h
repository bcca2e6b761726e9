// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions are inlined.

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace clinch::engine {

/// Marks short internal functions `alwaysinline` if their callers' targets fit.
/// A real inliner first needs the call graph, which takes longer than all else
/// in a quick tier. A function with thousands of uses that calls others, such
/// as one that counts references, becomes `noinline` instead.
void markSmallFunctions(llvm::Module &M, llvm::FunctionAnalysisManager &AM);

/// Marks functions with a single caller, which inlining does not duplicate.
void markSingleCallers(llvm::Module &M, llvm::FunctionAnalysisManager &AM);

/// Whether the module calls a function of its own that could be inlined.
bool callsItsOwn(const llvm::Module &M);

/// Keeps the calls in `optnone` functions: they are smaller than what they
/// call.
void keepCalls(llvm::Module &M);

} // namespace clinch::engine
