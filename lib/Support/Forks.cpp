// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The locks of the process, and its forks.

#include "lib/Support/Forks.h"

#include <array>
#include <pthread.h>

using namespace clinch;

namespace {
constinit std::array<std::mutex, ProcessLocks> Locks;
constinit std::array<std::atomic<const ForkSteps *>, ProcessLocks> AllSteps;

void run(void (*ForkSteps::*Step)()) {
  for (const std::atomic<const ForkSteps *> &Steps : AllSteps)
    if (const ForkSteps *Known = Steps.load(std::memory_order_acquire))
      if (Known->*Step)
        (Known->*Step)();
}

void unlockAll() {
  for (unsigned I = ProcessLocks; I--;)
    Locks[I].unlock();
}

void beforeFork() {
  for (std::mutex &L : Locks)
    L.lock();
  run(&ForkSteps::Before);
}

void afterForkInParent() {
  run(&ForkSteps::InParent);
  unlockAll();
}

void afterForkInChild() {
  run(&ForkSteps::InChild);
  unlockAll();
}
} // namespace

std::mutex &clinch::lockOf(ProcessLock L) { return Locks[unsigned(L)]; }

void clinch::onFork(ProcessLock L, const ForkSteps &Steps) {
  AllSteps[unsigned(L)].store(&Steps, std::memory_order_release);
}

void clinch::followForks() noexcept {
  pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
}
