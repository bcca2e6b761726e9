//===- FreeList.h - Which parts of a pool are free -------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_FREELIST_H
#define CLINCH_JIT_LOADER_FREELIST_H

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace clinch {

/// Hands out ranges of [0, Size), smallest hole that fits first, and joins
/// neighbours again when they come back. Every range begins and ends at a
/// multiple of 16.
class FreeList {
public:
  explicit FreeList(size_t Size);

  struct Range {
    size_t Begin = 0;
    size_t Size = 0;
  };

  /// A range of at least \p Bytes that begins at a multiple of \p Alignment.
  std::optional<Range> allocate(size_t Bytes, size_t Alignment);
  /// Gives \p R back and returns the whole hole it is part of now.
  Range release(Range R);

  bool empty() const { return Used == 0; } ///< Nothing is handed out.
  size_t used() const { return Used; }
  /// One past the last byte that was ever handed out since reset.
  size_t highWater() const { return HighWater; }
  void resetHighWater() { HighWater = 0; }

private:
  void insert(Range R);
  void erase(std::map<size_t, size_t>::iterator Hole);

  size_t Used = 0;
  size_t HighWater = 0;
  std::map<size_t, size_t> ByBegin;           ///< begin -> size
  std::set<std::pair<size_t, size_t>> BySize; ///< (size, begin)
};

} // namespace clinch

#endif // CLINCH_JIT_LOADER_FREELIST_H
