//===- VectorFunctions.h - exp and tanh inside a loop -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_VECTORFUNCTIONS_H
#define CLINCH_JIT_ENGINE_VECTORFUNCTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Passes/PassBuilder.h"

#include <string>

namespace clinch::engine {

/// What the vectoriser is to call for \p Lanes doubles of a function that has
/// instructions of its own here, `exp` or `tanh`; empty for all others.
std::string ownVectorFunction(llvm::StringRef Scalar, unsigned Lanes);

/// Puts the instructions in the place of such calls. They need fused
/// multiplications; the result is within 2 units in the last place, and the
/// same as libm's for zeros, infinities and NaN.
void addVectorFunctions(llvm::PassBuilder &Builder);

/// Lets what is still computed one by one, a loop's last values or all of a
/// quick tier's, give what vectors give: the same bits wherever a value stands.
/// \p Apart: functions of another module do it.
void useVectorFunctions(llvm::Module &M, bool Apart);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_VECTORFUNCTIONS_H
