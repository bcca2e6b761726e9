//===- CrashGuard.h - Crashes reported as errors ----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_SURVIVAL_CRASHGUARD_H
#define CLINCH_JIT_ENGINE_SURVIVAL_CRASHGUARD_H

#include "CompileStack.h"
#include "clinch/Support/Expected.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace clinch::engine {

/// Runs work in a thread of its own, on \p Stack. A signal that means a crash,
/// a fatal error of LLVM, or an allocation that fails ends the work and leaks
/// what it allocated. The host's signal handlers get all signals of its other
/// threads, and are restored when no work runs.
class GuardedRun {
public:
  GuardedRun(CompileStack &Stack, std::function<void()> Work);
  ~GuardedRun(); ///< Waits.
  GuardedRun(const GuardedRun &) = delete;
  GuardedRun &operator=(const GuardedRun &) = delete;

  /// Waits at most \p Limit. Returns whether the work has ended.
  bool ended(std::chrono::milliseconds Limit);
  /// All three wait for the end.
  void join() noexcept;
  /// Returns what went wrong, or an empty string.
  std::string problem();
  /// Returns whether anything went wrong.
  bool crashed() noexcept;

  struct Thread;

private:
  std::unique_ptr<Thread> T; ///< Null if left to the parent of a fork.
};

/// Runs \p Work and returns GuardedRun::problem().
std::string runGuarded(CompileStack &Stack, std::function<void()> Work);

/// Makes an error of problem(). The prefix \p Crash, "The compiler crashed over
/// this text", is left out if memory ran out, which no text is to blame for.
inline Error errorOf(const std::string &Problem, const std::string &Crash) {
  if (Problem.starts_with("Out of memory"))
    return Error(Error::Kind::Limit, Problem + ".");
  return Error(Error::Kind::Crash, Crash + ": " + Problem + ".");
}

/// Ends the work if this is the thread of a GuardedRun, for lack of \p Bytes.
void endForMemory(size_t Bytes);
/// Returns whether some work was ended while it held a lock, which then stays
/// locked for ever: this engine must not be used any more. See HeldLocks.h.
bool isLockedForGood();

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_SURVIVAL_CRASHGUARD_H
