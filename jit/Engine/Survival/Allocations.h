//===- Allocations.h - What one compile allocates ---------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of the engine's allocations pass the wrappers in AllocationHooks.cpp.
// Without a limited compile this costs one comparison.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_SURVIVAL_ALLOCATIONS_H
#define CLINCH_JIT_ENGINE_SURVIVAL_ALLOCATIONS_H

#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <new>

namespace clinch::engine {

class Budget;

/// Counts what a thread allocates, less what it releases. For some texts Clang
/// and LLVM check the limits too seldom, but hardly any work needs no memory. A
/// compile that runs long past its limits, or would exceed its memory limit by
/// far, is ended at its next allocation.
class AllocationWatch {
public:
  /// Allows at most \p Most bytes; \p Limits may be exceeded briefly.
  AllocationWatch(Budget &Limits, size_t Most);
  ~AllocationWatch();
  AllocationWatch(const AllocationWatch &) = delete;
  AllocationWatch &operator=(const AllocationWatch &) = delete;

  /// Both run on the watched thread, which is a GuardedRun's.
  void begin();
  void end();
  /// Returns what this thread allocated since begin(), or 0 if unwatched.
  static size_t bytesOfThread();

  // For the wrappers.
  static AllocationWatch *current();
  /// Gives a block back to where it came from: malloc and each form of new
  /// may be somebody else's, the host's or a sanitizer's.
  struct Release {
    void (*Plain)(void *) = nullptr;
    void (*Aligned)(void *, std::align_val_t) = nullptr; ///< If no Plain.
    std::align_val_t Alignment{};

    void operator()(void *Block) const {
      Plain ? Plain(Block) : Aligned(Block, Alignment);
    }
  };
  void before(size_t Bytes);
  void after(void *Block, Release R);
  void released(void *Block);
  /// After an allocation of \p Bytes that failed. Ends the compile if one runs
  /// on this thread. Else returns whether to try again: while the library is
  /// being loaded, if a LoadingReserve gave something back.
  static bool retryAfterFailure(size_t Bytes);
  /// To be called when the library has been loaded. Also makes LLVM throw
  /// std::bad_alloc instead of ending the process.
  static void endLoading();

private:
  bool isLate();
  void leave();
  void releaseLarge();

  using Clock = std::chrono::steady_clock;

  Budget &Limits;
  const size_t Most;
  std::ptrdiff_t Bytes = 0;
  unsigned Count = 0;
  bool Busy = false;
  Clock::time_point ExceededAt;
  bool Exceeded = false;
  /// Blocks too large for LLVM's global tables; freed if the compile is ended
  /// half-way.
  std::map<void *, Release> Large;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_SURVIVAL_ALLOCATIONS_H
