//===- LongBlocks.h - Long straight code in pieces --------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_LONGBLOCKS_H
#define CLINCH_JIT_ENGINE_BACKEND_LONGBLOCKS_H

#include "llvm/IR/Module.h"

namespace clinch::engine {

/// Splits blocks of thousands of instructions, as programs print them.
/// Selection and the scheduler take time by the square of a block's length.
/// Code of which the operands are thousands of instructions away takes up to
/// 1.25 times as long for it, other code as long.
void splitLongBlocks(llvm::Module &M);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_LONGBLOCKS_H
