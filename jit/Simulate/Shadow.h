// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a device as a checker knows it: who wrote, and when.

#pragma once

#include "Launch.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace clinch::simulate {

// Vector clocks, in the shape that blocks have. A thread counts where others
// may have learnt what it did. Of the threads of its block it knows all that
// was done before the block's last barrier, which is one number; of its warp,
// one number for each lane; of others, what it was told by way of atomics. Of
// other blocks it knows what its block was told.

constexpr unsigned ThreadBits = 10; ///< Of Epoch::Who; the rest is the block.
constexpr uint32_t WarpSize = 32;

/// Something that a thread did, and when.
struct Epoch {
  uint32_t Who = 0;
  uint32_t Clock = 0; ///< 0: nothing was done.
  uint32_t Site = 0;
};

/// What one thread has seen of its block.
struct Seen {
  uint32_t Own = 1;
  uint32_t Base = 1; ///< Everything of the block before this.
  std::array<uint32_t, WarpSize> Lanes{};
  std::vector<uint32_t> Others; ///< By thread; empty: nothing more.

  void join(const std::vector<uint32_t> &Told);
};

struct Clock : Seen {
  Seen Fenced; ///< As it was at the last fence; Own is 0 if there was none.
};

/// The clocks of the block that runs.
class BlockClocks {
public:
  void start(uint32_t Index, uint32_t NumThreads);
  /// True if thread \p Me of this block knows of \p E.
  bool knows(uint32_t Me, const Epoch &E) const {
    const uint32_t Number = E.Who & ((1U << ThreadBits) - 1);
    if (E.Who >> ThreadBits != Index)
      return E.Who >> ThreadBits < Blocks.size() &&
             Blocks[E.Who >> ThreadBits] >= E.Clock;
    const Clock &C = Clocks[Me];
    return E.Clock < C.Base || Number == Me ||
           (Number / WarpSize == Me / WarpSize &&
            C.Lanes[Number % WarpSize] >= E.Clock) ||
           (!C.Others.empty() && C.Others[Number] >= E.Clock);
  }
  uint32_t now(uint32_t Me) const { return Clocks[Me].Own; }

  void meetAll();                                   ///< All of the block.
  void meetSome(const std::vector<uint32_t> &Them); ///< A barrier of these.
  void meetWarp(uint32_t Warp, uint32_t Lanes);
  void fence(uint32_t Me);
  /// An atomic access: what was told here before is seen, and what \p Me did
  /// before its last fence is told.
  void atomic(uint32_t Me, const void *Address, bool Reads, bool Writes);

private:
  /// What was told by way of one address.
  struct Mail {
    uint32_t From = 0; ///< Which block is in Threads.
    std::vector<uint32_t> Threads;
    std::vector<uint32_t> Blocks;
  };
  std::vector<uint32_t> known(uint32_t Me, const Seen &S) const;
  void send(uint32_t Me, Mail &M);
  void receive(uint32_t Me, const Mail &M);

  uint32_t Index = 0;
  std::vector<Clock> Clocks;
  std::vector<uint32_t> Blocks; ///< What is known of other blocks.
  std::unordered_map<const void *, Mail> Told;
};

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
