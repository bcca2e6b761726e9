//===- AbandonedCompiles.h - Abandoned compiles ----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_JOBS_ABANDONEDCOMPILES_H
#define CLINCH_JIT_ENGINE_JOBS_ABANDONEDCOMPILES_H

#include "../AtFork.h"
#include "Attempt.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace clinch::engine {

/// Compiles whose callers were interrupted, until they end. They are cancelled,
/// so they end soon: after the current pass or token.
class AbandonedCompiles {
public:
  using List = std::vector<std::unique_ptr<Attempt>>;

  static AbandonedCompiles &process();

  void add(const void *Engine, std::unique_ptr<Attempt> A);
  /// Takes those of one engine that have ended.
  List takeEnded(const void *Engine);
  /// Waits briefly for all of one engine, which may then be destroyed. What
  /// goes on uses nothing of the engine, and its worker is not reused.
  void takeAll(const void *Engine);

  static void atFork(ForkStep Step);

private:
  AbandonedCompiles() = default;
  List take(const void *Engine, bool All);
  static void atExit();

  std::mutex Lock;
  std::vector<std::pair<const void *, std::unique_ptr<Attempt>>> Left;
  List Crashed; ///< In an unknown state: never deleted.
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_JOBS_ABANDONEDCOMPILES_H
