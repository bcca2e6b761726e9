//===- IsolatedEngine.h - Compiles in killable processes --------*- C++ -*-===//
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

/// Creates an engine whose compiles run in separate processes, one for each
/// thread that compiles at the same time. A process that overruns its limits,
/// crashes or dies is killed, and the next compile starts another.
std::unique_ptr<Engine> createIsolatedEngine(std::string Library,
                                             EngineConfig Config);

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_ISOLATEDENGINE_H
