//===- MathCalls.h - Calls of mathematical functions ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_MATHCALLS_H
#define CLINCH_JIT_ENGINE_BACKEND_MATHCALLS_H

#include "MathFunctions.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <string>

namespace clinch::engine {

/// The libm function that one call names.
struct MathFunction {
  const ScalarFunction *Entry = nullptr; ///< Null if it is not in the table.
  bool Single = false;                   ///< Whether it is on floats.
  unsigned Lanes = 0;                    ///< 0 for scalars.

  std::string name() const {
    return std::string(Entry->Name) + (Single ? "f" : "");
  }
};

/// Returns the function called \p Name if it is in the table.
MathFunction mathFunction(llvm::StringRef Name);

/// Calls \p Each for every call in \p M of a function in the table, by name or
/// as an intrinsic. Skips functions that the text defines and calls that
/// `-fno-builtin` or strict floating point covers.
void forEachMathCall(
    llvm::Module &M,
    llvm::function_ref<void(llvm::CallInst &, const MathFunction &)> Each);

/// Rewrites `pow(x, 2)` as `x * x` in every tier, as optimising compilers do.
void simplifyMathCalls(llvm::Module &M);

/// Keeps LLVM from folding or rewriting what forEachMathCall() finds, which it
/// would do in some tiers only: `pow(2, x)` becomes `exp2(x)`, and floats are
/// computed as doubles, which differs in the last place. Leaves calls alone
/// that may be approximated.
void pinMathCalls(llvm::Module &M);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_MATHCALLS_H
