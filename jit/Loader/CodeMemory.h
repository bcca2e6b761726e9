//===- CodeMemory.h - Memory for loaded code -------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one allocator of the process for code and data of loaded objects. It
// grows by slabs of many functions each, so that a live function costs its own
// bytes and no mapping; a mapping each would end at about 32,000 of them.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_CODEMEMORY_H
#define CLINCH_JIT_LOADER_CODEMEMORY_H

#include "FreeList.h"
#include "clinch/Support/Expected.h"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace clinch {

/// Code and data of one object; they stand within 2 GB of one another.
struct MemoryBlock {
  struct Slab *Owner = nullptr;
  FreeList::Range Code, Data;
  unsigned Forks = 0; ///< That there had been when this was allocated.

  char *code() const;     ///< Readable and runnable.
  char *writable() const; ///< The same bytes, to write them.
  char *data() const;     ///< Readable and writable.
};

struct MemoryRequest {
  size_t CodeBytes = 0;
  size_t CodeAlignment = 16;
  size_t DataBytes = 0; ///< Zero: no data range.
  size_t DataAlignment = 16;
  /// What the code calls, if anything: from nearby that is a call, and from
  /// far away a call through an address in memory.
  const void *Near = nullptr;
};

class CodeMemory {
public:
  /// \p SlabBytes: of code, and again of data. \p Shared: the lock to take, of
  /// the process; null: its own.
  explicit CodeMemory(size_t SlabBytes = size_t(16) << 20,
                      std::mutex *Shared = nullptr);
  ~CodeMemory();

  /// The one that every loaded module uses. It is never destroyed, because
  /// code may run until the process is gone, and it survives a fork.
  static CodeMemory &process();

  /// Whether the system gives such memory at all. The first block will be near
  /// \p Near.
  bool isAllowed(const void *Near);

  Expected<MemoryBlock> allocate(const MemoryRequest &R);
  /// To be called once the code is written, before it runs.
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
  /// Parent and child of a fork see the same code pages, and neither may write
  /// to one that the other may run. The child writes to none of them any more;
  /// the parent to those that were free.
  void retireAll();
  void countFork() { ++Forks; }

  const size_t SlabBytes;
  std::mutex Own;
  std::mutex &Lock;
  unsigned Forks = 0;
  std::vector<std::unique_ptr<struct Slab>> Slabs;
};

} // namespace clinch

#endif // CLINCH_JIT_LOADER_CODEMEMORY_H
