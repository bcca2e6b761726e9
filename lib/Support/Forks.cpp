//===- Forks.cpp - Locks that no fork finds taken ------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clinch/Support/Forks.h"

#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <mutex>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

using namespace clinch;

namespace {

// A condition variable knows who waits for it, which is wrong in a child; a
// futex is only a number.
void waitWhile(std::atomic<uint32_t> &Word, uint32_t Is,
               const timespec *Limit = nullptr) {
  syscall(SYS_futex, &Word, FUTEX_WAIT_PRIVATE, Is, Limit, nullptr, 0);
}

void wakeAll(std::atomic<uint32_t> &Word) {
  syscall(SYS_futex, &Word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

class Gate final : public ForkGate {
public:
  constexpr Gate() = default;

  void enter() override;
  void leave() override;
  void leaveAll() override;
  unsigned depth() const override { return Depth; }
  unsigned generation() const override {
    return Generation.load(std::memory_order_relaxed);
  }
  unsigned forks() const override {
    return Forks.load(std::memory_order_relaxed);
  }
  void onFork(void (*BeginAnew)()) override;

  void beforeFork();
  void afterForkInParent();
  void afterForkInChild();

private:
  void leaveOnce();

  /// Of State: the rest counts the threads that are inside.
  static constexpr uint32_t OneFork = uint32_t(1) << 20;
  static thread_local unsigned Depth;

  std::atomic<uint32_t> State{0};
  std::atomic<unsigned> Generation{0}, Forks{0};
  std::mutex HandlerLock; ///< Taken inside.
  std::vector<void (*)()> Handlers;
};

thread_local unsigned Gate::Depth = 0;

constinit Gate Own;
constinit std::atomic<ForkGate *> Used{&Own};

/// Before any function of this library is called, so that the handlers of
/// whoever registers later, and may use us, run with the gate still open.
const int Registered =
    pthread_atfork([] { Own.beforeFork(); }, [] { Own.afterForkInParent(); },
                   [] { Own.afterForkInChild(); });

} // namespace

void Gate::enter() {
  if (Depth++)
    return;
  for (uint32_t S = State.load(std::memory_order_relaxed);;) {
    if (S >= OneFork) {
      waitWhile(State, S);
      S = State.load(std::memory_order_relaxed);
    } else if (State.compare_exchange_weak(S, S + 1,
                                           std::memory_order_acquire)) {
      return;
    }
  }
}

void Gate::leave() {
  if (--Depth == 0)
    leaveOnce();
}

void Gate::leaveAll() {
  if (!Depth)
    return;
  Depth = 0;
  leaveOnce();
}

void Gate::leaveOnce() {
  if (State.fetch_sub(1, std::memory_order_release) > OneFork)
    wakeAll(State);
}

void Gate::onFork(void (*BeginAnew)()) {
  enter();
  {
    std::lock_guard<std::mutex> Guard(HandlerLock);
    Handlers.push_back(BeginAnew);
  }
  leave();
}

/// A thread that forks while it is inside does not wait for itself, and is
/// inside in the child too.
void Gate::beforeFork() {
  uint32_t Mine = Depth ? 1 : 0;
  uint32_t S = State.fetch_add(OneFork, std::memory_order_acquire) + OneFork;
  while (S % OneFork > Mine) {
    waitWhile(State, S);
    S = State.load(std::memory_order_acquire);
  }
  Forks.fetch_add(1, std::memory_order_relaxed);
}

void Gate::afterForkInParent() {
  State.fetch_sub(OneFork, std::memory_order_release);
  wakeAll(State);
}

void Gate::afterForkInChild() {
  State.store(Depth ? 1 : 0, std::memory_order_relaxed);
  Generation.fetch_add(1, std::memory_order_relaxed);
  for (void (*BeginAnew)() : Handlers)
    BeginAnew();
}

ForkGate &clinch::forkGate() { return *Used.load(std::memory_order_relaxed); }

void clinch::useForkGate(ForkGate &Gate) {
  Used.store(&Gate, std::memory_order_relaxed);
}

void Event::happen() {
  Happened.store(1, std::memory_order_release);
  wakeAll(Happened);
}

bool Event::wait(std::chrono::milliseconds Limit) const {
  using Clock = std::chrono::steady_clock;
  for (auto End = Clock::now() + Limit;;) {
    if (Happened.load(std::memory_order_acquire))
      return true;
    auto Left = std::chrono::duration_cast<std::chrono::nanoseconds>(
        End - Clock::now());
    if (Left.count() <= 0)
      return false;
    timespec T{time_t(Left.count() / 1'000'000'000),
               long(Left.count() % 1'000'000'000)};
    waitWhile(Happened, 0, &T);
  }
}
