// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The live code of the process.
//
// Within a process each key has one machine code, loaded once and shared by all
// sessions; its last user frees it. While one thread produces the code of a
// key, others that need it wait.

#pragma once

#include "jit/Engine/Engine.h"
#include "jit/Loader/LoadedCode.h"
#include "lib/Support/Forks.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
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

  /// The result for threads that wait for a key.
  struct Outcome {
    LiveCode Live;
    std::optional<Error> Failure;
    bool LeftWaiting = false; ///< \p Interrupted returned true.
  };
  /// Returns nullopt if the caller must produce the code and call finish().
  /// Otherwise waits for the thread that produces it and returns its outcome;
  /// fails if that thread is the caller (an initialiser needs its own code).
  std::optional<Outcome>
  waitOrLead(const std::string &Key,
             const std::function<bool()> &Interrupted = {});
  void finish(const std::string &Key, Outcome O);

  /// Enters code into the table under its key. Returns an error if a
  /// thread-local variable of it, which C++ has once for a program, is another
  /// live code's too: each would have its own.
  Expected<LiveCode> publish(std::shared_ptr<LoadedCode> Code);

  size_t liveModules() const;
  size_t liveBytes() const;

private:
  /// Code that a thread is producing.
  struct Pending {
    const std::thread::id Leader = std::this_thread::get_id();
    std::condition_variable Done;
    std::optional<Outcome> Result;
  };
  using PendingByKey =
      std::unordered_map<std::string, std::shared_ptr<Pending>>;

  CodeRegistry() = default;
  static void beginAnew();
  void leave(const LoadedCode &Code);

  std::mutex &Lock = lockOf(ProcessLock::Code);
  std::unordered_map<std::string, std::weak_ptr<const LoadedCode>> Table;
  PendingByKey InProgress;
  Status claimThreadLocals(const LoadedCode &Code);

  /// Thread-local variables of live code, and whose they are.
  std::unordered_map<std::string, const LoadedCode *> ThreadLocals;
  size_t Modules = 0;
  size_t Bytes = 0;
};

} // namespace clinch
