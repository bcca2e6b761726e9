// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of mathematical functions.

#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <string>

namespace clinch::engine {

/// A function of lib/Math on doubles. The name of its float version adds an
/// `f`.
struct ScalarFunction {
  llvm::StringLiteral Name;
  unsigned Arguments;
};

/// The function that one call names.
struct MathFunction {
  const ScalarFunction *Entry = nullptr; ///< Null if lib/Math has it not.
  bool Single = false;                   ///< Whether it is on floats.
  unsigned Lanes = 0;                    ///< 0 for scalars.

  std::string name() const { return (Entry->Name + (Single ? "f" : "")).str(); }
};

/// Returns the function that \p F declares, by its name and type or as an
/// intrinsic.
MathFunction mathFunction(const llvm::Function &F);

/// Whether \p Name means C's function in \p Caller: `-fno-builtin` takes that
/// away.
bool hasBuiltin(const llvm::Function &Caller, const std::string &Name);

/// Returns the calls of \p F that something else can replace: not those that
/// `-fno-builtin` or strict floating point covers.
llvm::SmallVector<llvm::CallInst *> callsOf(const llvm::Function &F);

/// Calls \p Each for every call in \p M of such a function, by name or as an
/// intrinsic, that can be replaced. Skips functions that the text defines.
void forEachMathCall(
    llvm::Module &M,
    llvm::function_ref<void(llvm::CallInst &, const MathFunction &)> Each);

/// Rewrites `pow(x, 2)` as `x * x` in every tier, as optimising compilers do,
/// and the exponents 3, 0.5, -0.5 and -1 as products, roots and quotients,
/// which err by less than 1.5 units. With \p KeepsErrno, calls that set it stay
/// for that.
void simplifyMathCalls(llvm::Module &M, bool KeepsErrno);

} // namespace clinch::engine
