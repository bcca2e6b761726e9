// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Not in a block.

#pragma once

#include "llvm/IR/Module.h"

namespace clinch::engine {

/// Deletes instructions that are in no block. Clang makes them where it thinks
/// that none can be reached, as for the condition of
/// `if (__builtin_unreachable(); x > 0)`. They are no part of the function, but
/// users of its variables, and SROA crashes over them.
void deleteDetachedInstructions(llvm::Module &M);

} // namespace clinch::engine
