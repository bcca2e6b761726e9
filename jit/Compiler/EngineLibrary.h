//===- EngineLibrary.h - The engine, loaded when needed --------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_COMPILER_ENGINELIBRARY_H
#define CLINCH_JIT_COMPILER_ENGINELIBRARY_H

#include "jit/Engine/Checker/TextChecker.h"
#include "jit/Engine/Engine.h"

#include <memory>
#include <string>

namespace clinch {

/// An engine of the library at \p Path; empty: one that the program linked,
/// else libclinch-engine.so beside this library. The library stays loaded.
Expected<std::unique_ptr<Engine>> createEngine(const std::string &Path,
                                               const EngineConfig &Config);

/// What looks at texts, of the same library.
Expected<std::unique_ptr<TextChecker>>
createChecker(const std::string &Path, const EngineConfig &Config);

/// Which build of Clang, LLVM and ours that engine is; it need not be loaded.
std::string engineBuildId(const std::string &Path);

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_ENGINELIBRARY_H
