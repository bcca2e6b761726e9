// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of sincos.

#pragma once

#include "llvm/IR/Module.h"

namespace clinch::engine {

/// Makes a sine and a cosine of each call of GNU's `sincos`, on doubles and
/// floats. The call stays too, before them, if \p KeepsErrno.
void splitSineAndCosine(llvm::Module &M, bool KeepsErrno);

} // namespace clinch::engine
