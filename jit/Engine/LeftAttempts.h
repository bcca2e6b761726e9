//===- LeftAttempts.h - Compiles that nobody waits for -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_LEFTATTEMPTS_H
#define CLINCH_JIT_ENGINE_LEFTATTEMPTS_H

#include "Attempt.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

namespace clinch::engine {

/// The compiles whose callers were interrupted, until they have ended too. They
/// are cancelled, so that is soon: after the pass or the token they are at.
/// Those that go on for a second more are stopped.
class LeftAttempts {
public:
  using List = std::vector<std::unique_ptr<Attempt>>;

  static LeftAttempts &process();

  void add(const void *Engine, std::unique_ptr<Attempt> A);
  /// Those of one engine that have ended meanwhile.
  List takeEnded(const void *Engine);
  /// Waits for all of one engine, which then may go.
  void takeAll(const void *Engine);

private:
  LeftAttempts() = default;
  struct Entry {
    const void *Engine;
    std::unique_ptr<Attempt> A;
    std::chrono::steady_clock::time_point Since;
  };
  List take(const void *Engine, bool All);
  static LeftAttempts *make();
  static void beginAnew();
  static void atExit();

  std::mutex Lock;
  std::vector<Entry> Left;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_LEFTATTEMPTS_H
