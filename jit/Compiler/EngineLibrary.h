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

/// Marks a thread as inside the engine. A child that is forked meanwhile does
/// not use that engine, because locks of LLVM and Clang may stay locked there.
/// It loads the library again from a copy, with its own variables and locks.
class EngineUse {
public:
  EngineUse();
  ~EngineUse();
  EngineUse(const EngineUse &) = delete;
  EngineUse &operator=(const EngineUse &) = delete;

  /// Makes later compiles use a new load; see Engine::isUsable().
  void leaveEngine() noexcept;

private:
  unsigned Generation;
};

/// Marks one call of \p Of, an engine or a checker, and leaves the engine for
/// good if it is not usable after the call.
template <typename T> class VisitOf {
public:
  explicit VisitOf(const T &Of) : Of(Of) {}
  ~VisitOf() {
    if (!Of.isUsable())
      Use.leaveEngine();
  }
  VisitOf(const VisitOf &) = delete;
  VisitOf &operator=(const VisitOf &) = delete;

private:
  const T &Of;
  EngineUse Use;
};

/// Returns which load of the library to use: 0, and one more in each child that
/// was forked as above and after each engine that became unusable. Engines and
/// checkers of other generations must not be used or destroyed.
unsigned engineGeneration();

/// Creates an engine from the library at \p Path; if empty, from the one linked
/// into the program, else from libclinch-engine.so beside this library. It
/// stays loaded. The caller holds ProcessLock::EngineLoading.
Expected<std::unique_ptr<Engine>> createEngine(const std::string &Path,
                                               const EngineConfig &Config);

/// Creates a checker from the same library.
Expected<std::unique_ptr<TextChecker>>
createChecker(const std::string &Path, const EngineConfig &Config);

/// Returns the file of that library.
std::string engineLibraryFile(const std::string &Path);

/// Returns the build id of that library, which need not be loaded.
std::string engineBuildId(const std::string &Path);

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_ENGINELIBRARY_H
