// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of a block, as fibers.

#include "Block.h"

#include <algorithm>
#include <cstring>
#include <sched.h>

using namespace clinch;
using namespace clinch::simulate;

/// What no kernel has written looks like.
constexpr int Unwritten = 0xCB;
/// A thread that only looks gives way after so many looks, and a block in which
/// every thread has done so, so often that nobody will ever change it, ends.
constexpr uint32_t LooksAtOnce = 16;
constexpr uint64_t MostIdleRounds = 100000;
constexpr size_t DynamicAlignment = 128;

static size_t alignUp(size_t Bytes) {
  return (Bytes + DynamicAlignment - 1) / DynamicAlignment * DynamicAlignment;
}

Block::Block(Grid &G, bool Asks)
    : G(G), Checks(G.Notes.P.IsChecked != 0),
      Asks(Asks && G.Notes.O.Interrupted),
      NumThreads(G.Notes.O.Block[0] * G.Notes.O.Block[1] * G.Notes.O.Block[2]),
      Random(static_cast<uint32_t>(G.Notes.O.Schedule)),
      Threads(new Thread[NumThreads]()), Ready(NumThreads) {
  const size_t Static = alignUp(G.Notes.P.SharedBytes);
  Shared.reset(
      new char[Static + alignUp(G.Notes.O.SharedBytes) + DynamicAlignment]);
  auto *Base = reinterpret_cast<char *>(
      alignUp(reinterpret_cast<uintptr_t>(Shared.get())));
  for (uint32_t I = 0; I < NumThreads; ++I) {
    Thread &T = Threads[I];
    const uint32_t *Extent = G.Notes.O.Block;
    T.Tid[0] = I % Extent[0];
    T.Tid[1] = I / Extent[0] % Extent[1];
    T.Tid[2] = I / Extent[0] / Extent[1];
    std::copy_n(Extent, 3, T.Threads);
    std::copy_n(G.Notes.O.Grid, 3, T.Blocks);
    T.Lane = I % WarpSize;
    T.Warp = I / WarpSize;
    T.Shared = Base;
    T.Dynamic = Base + Static;
    T.DynamicBytes = static_cast<uint32_t>(G.Notes.O.SharedBytes);
    T.Of = this;
    T.Number = I;
  }
  Warps.resize((NumThreads + WarpSize - 1) / WarpSize);
  LiveLanes.resize(Warps.size());
  if (Checks)
    makeShadows();
}

Status Block::prepare() {
  if (!Memory.map(NumThreads, G.Notes.P.LocalBytes))
    return Error(Error::Kind::Limit, "There is no memory for the stacks of " +
                                         std::to_string(NumThreads) +
                                         " threads.");
  return Status::success();
}

void Block::run(uint64_t NewIndex) {
  Index = NewIndex;
  Live = NumThreads;
  IdleRounds = 0;
  Head = NumReady = 0;
  std::fill(LiveLanes.begin(), LiveLanes.end(), 0);
  std::memset(Threads[0].Shared, Unwritten,
              Threads[0].Dynamic - Threads[0].Shared + G.Notes.O.SharedBytes);
  Clocks.start(static_cast<uint32_t>(Index), Checks ? NumThreads : 0);
  for (Shadow &S : Regions)
    if (S.Of == Shadow::Shared)
      S.clear();
  std::vector<uint32_t> Order(NumThreads);
  for (uint32_t I = 0; I < NumThreads; ++I)
    Order[I] = I;
  if (G.Notes.O.Schedule)
    std::shuffle(Order.begin(), Order.end(), Random);
  for (const uint32_t I : Order)
    begin(Threads[I]);
  if (Asks && Clock::now() > NextAsk)
    askOnMainStack();
  leave(&Main);
  while (AsksNow) {
    AsksNow = false;
    askOnMainStack();
    if (!G.Notes.stopped())
      switchStacks(&Main, Current->Stack, Memory.bounds(Current->Number),
                   /*IsLast=*/false);
  }
}

