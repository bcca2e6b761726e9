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

/// A function of libm, as one call has it.
struct MathFunction {
  const ScalarFunction *Entry = nullptr; ///< Null: it is none of them.
  bool Single = false;                   ///< On floats.
  unsigned Lanes = 0;                    ///< 0: of numbers and not of vectors.

  std::string name() const {
    return std::string(Entry->Name) + (Single ? "f" : "");
  }
};

/// The function of that name in libm, if it is in the table.
MathFunction mathFunction(llvm::StringRef Name);

/// Gives \p Each every call in \p M of a function in the table, by its name or
/// as an intrinsic, that may be taken for libm's: none that the text defines,
/// none where it says `-fno-builtin` or looks at rounding modes.
void forEachMathCall(
    llvm::Module &M,
    llvm::function_ref<void(llvm::CallInst &, const MathFunction &)> Each);

/// Writes `x * x` for `pow(x, 2)`, as every compiler does where it optimises:
/// here in every tier.
void simplifyMathCalls(llvm::Module &M);

/// Lets LLVM neither compute nor rewrite what forEachMathCall() finds. It would
/// in one tier and not in another: `pow(2, x)` becomes `exp2(x)`, and floats
/// are computed as doubles, which differs in the last place. Where the author
/// allows approximations it may do as it likes.
void pinMathCalls(llvm::Module &M);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_MATHCALLS_H
