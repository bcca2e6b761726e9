// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles in killable processes.

#pragma once

#include "jit/Engine/Engine.h"

#include <string>

namespace clinch {

/// Compiles in a clinch-engine process, one for each thread that compiles at
/// the same time, which keeps the limits of \p O. One that overruns them,
/// crashes or dies is killed, and the next compile starts another. \p Library
/// is the engine's file; the program is beside it.
Expected<EngineResult> compileIsolated(const std::string &Library,
                                       const EngineConfig &Config,
                                       const SourceText &Text,
                                       const CompileOptions &O);

} // namespace clinch
