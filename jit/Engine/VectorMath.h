//===- VectorMath.h - glibc's vector functions -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_VECTORMATH_H
#define CLINCH_JIT_ENGINE_VECTORMATH_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

namespace clinch::engine {

/// Tells \p Library which functions of libmvec a loop may call on a machine
/// with \p Features (as LLVM writes them, "+avx2,-avx512f,..."). LLVM's own
/// table has six functions and no 512-bit vectors; ours has all that this
/// machine's libmvec has, in every width that its vectors have.
void addVectorMath(llvm::TargetLibraryInfoImpl &Library,
                   llvm::StringRef Features);

/// The name of a symbol in a module whose tier calls functions of libm where
/// the tier max calls others for vectors.
constexpr const char *OtherBitsSymbol = "clinch_other_bits";

/// Defines it in \p M if need be.
void noteOtherBits(llvm::Module &M, const llvm::TargetLibraryInfoImpl &Library);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_VECTORMATH_H
