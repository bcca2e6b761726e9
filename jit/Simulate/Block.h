// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of a block, as fibers.

#pragma once

#include "Fiber.h"
#include "Findings.h"
#include "Shadow.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <random>

namespace clinch::simulate {

class Block;

/// A thread of the device. Compiled code has its address.
struct Thread : ThreadView {
  enum State { Runs, AtBarrier, AtWarp, Spins, Ended };

  simulate::Block *Of;
  void *Stack;
  char *StackLow;
  uint32_t Number; ///< In the block.
  State Now;
  uint32_t At;              ///< The site where it waits.
  uint32_t Mask;            ///< With whom.
  uint64_t Operand, Result; ///< Of a meeting: its value, and what it gets.
  uint32_t Other;           ///< Of a shuffle: the distance or lane.
  uint32_t Idle; ///< Attempts that changed nothing, since it last waited.
};

/// What all blocks of a launch share.
struct Grid {
  Findings &Notes;
  const std::vector<void *> &Arguments;
  const uint64_t Blocks;
  std::atomic<uint64_t> Next{0};
  std::atomic<unsigned> Running{0}, Spinning{0}; ///< Workers.
  std::mutex Mutex;
  std::condition_variable Ended; ///< A worker.
};

/// How often LaunchOptions::Interrupted is called.
constexpr std::chrono::milliseconds AskAfter{50};

/// Runs one block after another. Belongs to one thread of the process.
class Block {
public:
  /// \p Asks: calls LaunchOptions::Interrupted.
  Block(Grid &G, bool Asks);
  Status prepare(); ///< Memory.
  void run(uint64_t Index);

  /// \name What the threads ask for.
  /// @{
  /// Waits for \p Count threads, or for all that have not ended if it is 0.
  uint32_t meet(Thread &T, uint32_t Id, uint32_t Count, Barrier Kind,
                bool Value, uint32_t Site);
  uint64_t meetWarp(Thread &T, Meeting Kind, uint32_t Mask, uint64_t Value,
                    uint32_t Other, uint32_t Clamp, uint32_t Site);
  /// After an atomic access or a volatile read that did not change anything.
  void idle(Thread &T, uint32_t Site);
  void fence(Thread &T);
  void access(Thread &T, char *At, size_t Size, Access Kind, uint32_t Align,
              uint32_t Site);
  /// Before an indirect call.
  void call(Thread &T, const void *Callee, uint32_t Site);
  /// Called again and again by whatever may never end. Ends the launch if it
  /// was stopped.
  void poll(Thread &T) {
    if (G.Notes.stopped())
      abandon(T);
    if (Asks && ++Polls % 4096 == 0 && Clock::now() > NextAsk)
      ask(T);
  }
  /// Ends the launch, because of something found.
  [[noreturn]] void abandon(Thread &T);
  [[noreturn]] void end(Thread &T);
  /// @}

  std::string nameOf(const Thread &T) const {
    return G.Notes.nameOf(Index, T.Number);
  }

  Grid &G;
  Thread *Current = nullptr;

private:
  struct Waiting {
    std::vector<Thread *> Threads;
    uint32_t Count = 0; ///< 0: all.
  };
  struct Gathering {
    Meeting Kind;
    uint32_t Mask, Clamp, Arrived;
  };

  void begin(Thread &T);
  static void enter(void *T);
  void makeReady(Thread &T);
  void leave(void **Save);
  void ask(Thread &T);
  void askOnMainStack();
  void stuck();
  std::string places(Thread::State Now) const;
  bool releaseBarrier(Waiting &W);
  void checkConvergence(const Waiting &W);
  bool releaseWarp(uint32_t Warp, Gathering &G);
  void checkShuffle(const Thread &T, uint32_t Lane);
  Shadow *find(const char *At);
  void reportBounds(Thread &T, const char *At, size_t Size, Access Kind,
                    uint32_t Site);
  void reportCollision(Thread &T, const Shadow &S, size_t Size, Access Kind,
                       uint32_t Site, const Collision &C);
  std::string whatDoes(const Thread &T, const Shadow &S, const char *At,
                       size_t Size, Access Kind) const;
  void makeShadows();

  using Clock = std::chrono::steady_clock;

  const bool Checks, Asks;
  bool AsksNow = false; ///< The thread left its stack to ask.
  uint32_t Polls = 0;
  Clock::time_point NextAsk = Clock::now() + AskAfter;
  uint64_t Index = 0;
  uint32_t NumThreads, Live = 0;
  uint64_t IdleRounds = 0;
  std::minstd_rand Random;
  Stacks Memory;
  void *Main = nullptr; ///< Where run() waits, and its stack.
  StackBounds MainStack;
  std::unique_ptr<Thread[]> Threads;
  std::unique_ptr<char[]> Shared;
  std::vector<uint32_t> Ready; ///< A ring.
  size_t Head = 0, NumReady = 0;
  std::array<Waiting, 16> Barriers;
  std::vector<std::vector<Gathering>> Warps;
  std::vector<uint32_t> LiveLanes;
  BlockClocks Clocks;
  std::vector<Shadow> Regions;
  Shadow *Last = nullptr; ///< The region found last.
};

/// Returns what \p Lane of a warp gets, given which lanes have arrived and the
/// threads of the warp.
uint64_t meetingResult(Meeting Kind, uint32_t Lane, uint32_t Arrived,
                       uint32_t Clamp, const Thread *Warp);
/// Returns the lane that \p Lane of a shuffle reads, and whether it is in
/// range.
std::pair<uint32_t, bool> shuffleSource(Meeting Kind, uint32_t Lane,
                                        uint32_t Other, uint32_t Clamp);

} // namespace clinch::simulate
