// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for loaded code.
//
// The process's only allocator for code and data of loaded objects. It grows by
// slabs of many functions, so that a live function needs no mapping of its own,
// of which the kernel allows some 65,000.

#pragma once

#include "FreeList.h"
#include "clinch/Support/Expected.h"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace clinch {

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

} // namespace clinch
