// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who used which memory last.

#pragma once

#include "Clocks.h"
#include "Launch.h"

#include <memory>
#include <optional>

namespace clinch::simulate {

/// An access, as its thread has it.
struct AccessAt {
  Epoch Mine; ///< Whose Site is where.
  Access Kind;
};

/// What an access collides with.
struct Collision {
  enum { Race, Unwritten } What;
  Epoch Other;
  bool OtherWrites, OtherIsAtomic;
  size_t Offset; ///< Of the word or byte, in the region.
};

/// The last accesses of some bytes: the last write and two others since. With
/// more, of those that nothing orders two remain, so that whoever writes next
/// has another thread's among them.
struct Cell {
  Epoch Write, Uses[2];
};

/// The cells of consecutive memory: one for each aligned word of four bytes,
/// or, where less was accessed, for each byte.
class Shadow {
public:
  enum Sort { Shared, Global, Constant };

  Shadow(std::string Name, char *Begin, size_t Bytes, bool Writable, Sort S);
  bool contains(const char *At) const {
    return static_cast<size_t>(At - Begin) < Bytes;
  }
  /// Nobody has used any of it.
  void clear();
  /// Notes an access, which lies within, and returns the first collision.
  std::optional<Collision> note(const BlockClocks &Clocks, uint32_t Me,
                                const char *At, size_t Size, AccessAt A);

  std::string Name;
  char *Begin;
  size_t Bytes;
  bool Writable;
  Sort Of;

private:
  struct Free {
    void operator()(Cell *Cells) const;
  };
  using Cells = std::unique_ptr<Cell[], Free>;
  static Cells make(size_t Count);
  /// Gives the bytes of a word cells of their own.
  void split(size_t Word);
  size_t wordOf(const char *At) const {
    return (reinterpret_cast<uintptr_t>(At) >> 2) -
           (reinterpret_cast<uintptr_t>(Begin) >> 2);
  }

  size_t NumWords;
  Cells Words, SingleBytes;
};

} // namespace clinch::simulate
