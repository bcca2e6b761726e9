//===- Attempt.h - A compile that can be abandoned --------------*- C++ -*-===//
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

/// One compile in a worker. It owns all that it reads, since its caller may go
/// away before it ends.
class Attempt {
public:
  Attempt(std::unique_ptr<Worker> W, const SourceText &Text,
          const CompileOptions &O, std::shared_ptr<const Plan> P,
          std::shared_ptr<const PrefixUse> Prefix);

  ~Attempt();
  Attempt(const Attempt &) = delete;
  Attempt &operator=(const Attempt &) = delete;

  /// Waits for the end and returns true. If Options::Interrupted asks to leave
  /// or the time is over, cancels the compile and returns false.
  bool wait();
  /// Why wait() returned false.
  Error whyAbandoned() const;
  bool ended(std::chrono::milliseconds Limit) { return Run->ended(Limit); }
  /// All three wait for the end.
  bool crashed() { return Run->crashed(); }
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
  bool Overran = false; ///< Past the time limit; set by wait().
  std::optional<Expected<EngineResult>> Result;
  std::unique_ptr<GuardedRun> Run; ///< Last, since it uses all others.
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_JOBS_ATTEMPT_H
