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
#include <vector>

namespace clinch::engine {

/// Compiles whose callers were interrupted. They go on to their end, which may
/// be that of the process, and use nothing of the engine.
class AbandonedCompiles {
public:
  static AbandonedCompiles &process();

  void add(std::unique_ptr<Attempt> A);
  /// Deletes those that have ended.
  void deleteEnded();
  void atFork(ForkStep Step);

private:
  AbandonedCompiles() = default;

  std::mutex Lock;
  std::vector<std::unique_ptr<Attempt>> Left;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_JOBS_ABANDONEDCOMPILES_H
