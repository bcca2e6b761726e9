//===- Attempt.h - A compile that can be left -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_JOBS_ATTEMPT_H
#define CLINCH_JIT_ENGINE_JOBS_ATTEMPT_H

#include "../Survival/Allocations.h"
#include "../Survival/Budget.h"
#include "../Survival/CrashGuard.h"
#include "Worker.h"

#include <chrono>
#include <memory>
#include <optional>

namespace clinch::engine {

/// One compile in a worker. It owns all that it reads: whoever asked for it may
/// go away before it ends.
class Attempt {
public:
  Attempt(std::unique_ptr<Worker> W, const SourceText &Text,
          const CompileOptions &O, std::shared_ptr<const Plan> P,
          std::shared_ptr<const PrefixUse> Prefix);

  /// Waits for the end, unless Options::Interrupted asks to leave, or the time
  /// is over: the compile is cancelled then. Whether it has ended.
  bool wait();
  /// Of who left.
  Error whyLeft() const;
  bool ended(std::chrono::milliseconds Limit) { return Run->ended(Limit); }
  /// All three wait for the end.
  bool crashed() { return !Run->problem().empty(); }
  Expected<EngineResult> takeResult();
  std::unique_ptr<Worker> takeWorker();

private:
  void work();
  std::string where() const;

  std::unique_ptr<Worker> W;
  SourceText Text;
  CompileOptions Options;
  std::shared_ptr<const Plan> P;
  std::shared_ptr<const PrefixUse> Prefix;
  Budget Limits;
  std::optional<AllocationWatch> Watch;
  bool Overran = false; ///< The time; known to who waits.
  std::optional<Expected<EngineResult>> Result;
  std::unique_ptr<GuardedRun> Run; ///< The last: it uses all others.
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_JOBS_ATTEMPT_H
