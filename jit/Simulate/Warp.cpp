// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles, votes and other meetings of a warp.

#include "Block.h"

#include <algorithm>

using namespace clinch;
using namespace clinch::simulate;

static bool isShuffle(Meeting Kind) {
  return Kind >= Meeting::ShuffleUp && Kind <= Meeting::ShuffleIndex;
}

// As PTX defines shfl.sync.
std::pair<uint32_t, bool> simulate::shuffleSource(Meeting Kind, uint32_t Lane,
                                                  uint32_t Other,
                                                  uint32_t Clamp) {
  const uint32_t Segment = Clamp >> 8 & 31, Limit = Clamp & 31, By = Other & 31;
  const uint32_t Least = Lane & Segment, Most = Least | (Limit & ~Segment);
  uint32_t Source = Lane;
  bool InRange = false;
  switch (Kind) {
  case Meeting::ShuffleUp:
    Source = Lane - By;
    InRange = static_cast<int32_t>(Source) >= static_cast<int32_t>(Most);
    break;
  case Meeting::ShuffleDown:
    Source = Lane + By;
    InRange = Source <= Most;
    break;
  case Meeting::ShuffleXor:
    Source = Lane ^ By;
    InRange = Source <= Most;
    break;
  default:
    Source = Least | (By & ~Segment);
    InRange = Source <= Most;
  }
  return {InRange ? Source : Lane, InRange};
}

/// Joins the operands of the lanes.
static uint32_t reduce(Meeting Kind, uint32_t Arrived, const Thread *Warp) {
  auto Join = [Kind](uint32_t A, uint32_t B) -> uint32_t {
    const auto SA = static_cast<int32_t>(A), SB = static_cast<int32_t>(B);
    switch (Kind) {
    case Meeting::Add:
      return A + B;
    case Meeting::Min:
      return std::min(A, B);
    case Meeting::Max:
      return std::max(A, B);
    case Meeting::SignedMin:
      return static_cast<uint32_t>(std::min(SA, SB));
    case Meeting::SignedMax:
      return static_cast<uint32_t>(std::max(SA, SB));
    case Meeting::And:
      return A & B;
    case Meeting::Or:
      return A | B;
    default:
      return A ^ B;
    }
  };
  auto Value = static_cast<uint32_t>(Warp[__builtin_ctz(Arrived)].Operand);
  for (uint32_t Left = Arrived & (Arrived - 1); Left; Left &= Left - 1)
    Value =
        Join(Value, static_cast<uint32_t>(Warp[__builtin_ctz(Left)].Operand));
  return Value;
}

/// Returns the lanes for which \p Is holds.
template <typename Fn>
static uint32_t lanesWhere(uint32_t Arrived, const Thread *Warp, Fn Is) {
  uint32_t Lanes = 0;
  for (uint32_t Left = Arrived; Left; Left &= Left - 1)
    if (Is(Warp[__builtin_ctz(Left)].Operand))
      Lanes |= Left & -Left;
  return Lanes;
}

uint64_t simulate::meetingResult(Meeting Kind, uint32_t Lane, uint32_t Arrived,
                                 uint32_t Clamp, const Thread *Warp) {
  const uint64_t Mine = Warp[Lane].Operand;
  auto IsTrue = [](uint64_t V) { return V != 0; };
  auto IsMine = [Mine](uint64_t V) { return V == Mine; };
  switch (Kind) {
  case Meeting::Sync:
    return 0;
  case Meeting::ShuffleUp:
  case Meeting::ShuffleDown:
  case Meeting::ShuffleXor:
  case Meeting::ShuffleIndex: {
    auto [From, InRange] = shuffleSource(Kind, Lane, Warp[Lane].Other, Clamp);
    const uint64_t Value = Arrived >> From & 1 ? Warp[From].Operand : Mine;
    return (Value & 0xffffffffU) | uint64_t(InRange) << 32;
  }
  case Meeting::VoteAll:
    return lanesWhere(Arrived, Warp, IsTrue) == Arrived;
  case Meeting::VoteAny:
    return lanesWhere(Arrived, Warp, IsTrue) != 0;
  case Meeting::VoteEqual:
  case Meeting::MatchAll: {
    const bool Same = lanesWhere(Arrived, Warp, IsMine) == Arrived;
    if (Kind == Meeting::VoteEqual)
      return Same;
    return Same ? Arrived | uint64_t(1) << 32 : 0;
  }
  case Meeting::Ballot:
    return lanesWhere(Arrived, Warp, IsTrue);
  case Meeting::MatchAny:
    return lanesWhere(Arrived, Warp, IsMine);
  default:
    return reduce(Kind, Arrived, Warp);
  }
}

void Block::checkShuffle(const Thread &T, uint32_t Lane) {
  G.Notes.add("shuffle", T.At, T.At,
              nameOf(T) + " gets a value from lane " + std::to_string(Lane) +
                  " of its warp, which gives none here");
}

bool Block::releaseWarp(uint32_t Warp, Gathering &Here) {
  if (!Here.Arrived || (Here.Mask & LiveLanes[Warp] & ~Here.Arrived))
    return false;
  Thread *First = &Threads[size_t(Warp) * WarpSize];
  const uint32_t Arrived = Here.Arrived;
  Here.Arrived = 0;
  for (uint32_t Left = Arrived; Left; Left &= Left - 1) {
    const uint32_t L = __builtin_ctz(Left);
    First[L].Result = meetingResult(Here.Kind, L, Arrived, Here.Clamp, First);
    if (Checks && isShuffle(Here.Kind))
      if (auto [From, InRange] =
              shuffleSource(Here.Kind, L, First[L].Other, Here.Clamp);
          !(Arrived >> From & 1))
        checkShuffle(First[L], From);
  }
  if (Checks)
    Clocks.meetWarp(Warp, Arrived);
  std::array<uint32_t, WarpSize> Order;
  size_t Count = 0;
  for (uint32_t Left = Arrived; Left; Left &= Left - 1)
    Order[Count++] = __builtin_ctz(Left);
  if (G.Notes.O.Schedule)
    std::shuffle(Order.begin(), Order.begin() + Count, Random);
  for (size_t I = 0; I < Count; ++I)
    makeReady(First[Order[I]]);
  IdleRounds = 0;
  return true;
}

uint64_t Block::meetWarp(Thread &T, Meeting Kind, uint32_t Mask, uint64_t Value,
                         uint32_t Other, uint32_t Clamp, uint32_t Site) {
  if (Checks && !(Mask >> T.Lane & 1)) {
    G.Notes.add("mask", Site, Site,
                nameOf(T) + " is lane " + std::to_string(T.Lane) +
                    " of its warp, which the mask it gives does not name");
    abandon(T);
  }
  Mask |= 1U << T.Lane;
  std::vector<Gathering> &All = Warps[T.Warp];
  auto Here = std::find_if(All.begin(), All.end(), [&](const Gathering &G) {
    return G.Kind == Kind && G.Mask == Mask && G.Clamp == Clamp;
  });
  if (Here == All.end())
    Here = All.insert(Here, {Kind, Mask, Clamp, 0});
  Here->Arrived |= 1U << T.Lane;
  T.Now = Thread::AtWarp;
  T.At = Site;
  T.Mask = Mask;
  T.Operand = Value;
  T.Other = Other;
  releaseWarp(T.Warp, *Here);
  leave(&T.Stack);
  return T.Result;
}
