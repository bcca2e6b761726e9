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

/// While this lives a thread may be inside the engine. A child that is forked
/// meanwhile does not use that engine: what LLVM and Clang lock stays shut
/// there. It loads the library once more, from a copy, with variables and locks
/// of its own.
class EngineUse {
public:
  EngineUse();
  ~EngineUse();
  EngineUse(const EngineUse &) = delete;
  EngineUse &operator=(const EngineUse &) = delete;

private:
  unsigned Generation;
};

/// Which loading of the library is to be used: 0, and one more in each child
/// that was forked as above. Engines and checkers of others are left alone, not
/// even destroyed.
unsigned engineGeneration();

/// An engine of the library at \p Path; empty: one that the program linked,
/// else libclinch-engine.so beside this library. The library stays loaded. Who
/// calls this holds ProcessLock::EngineLoading.
Expected<std::unique_ptr<Engine>> createEngine(const std::string &Path,
                                               const EngineConfig &Config);

/// What looks at texts, of the same library.
Expected<std::unique_ptr<TextChecker>>
createChecker(const std::string &Path, const EngineConfig &Config);

/// The file of that library.
std::string engineLibraryFile(const std::string &Path);

/// Which build of Clang, LLVM and ours that engine is; it need not be loaded.
std::string engineBuildId(const std::string &Path);

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_ENGINELIBRARY_H
