// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The free ranges of a pool.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace clinch {

/// A best-fit allocator of ranges in [0, Size). Released ranges are merged with
/// free neighbours. Every range begins and ends at a multiple of 16.
class FreeList {
public:
  explicit FreeList(size_t Size);

  struct Range {
    size_t Begin = 0;
    size_t Size = 0;
  };

  /// Returns a range of at least \p Bytes that begins at a multiple of
  /// \p Alignment.
  std::optional<Range> allocate(size_t Bytes, size_t Alignment);
  /// Frees \p R and returns the whole hole it is now part of.
  Range release(Range R) noexcept;

  bool empty() const { return Used == 0; }
  size_t used() const { return Used; }
  /// One past the last byte allocated since the last reset.
  size_t highWater() const { return HighWater; }
  void resetHighWater() { HighWater = 0; }

private:
  void insert(Range R);
  void note(Range R) noexcept;
  void erase(std::map<size_t, size_t>::iterator Hole);

  size_t Used = 0;
  size_t HighWater = 0;
  std::map<size_t, size_t> ByBegin;           ///< begin -> size
  std::set<std::pair<size_t, size_t>> BySize; ///< (size, begin)
};

} // namespace clinch
