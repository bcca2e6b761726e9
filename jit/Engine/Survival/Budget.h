//===- Budget.h - Limits on one compile -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of a compile ask, often enough, whether they may go on, and then
// finish quickly and wrongly; the result is dropped. Between two questions
// stands at most one token, one declaration, or one pass over one function. A
// single template that instantiates for minutes, or a pass that is slow on one
// huge function, is ended at an allocation (Allocations.h). Nobody waits for
// what does neither (Attempt.h): it goes on behind, until it asks.
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
  /// From any thread: from now on nothing is allowed.
  void cancel() { Cancelled.store(true, std::memory_order_relaxed); }
  /// Looks at the clock and at what this thread allocated; once true, always
  /// true.
  bool exceeded();
  bool wasExceeded() const { return !Message.empty(); }
  /// A sentence that says which limit it was.
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
