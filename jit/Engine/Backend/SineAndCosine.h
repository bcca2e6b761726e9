//===- SineAndCosine.h - Calls of sincos ------------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_SINEANDCOSINE_H
#define CLINCH_JIT_ENGINE_BACKEND_SINEANDCOSINE_H

#include "llvm/IR/Module.h"

namespace clinch::engine {

/// Makes a sine and a cosine of each call of GNU's `sincos`, on doubles and
/// floats. The call stays too, before them, if \p KeepsErrno.
void splitSineAndCosine(llvm::Module &M, bool KeepsErrno);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_SINEANDCOSINE_H
