//===- CrashGuard.h - Crashes reported as errors ----------------*- C++ -*-===//
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

/// The stack of one compile, and a small one for signal handlers, which can run
/// when the first has overflowed.
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

/// Runs work in a thread of its own, on \p Stack. A signal that means a crash,
/// or a fatal error of LLVM, ends the work and leaks what it allocated. The
/// host's signal handlers get all signals of its other threads, and are
/// restored when no work runs.
class GuardedRun {
public:
  GuardedRun(CompileStack &Stack, std::function<void()> Work);
  ~GuardedRun(); ///< Waits.
  GuardedRun(const GuardedRun &) = delete;
  GuardedRun &operator=(const GuardedRun &) = delete;

  /// Waits at most \p Limit. Returns whether the work has ended.
  bool ended(std::chrono::milliseconds Limit);
  /// Waits for the end. Returns what went wrong, or an empty string.
  std::string problem();

  struct Thread;

private:
  std::unique_ptr<Thread> T;
};

/// Runs \p Work and returns GuardedRun::problem().
std::string runGuarded(CompileStack &Stack, std::function<void()> Work);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_SURVIVAL_CRASHGUARD_H
