//===- Alignment.h - Loops that store where vectors lie whole ---*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_ALIGNMENT_H
#define CLINCH_JIT_ENGINE_ALIGNMENT_H

#include "llvm/Passes/PassBuilder.h"

namespace clinch::engine {

/// Lets vectorised loops that wait for memory store whole vectors only where
/// such vectors begin. Arrays begin 16 bytes behind such a place wherever
/// malloc gives them pages of their own, and of what is stored there every
/// second vector of 32 bytes lies in two cache lines, which costs a tenth of
/// the time. Items are computed once each, in the order and with the operations
/// of before.
void addStoreAlignment(llvm::PassBuilder &Builder);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_ALIGNMENT_H
