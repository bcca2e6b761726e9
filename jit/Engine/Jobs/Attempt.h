// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compile that can be abandoned.

#pragma once

#include "../CrashRecovery/CrashGuard.h"
#include "../Prefix/Preparer.h"
#include "Worker.h"

#include <chrono>
#include <memory>
#include <optional>

namespace clinch::engine {

/// One compile in a worker. It owns all that it reads, since its caller may go
/// away before it ends.
class Attempt {
public:
  Attempt(std::unique_ptr<Worker> W, std::shared_ptr<Preparer> Texts,
          const SourceText &Text, const CompileOptions &O);

  ~Attempt();
  Attempt(const Attempt &) = delete;
  Attempt &operator=(const Attempt &) = delete;

  enum class Outcome {
    Ended,
    Interrupted, ///< Options::Interrupted asks to leave.
    Lost,        ///< Another compile crashed, perhaps with a lock of LLVM's.
  };
  /// Waits for the end, or until the caller need not wait any longer.
  Outcome wait();
  bool ended() { return Run->ended(std::chrono::milliseconds(0)); }
  /// Both wait for the end.
  Expected<EngineResult> takeResult();
  /// Returns null after a crash, as the worker's state is unknown.
  std::unique_ptr<Worker> takeWorker();

private:
  Expected<EngineResult> work();
  Expected<EngineResult> compile();

  std::unique_ptr<Worker> W;
  std::shared_ptr<Preparer> Texts;
  SourceText Text;
  CompileOptions Options;
  std::optional<Expected<EngineResult>> Result;
  std::unique_ptr<GuardedRun> Run; ///< Last, since it uses all others.
};

} // namespace clinch::engine
