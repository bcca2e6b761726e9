// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The free ranges of a pool.

#include "FreeList.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <new>

using namespace clinch;
using llvm::alignTo;

static constexpr size_t Granule = 16;

FreeList::FreeList(size_t Size) { insert({0, Size & ~(Granule - 1)}); }

void FreeList::insert(Range R) {
  if (!R.Size)
    return;
  auto Hole = ByBegin.emplace(R.Begin, R.Size).first;
  try {
    BySize.emplace(R.Size, R.Begin);
  } catch (...) { // Both maps know of a hole, or neither.
    ByBegin.erase(Hole);
    throw;
  }
}

/// Loses the hole if memory runs out.
void FreeList::note(Range R) noexcept try {
  insert(R);
} catch (const std::bad_alloc &) { // NOLINT(bugprone-empty-catch): see above
}

void FreeList::erase(std::map<size_t, size_t>::iterator Hole) {
  BySize.erase({Hole->second, Hole->first});
  ByBegin.erase(Hole);
}

std::optional<FreeList::Range> FreeList::allocate(size_t Bytes,
                                                  size_t Alignment) {
  Alignment = std::max(Alignment, Granule);
  Bytes = alignTo(std::max<size_t>(Bytes, 1), Granule);
  // A hole of this size fits an aligned range wherever it begins.
  auto Fit = BySize.lower_bound({Bytes + Alignment - Granule, 0});
  if (Fit == BySize.end())
    return std::nullopt;
  Range Hole{Fit->second, Fit->first};
  erase(ByBegin.find(Hole.Begin));
  Range Taken{alignTo(Hole.Begin, Alignment), Bytes};
  note({Hole.Begin, Taken.Begin - Hole.Begin});
  size_t End = Taken.Begin + Taken.Size;
  note({End, Hole.Begin + Hole.Size - End});
  Used += Bytes;
  HighWater = std::max(HighWater, End);
  return Taken;
}

FreeList::Range FreeList::release(Range R) noexcept {
  assert(Used >= R.Size && "more comes back than was handed out");
  Used -= R.Size;
  auto Next = ByBegin.lower_bound(R.Begin);
  if (Next != ByBegin.end() && Next->first == R.Begin + R.Size) {
    R.Size += Next->second;
    auto Joined = Next++;
    erase(Joined);
  }
  if (Next != ByBegin.begin()) {
    auto Previous = std::prev(Next);
    if (Previous->first + Previous->second == R.Begin) {
      R = {Previous->first, Previous->second + R.Size};
      erase(Previous);
    }
  }
  note(R);
  return R;
}
