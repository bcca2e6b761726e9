// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with strides known at run time.

#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace clinch::engine {

/// Prepares loops over `p[i * stride]` for the vectoriser, which versions a
/// loop for a stride of one only if the stride is a plain value. Loops over
/// arrays use `bytes / sizeof(item)`, as an `int` too: the vectoriser sees a
/// division or shifts and emits gathers, at a tenth of the speed or less.
void addStrideFreezing(llvm::PassBuilder &Builder);

} // namespace clinch::engine
