// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a device as a checker knows it: who wrote, and when.

#include "Shadow.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

using namespace clinch::simulate;

namespace {
/// Bits above the site of one of Cell::Uses.
constexpr uint32_t Updates = 1U << 31, IsAtomic = 1U << 30;
constexpr uint32_t SiteMask = IsAtomic - 1;
/// The clock of a word's write, if its bytes have cells.
constexpr uint32_t IsSplit = ~0U;

bool isRead(Access A) { return A == Access::Read || A == Access::Copy; }
} // namespace

void Shadow::Free::operator()(Cell *Cells) const { std::free(Cells); }

// Of zeros that take no memory before they are used.
Shadow::Cells Shadow::make(size_t Count) {
  auto *Made = static_cast<Cell *>(std::calloc(Count, sizeof(Cell)));
  if (!Made)
    throw std::bad_alloc();
  return Cells(Made);
}

Shadow::Shadow(std::string Name, char *Begin, size_t Bytes, bool Writable,
               Sort S)
    : Name(std::move(Name)), Begin(Begin), Bytes(Bytes), Writable(Writable),
      Of(S), NumWords(wordOf(Begin + Bytes + 3) + 1) {
  if (Of != Constant)
    Words = make(NumWords);
}

void Shadow::clear() { std::fill_n(Words.get(), NumWords, Cell()); }

void Shadow::split(size_t Word) {
  if (!SingleBytes)
    SingleBytes = make(NumWords * 4);
  std::fill_n(&SingleBytes[Word * 4], 4, Words[Word]);
  Words[Word].Write.Clock = IsSplit;
}

namespace {
/// One access of one cell.
struct Update {
  const BlockClocks &Clocks;
  uint32_t Me;
  AccessAt A;
  bool MustBeWritten;
  std::optional<Collision> Found;

  void collide(const Epoch &Other, bool Writes, bool Atomic) {
    if (!Found)
      Found = {Collision::Race,
               {Other.Who, Other.Clock, Other.Site & SiteMask},
               Writes,
               Atomic,
               0};
  }

  bool isUnordered(const Epoch &E) const {
    return E.Clock && E.Who != A.Mine.Who && !Clocks.knows(Me, E);
  }

  bool conflicts(const Epoch &Use) const {
    switch (A.Kind) {
    case Access::Read:
    case Access::Copy:
      return (Use.Site & Updates) != 0;
    case Access::AtomicWrite:
    case Access::AtomicUpdate:
      return (Use.Site & IsAtomic) == 0;
    case Access::AtomicRead:
      return false;
    case Access::Write:
      return true;
    }
    return true;
  }

  void noteUse(Cell &C) {
    uint32_t Bits = 0;
    if (!isRead(A.Kind))
      Bits = A.Kind == Access::AtomicRead ? IsAtomic : IsAtomic | Updates;
    const Epoch New{A.Mine.Who, A.Mine.Clock, A.Mine.Site | Bits};
    // An update says more than a read that follows it.
    for (Epoch &Use : C.Uses)
      if (!Use.Clock ||
          (Use.Who == New.Who && (Use.Site & ~Bits) <= SiteMask)) {
        Use = New;
        return;
      }
    for (Epoch &Use : C.Uses)
      if (Use.Who != New.Who && Clocks.knows(Me, Use)) {
        Use = New;
        return;
      }
    // Of one warp both: another one's says more.
    if (C.Uses[0].Who / WarpSize == C.Uses[1].Who / WarpSize &&
        C.Uses[0].Who / WarpSize != New.Who / WarpSize)
      C.Uses[1] = New;
  }

  void operator()(Cell &C) {
    if (MustBeWritten && !C.Write.Clock && !C.Write.Site && !Found)
      Found = {Collision::Unwritten, {}, false, false, 0};
    if (isUnordered(C.Write))
      collide(C.Write, true, false);
    for (const Epoch &Use : C.Uses)
      if (isUnordered(Use) && conflicts(Use))
        collide(Use, (Use.Site & Updates) != 0, (Use.Site & IsAtomic) != 0);
    if (A.Kind == Access::Write) {
      C.Write = A.Mine;
      C.Uses[0] = C.Uses[1] = Epoch();
      return;
    }
    if (!isRead(A.Kind) && A.Kind != Access::AtomicRead && !C.Write.Clock)
      C.Write.Site = 1; // Written, at no time that matters.
    noteUse(C);
  }
};
} // namespace

std::optional<Collision> Shadow::note(const BlockClocks &Clocks, uint32_t Me,
                                      const char *At, size_t Size, AccessAt A) {
  const bool MustBeWritten =
      Of == Shared && (A.Kind == Access::Read || A.Kind == Access::AtomicRead ||
                       A.Kind == Access::AtomicUpdate);
  Update U{Clocks, Me, A, MustBeWritten, {}};
  const char *const End = At + Size;
  while (At != End) {
    const size_t Word = wordOf(At),
                 Within = reinterpret_cast<uintptr_t>(At) & 3;
    const size_t Step = std::min<size_t>(4 - Within, End - At);
    const bool Had = U.Found.has_value();
    Cell &C = Words[Word];
    if (Step == 4 && C.Write.Clock != IsSplit) {
      U(C);
    } else {
      if (C.Write.Clock != IsSplit)
        split(Word);
      for (size_t I = 0; I < Step; ++I)
        U(SingleBytes[Word * 4 + Within + I]);
    }
    if (!Had && U.Found)
      U.Found->Offset = At - Begin;
    At += Step;
  }
  return U.Found;
}

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
