// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What simulated kernels share with us.
//
// The engine turns device code into code for the processor
// (jit/Engine/Simulate): it reads and writes these structs, and calls the
// functions that Calls.cpp defines. Its constants are laid out by hand there.

#pragma once

#include <cstddef>
#include <cstdint>

namespace clinch::simulate {

/// What the code of one thread of the device reads of itself.
struct ThreadView {
  uint32_t Tid[3];     ///< threadIdx
  uint32_t Block[3];   ///< blockIdx
  uint32_t Threads[3]; ///< blockDim
  uint32_t Blocks[3];  ///< gridDim
  uint32_t Lane;
  uint32_t Warp;
  char *Shared;  ///< Of the block: variables of fixed size.
  char *Dynamic; ///< Of the block: what the launch asks for.
  uint32_t DynamicBytes;
};

/// A place in an author's text; the first of a program's is unknown.
struct Site {
  const char *File;
  uint32_t Line, Column;
};

struct Kernel {
  const char *Symbol;
  const char *Name; ///< As the author wrote it.
  void (*Call)(void **Arguments);
  const uint64_t *ParameterBytes;
  uint32_t Parameters;
  uint32_t MaxThreads;  ///< By `__launch_bounds__`; 0: any.
  uint64_t SharedBytes; ///< Of fixed size, that this kernel uses.
};

/// A variable of the program. A shared one has an offset in ThreadView::Shared
/// in place of an address.
struct Variable {
  const char *Name;
  char *Address;
  uint64_t Bytes;
  uint32_t IsShared, IsConstant;
};

/// What the symbol ProgramSymbol of an object is.
struct Program {
  const Kernel *Kernels;
  const Variable *Variables;
  const Site *Sites;
  const void *const *Functions; ///< Whose addresses are taken.
  uint32_t NumKernels, NumVariables, NumSites, NumFunctions;
  uint32_t IsChecked;   ///< Calls clinch_sim_access.
  uint64_t SharedBytes; ///< Of all shared variables, with gaps.
  uint64_t SharedLimit; ///< Of a block, on the device.
  uint64_t LocalBytes;  ///< Of the function with the most local variables.
};

constexpr const char *ProgramSymbol = "clinch_sim_program";

/// What a device has for the local variables of a thread.
constexpr size_t LocalLimit = size_t(512) << 10;

/// What an access does; the low bits of what clinch_sim_access gets. Above them
/// is the binary logarithm of its alignment, then the site.
enum class Access : uint32_t {
  Read,
  Write,
  AtomicRead,
  AtomicWrite,  ///< And nothing is read.
  AtomicUpdate, ///< Reads and writes.
  Copy,         ///< Reads what need not have been written, such as padding.
};
constexpr unsigned AccessBits = 3, AlignBits = 3;

/// How warps meet, and what each lane gets.
enum class Meeting : uint32_t {
  Sync,
  ShuffleUp,
  ShuffleDown,
  ShuffleXor,
  ShuffleIndex,
  VoteAll,
  VoteAny,
  VoteEqual,
  Ballot,
  MatchAny,
  MatchAll,
  Add,
  Min,
  Max,
  SignedMin,
  SignedMax,
  And,
  Or,
  Xor,
};

/// How blocks meet.
enum class Barrier : uint32_t { Plain, Count, And, Or };

} // namespace clinch::simulate
