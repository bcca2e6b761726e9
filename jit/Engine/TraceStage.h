//===- TraceStage.h - A stage for the times of a compile --------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_TRACESTAGE_H
#define CLINCH_JIT_ENGINE_TRACESTAGE_H

#include "clinch/Compiler/Options.h"

namespace clinch {

/// Among CompileOptions::Keep: LLVM's time trace, in JSON. No cache answers
/// such a compile, and none keeps it.
constexpr auto TraceStage = Stage(int(Stage::Remarks) + 1);

} // namespace clinch

#endif // CLINCH_JIT_ENGINE_TRACESTAGE_H
