// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What comes before what.

#include "Clocks.h"

#include <algorithm>

using namespace clinch::simulate;

static void joinInto(std::vector<uint32_t> &Into,
                     const std::vector<uint32_t> &From) {
  if (Into.size() < From.size())
    Into.resize(From.size());
  for (size_t I = 0; I < From.size(); ++I)
    Into[I] = std::max(Into[I], From[I]);
}

void Seen::join(const std::vector<uint32_t> &Told) { joinInto(Others, Told); }

void BlockClocks::start(uint32_t NewIndex, uint32_t NumThreads) {
  Index = NewIndex;
  Clocks.assign(NumThreads, Clock());
  for (Clock &C : Clocks)
    C.Fenced.Own = 0;
  Blocks.clear();
}

void BlockClocks::meetAll() {
  uint32_t Next = 0;
  for (const Clock &C : Clocks)
    Next = std::max(Next, C.Own);
  ++Next;
  for (Clock &C : Clocks) {
    C.Own = C.Base = Next;
    C.Others.clear();
  }
}

std::vector<uint32_t> BlockClocks::known(uint32_t Me, const Seen &S) const {
  std::vector<uint32_t> All(Clocks.size(), S.Base - 1);
  const uint32_t First = Me / WarpSize * WarpSize;
  for (uint32_t L = 0; L < WarpSize && First + L < All.size(); ++L)
    All[First + L] = std::max(All[First + L], S.Lanes[L]);
  joinInto(All, S.Others);
  All[Me] = S.Own;
  return All;
}

void BlockClocks::meetSome(const std::vector<uint32_t> &Them) {
  std::vector<uint32_t> All;
  for (uint32_t T : Them)
    joinInto(All, known(T, Clocks[T]));
  for (uint32_t T : Them) {
    Clocks[T].join(All);
    ++Clocks[T].Own;
  }
}

void BlockClocks::meetWarp(uint32_t Warp, uint32_t Lanes) {
  std::array<uint32_t, WarpSize> All{};
  std::vector<uint32_t> Others;
  const uint32_t First = Warp * WarpSize;
  for (uint32_t Left = Lanes; Left; Left &= Left - 1) {
    const uint32_t L = __builtin_ctz(Left);
    const Clock &C = Clocks[First + L];
    for (uint32_t I = 0; I < WarpSize; ++I)
      All[I] = std::max(All[I], C.Lanes[I]);
    All[L] = std::max(All[L], C.Own);
    joinInto(Others, C.Others);
  }
  for (uint32_t Left = Lanes; Left; Left &= Left - 1) {
    Clock &C = Clocks[First + __builtin_ctz(Left)];
    C.Lanes = All;
    C.Others = Others;
    ++C.Own;
  }
}

void BlockClocks::fence(uint32_t Me) {
  Clock &C = Clocks[Me];
  C.Fenced = C;
  ++C.Own;
}

void BlockClocks::send(uint32_t Me, Mail &M) {
  if (M.From != Index && !M.Threads.empty()) {
    std::vector<uint32_t> Old(M.From + 1);
    Old[M.From] = *std::max_element(M.Threads.begin(), M.Threads.end());
    joinInto(M.Blocks, Old);
    M.Threads.clear();
  }
  M.From = Index;
  joinInto(M.Threads, known(Me, Clocks[Me].Fenced));
  joinInto(M.Blocks, Blocks);
}

void BlockClocks::receive(uint32_t Me, const Mail &M) {
  joinInto(Blocks, M.Blocks);
  if (M.Threads.empty())
    return;
  if (M.From == Index) {
    Clocks[Me].join(M.Threads);
    return;
  }
  if (Blocks.size() <= M.From)
    Blocks.resize(M.From + 1);
  Blocks[M.From] = std::max(
      Blocks[M.From], *std::max_element(M.Threads.begin(), M.Threads.end()));
}

void BlockClocks::atomic(uint32_t Me, const void *Address, bool Reads,
                         bool Writes) {
  auto Found = Told.find(Address);
  if (Reads && Found != Told.end())
    receive(Me, Found->second);
  if (Writes && Clocks[Me].Fenced.Own)
    send(Me, Found != Told.end() ? Found->second : Told[Address]);
}
