// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for code: slabs, mapped twice, and what is free in them.
//
// The process's only allocator for code and data of loaded objects. It grows by
// slabs of many functions, so that a live function needs no mapping of its own,
// of which the kernel allows some 65,000.

#pragma once

#include "clinch/Support/Expected.h"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

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

/// Code and data of one object, within 2 GB of one another.
struct MemoryBlock {
  struct Slab *Owner = nullptr;
  FreeList::Range Code, Data;
  unsigned Forks = 0; ///< The number of forks before the allocation.

  char *code() const;     ///< Readable and executable.
  char *writable() const; ///< The same bytes, readable and writable.
  char *data() const;     ///< Readable and writable.
};

struct MemoryRequest {
  size_t CodeBytes = 0;
  size_t CodeAlignment = 16;
  size_t DataBytes = 0; ///< Zero: no data range.
  size_t DataAlignment = 16;
  /// What the code calls, or null. Calls within reach are direct; others go
  /// through an address in memory.
  const void *Near = nullptr;
};

class CodeMemory {
public:
  /// A slab has \p SlabBytes of code and as many of data. \p Shared is the
  /// process's lock to take; if null, the object has its own.
  explicit CodeMemory(size_t SlabBytes = size_t(16) << 20,
                      std::mutex *Shared = nullptr);
  ~CodeMemory();

  /// Returns the one that all loaded modules use. It is never destroyed,
  /// because code may run until the process exits, and it survives a fork.
  static CodeMemory &process();

  /// Returns whether the system allows such memory. Allocates the first slab
  /// near \p Near.
  bool isAllowed(const void *Near);

  Expected<MemoryBlock> allocate(const MemoryRequest &R);
  /// Call this after the code is written and before it runs.
  void seal(const MemoryBlock &B);
  void release(const MemoryBlock &B);

  size_t slabs() const;
  size_t bytesInUse() const;

private:
  std::optional<MemoryBlock> allocateIn(struct Slab &S,
                                        const MemoryRequest &R) const;
  Expected<struct Slab *> grow(const MemoryRequest &R);
  void giveBack(struct Slab &S, const MemoryBlock &B);
  void forgetEmpty(struct Slab &S);
  /// Parent and child of a fork share the code pages, and neither may write to
  /// one that the other may run. The child no longer writes to any of them; the
  /// parent writes only to those that were free at the fork.
  void retireAll();
  void countFork() { ++Forks; }

  const size_t SlabBytes;
  std::mutex Own;
  std::mutex &Lock;
  unsigned Forks = 0;
  std::vector<std::unique_ptr<struct Slab>> Slabs;
};

// Memory that is executable at one address and writable at another, so that no
// mapping is ever both. A data region follows the code, within reach of its
// 32-bit displacements.

class DualMapping {
public:
  /// Places the code within reach of a call to \p Near if there is room; if
  /// null, anywhere.
  static Expected<std::unique_ptr<DualMapping>>
  create(size_t CodeBytes, size_t DataBytes, const void *Near = nullptr);
  ~DualMapping();
  DualMapping(const DualMapping &) = delete;
  DualMapping &operator=(const DualMapping &) = delete;

  char *code() const { return Base; }
  char *writable() const { return Alias; } ///< Where code is written.
  char *data() const { return Base + CodeBytes; }
  size_t codeBytes() const { return CodeBytes; }
  size_t dataBytes() const { return DataBytes; }

  /// Drops the pages of the writable mapping; the code is unaffected.
  void dropWritablePages();
  /// Return the memory of whole pages to the system.
  void discardCode(size_t Offset, size_t Size);
  void discardData(size_t Offset, size_t Size);

private:
  DualMapping(size_t CodeBytes, size_t DataBytes)
      : CodeBytes(CodeBytes), DataBytes(DataBytes) {}
  bool mapCode();

  char *Base = nullptr;
  char *Alias = nullptr;
  const size_t CodeBytes;
  const size_t DataBytes;
};

} // namespace clinch
