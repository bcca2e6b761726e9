// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long straight code in pieces.

#pragma once

#include "llvm/IR/Module.h"

namespace clinch::engine {

/// Splits blocks of thousands of instructions, as programs print them.
/// Selection and the scheduler take time by the square of a block's length.
/// Code of which the operands are thousands of instructions away takes up to
/// 1.25 times as long for it, other code as long.
void splitLongBlocks(llvm::Module &M);

} // namespace clinch::engine
