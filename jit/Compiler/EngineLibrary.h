// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine, loaded when needed.

#pragma once

#include "jit/Engine/Checker/TextChecker.h"
#include "jit/Engine/Engine.h"

#include <memory>
#include <string>

namespace clinch {

/// Enters the engine of this process while it exists, unless that is lost: a
/// compile in it crashed, or this is the child of a fork and a thread of the
/// parent was inside. Locks of LLVM and Clang may stay locked then, so a lost
/// engine or checker must not be used, nor destroyed.
class EngineUse {
public:
  EngineUse();
  ~EngineUse();
  EngineUse(const EngineUse &) = delete;
  EngineUse &operator=(const EngineUse &) = delete;

  explicit operator bool() const { return IsInside; }

private:
  bool IsInside;
};

/// Loses the engine of this process.
void loseEngine() noexcept;
bool isEngineLost() noexcept;

/// Creates an engine from the library at \p Path; if empty, from the one linked
/// into the program, else from libclinch-engine.so beside this library. It
/// stays loaded. The caller holds ProcessLock::EngineLoading.
Expected<std::unique_ptr<Engine>> createEngine(const std::string &Path,
                                               const EngineConfig &Config);

/// Creates a checker from the same library.
Expected<std::unique_ptr<TextChecker>>
createChecker(const std::string &Path, const EngineConfig &Config);

/// Loads the library and returns what it shows by a name.
Expected<void *> findInEngine(const std::string &Path, const char *Symbol);

/// Returns the file of that library.
std::string engineLibraryFile(const std::string &Path);

/// Returns the build id of that library, which need not be loaded.
std::string engineBuildId(const std::string &Path);

} // namespace clinch
