//===- Strides.h - Loops with strides known at run time ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_STRIDES_H
#define CLINCH_JIT_ENGINE_BACKEND_STRIDES_H

#include "llvm/Passes/PassBuilder.h"

namespace clinch::engine {

/// Prepares loops over `p[i * stride]` for the vectoriser, which versions a
/// loop for a stride of one only if the stride is a plain value. Loops over
/// arrays use `bytes / sizeof(item)`: it sees a division and emits gathers,
/// which run at a fiftieth of the speed.
void addStrideFreezing(llvm::PassBuilder &Builder);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_STRIDES_H
