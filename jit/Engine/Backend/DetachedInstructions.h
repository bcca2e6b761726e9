//===- DetachedInstructions.h - Not in a block ------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_DETACHEDINSTRUCTIONS_H
#define CLINCH_JIT_ENGINE_BACKEND_DETACHEDINSTRUCTIONS_H

#include "llvm/IR/Module.h"

namespace clinch::engine {

/// Deletes instructions that are in no block. Clang makes them where it thinks
/// that none can be reached, as for the condition of
/// `if (__builtin_unreachable(); x > 0)`. They are no part of the function, but
/// users of its variables, and SROA crashes over them.
void deleteDetachedInstructions(llvm::Module &M);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_DETACHEDINSTRUCTIONS_H
