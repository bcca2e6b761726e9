//===- DeviceMath.h - The functions of lib/Math on GPUs ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_DEVICE_DEVICEMATH_H
#define CLINCH_JIT_ENGINE_DEVICE_DEVICEMATH_H

#include "llvm/IR/Module.h"

namespace clinch::engine {

/// Makes the calls of mathematical functions in \p M those of lib/Math, which
/// are linked in: the same bits as on the processor. Must precede all passes,
/// which would compute what they know.
void linkDeviceMath(llvm::Module &M);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_DEVICE_DEVICEMATH_H
