// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with strides known at run time.

#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace clinch::engine {

/// Prepares loops over `p[i * stride]` for the vectoriser, which versions a
/// loop for a stride of one only if the stride is a plain value. Loops over
/// arrays use `bytes / sizeof(item)`: it sees a division and emits gathers,
/// which run at a fiftieth of the speed.
void addStrideFreezing(llvm::PassBuilder &Builder);

} // namespace clinch::engine
