//===- IsolatedEngine.h - Compiles where they can be ended ------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_COMPILER_ISOLATEDENGINE_H
#define CLINCH_JIT_COMPILER_ISOLATEDENGINE_H

#include "jit/Engine/Engine.h"

#include <memory>
#include <string>

namespace clinch {

/// An engine whose compiles run in processes of their own, one for each thread
/// that compiles at the same time. What comes back is bytes. A process that
/// overruns its limits, crashes or dies is ended, and the next compile starts
/// another.
std::unique_ptr<Engine> createIsolatedEngine(std::string Library,
                                             EngineConfig Config);

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_ISOLATEDENGINE_H