/// Calls what may run the host's interpreter, which must know the stack.
void Block::askOnMainStack() {
  if (G.Notes.O.Interrupted())
    G.Notes.interrupt();
  NextAsk = Clock::now() + AskAfter;
}

void Block::ask(Thread &T) {
  AsksNow = true;
  switchStacks(&T.Stack, Main, MainStack, /*IsLast=*/false);
}

void Block::begin(Thread &T) {
  const uint32_t *Extent = G.Notes.O.Grid;
  T.Block[0] = static_cast<uint32_t>(Index % Extent[0]);
  T.Block[1] = static_cast<uint32_t>(Index / Extent[0] % Extent[1]);
  T.Block[2] = static_cast<uint32_t>(Index / Extent[0] / Extent[1]);
  T.Stack = Memory.start(T.Number, enter, &T);
  T.StackLow = Memory.low(T.Number);
  T.Idle = 0;
  LiveLanes[T.Warp] |= 1U << T.Lane;
  makeReady(T);
}

void Block::enter(void *Argument) {
  const StackBounds Before = beginStack();
  Thread &T = *static_cast<Thread *>(Argument);
  if (!T.Of->MainStack.Low) // The first of all comes from run().
    T.Of->MainStack = Before;
  Grid &G = T.Of->G;
  G.Notes.K.Call(const_cast<void **>(G.Arguments.data()));
  T.Of->end(T);
}

void Block::makeReady(Thread &T) {
  T.Now = Thread::Runs;
  Ready[(Head + NumReady++) % NumThreads] = T.Number;
}

/// Goes on with the next thread that can run, or with run() if there is none.
void Block::leave(void **Save) {
  const bool IsLast =
      Save != &Main && (G.Notes.stopped() || Current->Now == Thread::Ended);
  if (!NumReady || G.Notes.stopped()) {
    if (Live && !G.Notes.stopped())
      stuck();
    switchStacks(Save, Main, MainStack, IsLast);
    return;
  }
  Thread &Next = Threads[Ready[Head]];
  Head = Head + 1 == NumThreads ? 0 : Head + 1;
  --NumReady;
  Current = &Next;
  if (Save != &Next.Stack)
    switchStacks(Save, Next.Stack, Memory.bounds(Next.Number), IsLast);
}

void Block::end(Thread &T) {
  --Live;
  T.Now = Thread::Ended;
  IdleRounds = 0;
  LiveLanes[T.Warp] &= ~(1U << T.Lane);
  for (Waiting &W : Barriers)
    releaseBarrier(W);
  for (Gathering &Here : Warps[T.Warp])
    releaseWarp(T.Warp, Here);
  leave(&T.Stack);
  __builtin_unreachable();
}

void Block::abandon(Thread &T) {
  G.Notes.stop();
  leave(&T.Stack);
  __builtin_unreachable();
}

uint32_t Block::meet(Thread &T, uint32_t Id, uint32_t Count, Barrier Kind,
                     bool Value, uint32_t Site) {
  Waiting &W = Barriers[Id % Barriers.size()];
  W.Count = Count;
  W.Threads.push_back(&T);
  T.Now = Thread::AtBarrier;
  T.At = Site;
  T.Operand = Value;
  releaseBarrier(W);
  leave(&T.Stack);
  if (Kind == Barrier::Count)
    return static_cast<uint32_t>(T.Result >> 2);
  return static_cast<uint32_t>(Kind == Barrier::And ? T.Result & 1
                                                    : T.Result >> 1 & 1);
}

/// Lets the threads of a barrier go on if all have come. Each result holds how
/// many gave true, whether any did, and whether all did.
bool Block::releaseBarrier(Waiting &W) {
  if (W.Threads.empty() || W.Threads.size() < (W.Count ? W.Count : Live))
    return false;
  if (Checks) {
    checkConvergence(W);
    if (!W.Count) {
      Clocks.meetAll();
    } else {
      std::vector<uint32_t> Them;
      Them.reserve(W.Threads.size());
      for (const Thread *T : W.Threads)
        Them.push_back(T->Number);
      Clocks.meetSome(Them);
    }
  }
  uint64_t True = 0;
  for (const Thread *T : W.Threads)
    True += T->Operand;
  const uint64_t Result =
      True << 2 | uint64_t(True != 0) << 1 | uint64_t(True == W.Threads.size());
  if (G.Notes.O.Schedule)
    std::shuffle(W.Threads.begin(), W.Threads.end(), Random);
  for (Thread *T : W.Threads) {
    T->Result = Result;
    makeReady(*T);
  }
  W.Threads.clear();
  IdleRounds = 0;
  return true;
}

