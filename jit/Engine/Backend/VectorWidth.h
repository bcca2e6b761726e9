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

/// Prefers vectors of 256 bits if \p M does little but move data. With 512 bits
/// every access of a large array crosses a cache line (malloc puts its data 16
/// bytes after a boundary), which costs a tenth of the time; with more
/// computation wider vectors win. Functions that set a width keep it.
void preferWidthOfMemory(llvm::Module &M);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_VECTORWIDTH_H
