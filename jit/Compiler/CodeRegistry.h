// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The live code of the process.
//
// Within a process each key has one machine code, loaded once and shared by all
// sessions; its last user frees it.

#pragma once

#include "jit/Engine/Engine.h"
#include "jit/Loader/LoadedCode.h"
#include "lib/Support/Forks.h"

#include <memory>
#include <string>
#include <unordered_map>

namespace clinch {

/// Returns the text of a kept stage, or null.
const std::string *stageIn(const EngineResult &R, Stage S);

/// Code that is in use. Its last user takes it from the table; it is freed
/// then, or when the last thread that has objects of it ends.
using LiveCode = std::shared_ptr<const LoadedCode>;

class CodeRegistry {
public:
  /// The registry of the process: never destroyed, and survives a fork.
  static CodeRegistry &process();

  LiveCode find(const std::string &Key);

  /// Enters code into the table under its key. Returns an error if a
  /// thread-local variable of it, which C++ has once for a program, is another
  /// live code's too: each would have its own.
  Expected<LiveCode> publish(std::shared_ptr<LoadedCode> Code);

  size_t liveModules() const;
  size_t liveBytes() const;

private:
  CodeRegistry() = default;
  void leave(const LoadedCode &Code);

  std::mutex &Lock = lockOf(ProcessLock::Code);
  std::unordered_map<std::string, std::weak_ptr<const LoadedCode>> Table;
  Status claimThreadLocals(const LoadedCode &Code);

  /// Thread-local variables of live code, and whose they are.
  std::unordered_map<std::string, const LoadedCode *> ThreadLocals;
  size_t Modules = 0;
  size_t Bytes = 0;
};

} // namespace clinch
