//===- Allocations.h - What one compile allocates ---------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of the engine's allocations come by here: the linker puts the functions
// of AllocationHooks.cpp before malloc, new and the like. Where no compile has
// a limit that is one comparison.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_SURVIVAL_ALLOCATIONS_H
#define CLINCH_JIT_ENGINE_SURVIVAL_ALLOCATIONS_H

#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>

namespace clinch::engine {

class Budget;

/// Counts what a thread allocates, less what it releases. Clang and LLVM ask
/// whether they may go on too seldom for some texts, but hardly anything is
/// worked out without memory: who goes on for long after the limits of a
/// compile are exceeded, or would exceed that of memory by far, is ended at its
/// next allocation.
class AllocationWatch {
public:
  /// \p Most bytes, at any rate; \p Limits may be exceeded for a moment.
  AllocationWatch(Budget &Limits, size_t Most);
  ~AllocationWatch();
  AllocationWatch(const AllocationWatch &) = delete;
  AllocationWatch &operator=(const AllocationWatch &) = delete;

  /// On the thread that is watched, which is a GuardedRun's.
  void begin();
  void end();
  /// What was allocated on this thread since begin(); else 0.
  static size_t bytesOfThread();

  // For the hooks.
  static AllocationWatch *current();
  void before(size_t Bytes);
  void after(void *Block);
  void released(void *Block);

private:
  bool isLate();
  void leave();

  using Clock = std::chrono::steady_clock;

  Budget &Limits;
  const size_t Most;
  std::ptrdiff_t Bytes = 0;
  unsigned Count = 0;
  bool Busy = false;
  Clock::time_point ExceededAt;
  bool Exceeded = false;
  /// What is so large that no table of LLVM's own is; given back where the
  /// compile is ended half-way.
  std::map<void *, size_t> Large;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_SURVIVAL_ALLOCATIONS_H
