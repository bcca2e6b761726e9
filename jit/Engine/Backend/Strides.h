//===- Strides.h - Loops whose strides are known when they run -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_STRIDES_H
#define CLINCH_JIT_ENGINE_BACKEND_STRIDES_H

#include "llvm/Passes/PassBuilder.h"

namespace clinch::engine {

/// Makes loops over `p[i * stride]` fit for the vectoriser, which makes a copy
/// of the loop for strides of one, but only where a stride is a plain value.
/// Loops over arrays have `bytes / sizeof(item)` there, which it sees as a
/// division, and gathers, at a fiftieth of the speed.
void addStrideFreezing(llvm::PassBuilder &Builder);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_STRIDES_H
