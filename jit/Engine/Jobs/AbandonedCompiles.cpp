//===- AbandonedCompiles.cpp - Abandoned compiles -------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AbandonedCompiles.h"

#include "lib/Support/Forget.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <utility>

using namespace clinch::engine;

static constexpr std::chrono::seconds LongestWait(2);

static std::chrono::milliseconds
until(std::chrono::steady_clock::time_point Deadline) {
  return std::max(std::chrono::duration_cast<std::chrono::milliseconds>(
                      Deadline - std::chrono::steady_clock::now()),
                  std::chrono::milliseconds(0));
}

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

/// LLVM's static objects are destroyed after this. A pass that outlasts the
/// wait then crashes, and is guarded like any crash.
void AbandonedCompiles::atExit() {
  const auto Deadline = std::chrono::steady_clock::now() + LongestWait;
  AbandonedCompiles &L = process();
  std::lock_guard<std::mutex> Guard(L.Lock);
  for (auto &Entry : L.Left)
    (void)Entry.second->ended(until(Deadline));
}

/// A child lacks their threads, so it leaks them.
void AbandonedCompiles::atFork(ForkStep Step) {
  AbandonedCompiles &L = process();
  if (Step == ForkStep::Before)
    return L.Lock.lock();
  if (Step == ForkStep::InChild && !L.Left.empty())
    forgetForGood(std::exchange(L.Left, {}));
  L.Lock.unlock();
}

extern "C" __attribute__((visibility("default"))) bool
clinch_engine_at_fork(clinch::ForkStep Step) {
  AbandonedCompiles::atFork(Step);
  return guardAtFork(Step);
}

void AbandonedCompiles::add(const void *Engine, std::unique_ptr<Attempt> A) {
  static int Registered = std::atexit(atExit);
  (void)Registered;
  std::lock_guard<std::mutex> Guard(Lock);
  Left.emplace_back(Engine, std::move(A));
}

AbandonedCompiles::List AbandonedCompiles::take(const void *Engine, bool All) {
  List Taken;
  std::lock_guard<std::mutex> Guard(Lock);
  Taken.reserve(Left.size()); // Nothing below may throw.
  std::erase_if(Left, [&](auto &Entry) {
    bool Ready = Entry.first == Engine &&
                 (All || Entry.second->ended(std::chrono::milliseconds(0)));
    if (Ready)
      Taken.push_back(std::move(Entry.second));
    return Ready;
  });
  return Taken;
}

AbandonedCompiles::List AbandonedCompiles::takeEnded(const void *Engine) {
  return take(Engine, /*All=*/false);
}

/// If memory runs out, their destructors wait instead.
void AbandonedCompiles::takeAll(const void *Engine) try {
  const auto Deadline = std::chrono::steady_clock::now() + LongestWait;
  for (std::unique_ptr<Attempt> &A : take(Engine, /*All=*/true)) {
    if (A->ended(until(Deadline)) && !A->crashed())
      continue;
    std::lock_guard<std::mutex> Guard(Lock);
    Crashed.push_back(std::move(A));
  }
} catch (const std::bad_alloc &) { // NOLINT(bugprone-empty-catch): see above
}
