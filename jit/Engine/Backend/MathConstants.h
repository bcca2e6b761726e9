//===- MathConstants.h - Mathematics of constants ---------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_MATHCONSTANTS_H
#define CLINCH_JIT_ENGINE_BACKEND_MATHCONSTANTS_H

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

namespace clinch::engine {

/// Replaces calls of functions of lib/Math, of constants, by what the function
/// returns where it is called.
void computeMathConstants(llvm::Module &M);

/// Does so wherever LLVM simplifies instructions, too.
void addMathConstants(llvm::PassBuilder &Builder);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_MATHCONSTANTS_H
