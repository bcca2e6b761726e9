// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of lib/Math on GPUs.

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

namespace clinch::engine {

/// Makes the calls of mathematical functions in \p M those of lib/Math, which
/// are linked in: the same bits as on the processor. With \p Libdevice,
/// NVIDIA's file of that name, they are those of that; returns false if it is
/// no such file. Must precede all passes, which would compute what they know.
bool linkDeviceMath(llvm::Module &M, const llvm::MemoryBuffer *Libdevice);

} // namespace clinch::engine
