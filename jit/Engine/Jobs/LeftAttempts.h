//===- LeftAttempts.h - Compiles that nobody waits for -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_JOBS_LEFTATTEMPTS_H
#define CLINCH_JIT_ENGINE_JOBS_LEFTATTEMPTS_H

#include "../AtFork.h"
#include "Attempt.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace clinch::engine {

/// The compiles whose callers were interrupted, until they have ended too. They
/// are cancelled, so that is soon: after the pass or the token they are at.
class LeftAttempts {
public:
  using List = std::vector<std::unique_ptr<Attempt>>;

  static LeftAttempts &process();

  void add(const void *Engine, std::unique_ptr<Attempt> A);
  /// Those of one engine that have ended meanwhile.
  List takeEnded(const void *Engine);
  /// Waits for all of one engine, which then may go; but not for long. What
  /// goes on uses nothing of the engine's, and is never given back.
  void takeAll(const void *Engine);

  static void atFork(ForkStep Step);

private:
  LeftAttempts() = default;
  List take(const void *Engine, bool All);
  static void atExit();

  std::mutex Lock;
  std::vector<std::pair<const void *, std::unique_ptr<Attempt>>> Left;
  List Crashed; ///< May hold anything: never deleted.
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_JOBS_LEFTATTEMPTS_H
