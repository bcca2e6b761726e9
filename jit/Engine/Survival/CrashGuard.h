//===- CrashGuard.h - Crashes that come back as errors -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_SURVIVAL_CRASHGUARD_H
#define CLINCH_JIT_ENGINE_SURVIVAL_CRASHGUARD_H

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace clinch::engine {

/// The stack of one compile, and the small one on which a signal handler still
/// runs when the first has overflowed.
class CompileStack {
public:
  CompileStack();
  ~CompileStack();
  CompileStack(const CompileStack &) = delete;
  CompileStack &operator=(const CompileStack &) = delete;

  explicit operator bool() const { return Memory != nullptr; }
  void *bottom() const;
  static size_t size();
  void *handlerStack() const;
  static size_t handlerStackSize();

private:
  void *Memory = nullptr;
};

/// Work in a thread of its own, on \p Stack. A signal that says that the
/// compiler crashed, and LLVM's fatal errors, end the work; nothing that it
/// allocated is given back then. The signal handlers of the host are in place
/// again when no work runs, and get all signals of its other threads meanwhile.
class GuardedRun {
public:
  GuardedRun(CompileStack &Stack, std::function<void()> Work);
  ~GuardedRun(); ///< Waits.
  GuardedRun(const GuardedRun &) = delete;
  GuardedRun &operator=(const GuardedRun &) = delete;

  /// Waits at most that long; whether the work has ended.
  bool ended(std::chrono::milliseconds Limit);
  /// Waits; what went wrong, or nothing.
  std::string problem();

  struct Thread;

private:
  std::unique_ptr<Thread> T;
};

/// The same, waited for.
std::string runGuarded(CompileStack &Stack, std::function<void()> Work);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_SURVIVAL_CRASHGUARD_H
