//===- ForksTest.cpp - Locks that no fork finds taken --------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clinch/Support/Forks.h"

#include <atomic>
#include <csetjmp>
#include <gtest/gtest.h>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace clinch;

namespace {

/// What \p InChild returns in a child of a fork; -1 when it hangs.
template <typename Work> int inChild(Work InChild) {
  pid_t Child = fork();
  if (Child == 0) {
    alarm(60);
    _exit(InChild());
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
}

TEST(Forks, FindNoLockTaken) {
  std::mutex First, Second;
  int Guarded = 0; // Odd while it is being changed.
  std::atomic<bool> Stop{false};
  std::vector<std::thread> Threads;
  for (int T = 0; T != 3; ++T)
    Threads.emplace_back([&] {
      while (!Stop) {
        std::lock_guard<std::mutex> A(First);
        std::lock_guard<std::mutex> B(Second);
        ++Guarded;
        std::this_thread::yield();
        ++Guarded;
      }
    });
  for (int I = 0; I != 200; ++I)
    EXPECT_EQ(inChild([&] {
                std::lock_guard<std::mutex> A(First);
                std::lock_guard<std::mutex> B(Second);
                return Guarded % 2;
              }),
              0);
  Stop = true;
  for (std::thread &T : Threads)
    T.join();
}

TEST(Forks, ManyMayForkAtOnce) {
  std::mutex Lock;
  std::atomic<int> Good{0};
  std::vector<std::thread> Threads;
  for (int T = 0; T != 4; ++T)
    Threads.emplace_back([&] {
      for (int I = 0; I != 25; ++I) {
        {
          std::lock_guard<std::mutex> Guard(Lock);
        }
        Good += inChild([&] {
                  std::lock_guard<std::mutex> Guard(Lock);
                  return 7;
                }) == 7;
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Good, 100);
}

TEST(Forks, WhoForksInsideIsInsideInTheChild) {
  std::mutex Lock;
  Lock.lock();
  EXPECT_EQ(inChild([&] {
              unsigned Within = forkGate().depth();
              Lock.unlock();
              Lock.lock();
              return int(Within);
            }),
            1);
  EXPECT_EQ(forkGate().depth(), 1u);
  Lock.unlock();
  EXPECT_EQ(forkGate().depth(), 0u);
  EXPECT_EQ(inChild([&] { return 3; }), 3);
}

int BegunAnew = 0;

TEST(Forks, AreCountedAndTold) {
  unsigned Generation = forkGate().generation(), Count = forkGate().forks();
  forkGate().onFork([] { ++BegunAnew; });
  EXPECT_EQ(inChild([&] {
              return BegunAnew * 100 +
                     int(forkGate().generation() - Generation) * 10 +
                     int(forkGate().forks() - Count);
            }),
            111);
  EXPECT_EQ(BegunAnew, 0);
  EXPECT_EQ(forkGate().generation(), Generation);
  EXPECT_EQ(forkGate().forks(), Count + 1);
}

TEST(Forks, FindNoVariableHalfInitialised) {
  std::atomic<bool> Begun{false};
  auto Get = [&]() -> int {
    static const int Value = [&] {
      Begun = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return 5;
    }();
    return Value;
  };
  std::thread Other(Get);
  while (!Begun)
    std::this_thread::yield();
  EXPECT_EQ(inChild(Get), 5);
  Other.join();
}

TEST(Forks, WhoIsTornOutGivesItsLocksBack) {
  std::mutex Lock;
  std::once_flag Flag;
  int Calls = 0;
  std::thread([&] {
    Lock.lock();
    sigjmp_buf Out;
    if (sigsetjmp(Out, 0) == 0)
      std::call_once(Flag, [&] {
        ++Calls;
        siglongjmp(Out, 1);
      });
    releaseLocks();
    EXPECT_EQ(forkGate().depth(), 0u);
  }).join();
  EXPECT_EQ(inChild([&] {
              std::lock_guard<std::mutex> Guard(Lock);
              return 6;
            }),
            6);
  std::call_once(Flag, [&] { ++Calls; });
  std::call_once(Flag, [&] { ++Calls; });
  EXPECT_EQ(Calls, 2);
}

TEST(Forks, WhoIsTornOutLeaves) {
  std::thread([] {
    forkGate().enter();
    forkGate().enter();
    forkGate().leaveAll();
    EXPECT_EQ(forkGate().depth(), 0u);
    forkGate().leaveAll();
  }).join();
  EXPECT_EQ(inChild([] { return 4; }), 4);
}

TEST(Event, IsWaitedFor) {
  Event E;
  EXPECT_FALSE(E.wait(std::chrono::milliseconds(1)));
  std::thread Other([&] { E.happen(); });
  EXPECT_TRUE(E.wait(std::chrono::minutes(1)));
  Other.join();
  EXPECT_TRUE(E.wait(std::chrono::milliseconds(0)));
}

} // namespace