void Block::checkConvergence(const Waiting &W) {
  const Thread &First = *W.Threads.front();
  for (const Thread *T : W.Threads) {
    if (T->At == First.At)
      continue;
    const Findings &N = G.Notes;
    G.Notes.add(
        "divergence", First.At, T->At,
        "threads of " + N.nameOfBlock(Index) + " wait at different barriers: " +
            N.nameOfThread(First.Number) + " here, " +
            N.nameOfThread(T->Number) + " at " + N.nameOf(T->At, First.At),
        {N.diagnostic(T->At, "the other barrier")});
    G.Notes.stop();
    return;
  }
}

void Block::idle(Thread &T, uint32_t Site) {
  poll(T);
  if (++T.Idle < LooksAtOnce)
    return;
  T.Idle = 0;
  T.At = Site;
  if (++IdleRounds > MostIdleRounds * Live) {
    // Another worker's block may yet change it.
    ++G.Spinning;
    if (G.Spinning >= G.Running) {
      T.Now = Thread::Spins;
      stuck();
      abandon(T);
    }
    sched_yield();
    --G.Spinning;
    IdleRounds = 0;
  }
  makeReady(T);
  leave(&T.Stack);
}

void Block::fence(Thread &T) {
  if (Checks)
    Clocks.fence(T.Number);
}

/// Returns where how many threads wait in this way, such as "16 threads at line
/// 3 (thread (0, 0, 0) first)".
std::string Block::places(Thread::State Now) const {
  std::vector<std::pair<const Thread *, unsigned>> Places;
  for (uint32_t I = 0; I < NumThreads; ++I) {
    const Thread &T = Threads[I];
    if (T.Now != Now)
      continue;
    auto Same = std::find_if(Places.begin(), Places.end(), [&](const auto &P) {
      return P.first->At == T.At;
    });
    if (Same != Places.end())
      ++Same->second;
    else
      Places.push_back({&T, 1});
  }
  static constexpr const char *Ways[] = {"", " at a barrier", " for their warp",
                                         " for a value to change"};
  std::string Text;
  for (const auto &[First, Count] : Places)
    Text += (Text.empty() ? "" : ", ") + std::to_string(Count) +
            (Count == 1 ? " thread" : " threads") + Ways[Now] + " at " +
            G.Notes.nameOf(First->At, First->At) + " (" +
            G.Notes.nameOfThread(First->Number) + ")";
  return Text;
}

/// No thread can run, and some have not ended.
void Block::stuck() {
  std::string Text;
  uint32_t Site = 0, Other = 0;
  for (uint32_t I = 0; I < NumThreads; ++I) {
    const Thread &T = Threads[I];
    if (T.Now == Thread::Runs)
      Threads[I].Now = Thread::Spins;
    if (T.Now != Thread::Ended) {
      Site = Site ? Site : T.At;
      Other = T.At != Site ? T.At : Other;
    }
  }
  for (const Thread::State Now :
       {Thread::AtBarrier, Thread::AtWarp, Thread::Spins})
    if (const std::string There = places(Now); !There.empty())
      Text += (Text.empty() ? "" : "; ") + There;
  std::vector<Diagnostic> Notes;
  if (Other)
    Notes.push_back(G.Notes.diagnostic(Other, "others wait here"));
  G.Notes.add("deadlock", Site, Other,
              "a deadlock in " + G.Notes.nameOfBlock(Index) +
                  ", whose threads wait forever: " + Text,
              std::move(Notes));
  G.Notes.stop();
}
