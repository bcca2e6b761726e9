//===- AbandonedCompiles.cpp - Abandoned compiles -------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AbandonedCompiles.h"

#include <atomic>
#include <utility>

using namespace clinch::engine;

/// Never destroyed, since some may still run when the process ends.
AbandonedCompiles &AbandonedCompiles::process() {
  static constinit std::atomic<AbandonedCompiles *> Made{nullptr};
  if (AbandonedCompiles *Known = Made)
    return *Known;
  auto Mine = std::unique_ptr<AbandonedCompiles>(new AbandonedCompiles);
  AbandonedCompiles *Expected = nullptr;
  if (Made.compare_exchange_strong(Expected, Mine.get()))
    return *Mine.release();
  return *Expected;
}

/// A child that lacks the thread of one does not enter its engine any more.
void AbandonedCompiles::atFork(ForkStep Step) {
  if (Step == ForkStep::Before)
    Lock.lock();
  else
    Lock.unlock();
}

extern "C" __attribute__((visibility("default"))) bool
clinch_engine_at_fork(clinch::ForkStep Step) {
  AbandonedCompiles::process().atFork(Step);
  return guardAtFork(Step);
}

void AbandonedCompiles::add(std::unique_ptr<Attempt> A) {
  std::lock_guard<std::mutex> Guard(Lock);
  Left.push_back(std::move(A));
}

void AbandonedCompiles::deleteEnded() {
  std::lock_guard<std::mutex> Guard(Lock);
  std::erase_if(Left, [](const auto &A) { return A->ended(); });
}
