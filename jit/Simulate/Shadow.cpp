// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who used which memory last.

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
