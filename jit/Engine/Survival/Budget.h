//===- Budget.h - Limits on one compile -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compile checks often whether it may go on. If not, it finishes quickly and
// wrongly, and the result is dropped. Two checks are at most one token, one
// declaration, or one pass over one function apart. A template that
// instantiates for minutes, or a pass that is slow on a huge function, is ended
// at an allocation (Allocations.h). Otherwise the caller stops waiting
// (Attempt.h), and the compile runs in the background until its next check.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_SURVIVAL_BUDGET_H
#define CLINCH_JIT_ENGINE_SURVIVAL_BUDGET_H

#include "clinch/Compiler/Options.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

namespace clinch::engine {

/// Blocks and statements may nest this deep; the stack of a compile holds four
/// times as many.
constexpr unsigned DeepestNesting = 20000;

class Budget {
public:
  explicit Budget(const CompileOptions &O);

  bool limited() const { return TimeLimitMs || MemoryLimit; }
  /// Makes exceeded() true; may be called on any thread.
  void cancel() { Cancelled.store(true, std::memory_order_relaxed); }
  /// Checks the clock and what this thread allocated; once true, stays true.
  bool exceeded();
  bool wasExceeded() const { return !Message.empty(); }
  /// Says which limit was exceeded.
  const std::string &message() const { return Message; }

private:
  using Clock = std::chrono::steady_clock;

  unsigned TimeLimitMs;
  size_t MemoryLimit;
  Clock::time_point Start;
  std::atomic<bool> Cancelled{false};
  std::string Message;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_SURVIVAL_BUDGET_H
