//===- Inlining.h - Which functions are inlined ---------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_INLINING_H
#define CLINCH_JIT_ENGINE_BACKEND_INLINING_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace clinch::engine {

/// Marks the short functions of headers `alwaysinline`, where they are compiled
/// for what their callers are. A real inliner first needs the graph of all
/// calls, which takes longer than all else in a quick tier. In a very long
/// text, thousands of copies of what may have to call further, as Py_DECREF
/// does, are no gain.
void markSmallFunctions(llvm::Module &M, llvm::FunctionAnalysisManager &AM);

/// The same for a function with one caller, which will not be there twice.
void markSingleCallers(llvm::Module &M, llvm::FunctionAnalysisManager &AM);

/// Whether a function of the module calls another one that could be inlined.
bool callsItsOwn(const llvm::Module &M);

/// What is not to be optimised keeps its calls, which are less code than what
/// they do.
void keepCalls(llvm::Module &M);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_INLINING_H
