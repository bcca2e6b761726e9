//===- VectorWidth.h - How wide vectors should be ---------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_VECTORWIDTH_H
#define CLINCH_JIT_ENGINE_BACKEND_VECTORWIDTH_H

namespace llvm {
class Module;
} // namespace llvm

namespace clinch::engine {

/// Asks for vectors of 256 bits where \p M does little but move its data. With
/// 512 every access of an array that NumPy made crosses a cache line (its data
/// begin 16 bytes behind a boundary), which costs a tenth of the time; where
/// more is computed the wider ones win. Functions that say a width keep it.
void preferWidthOfMemory(llvm::Module &M);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_VECTORWIDTH_H
