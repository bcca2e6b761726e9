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

  unsigned generation() const { return Generation; }
  /// Makes later compiles use a new load; see Engine::isUsable().
  void leaveEngine() noexcept;

private:
  unsigned Generation;
};

/// Returns which load of the library to use: 0, and one more in each child that
/// was forked as above and after each engine that became unusable. Engines and
/// checkers of other generations must not be used or destroyed.
unsigned engineGeneration();

/// Returns \p Call of the engine or checker that \p Choose returns. Leaves it
/// for good if it is not usable after the call. Another thread may do so
/// between the choice and the call: then the choice is made again.
template <typename ChooseFn, typename CallFn>
auto visitEngine(const ChooseFn &Choose, const CallFn &Call)
    -> decltype(Call(**Choose())) {
  for (;;) {
    const unsigned Generation = engineGeneration();
    CLINCH_TRY_ASSIGN(auto *Chosen, Choose());
    EngineUse Use;
    if (Use.generation() != Generation)
      continue;
    struct AfterCall {
      decltype(*Chosen) Of;
      EngineUse &Use;
      ~AfterCall() {
        if (!Of.isUsable())
          Use.leaveEngine();
      }
    } Check{*Chosen, Use};
    return Call(*Chosen);
  }
}

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
