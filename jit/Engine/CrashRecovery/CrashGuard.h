// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread and a stack of its own, in which a crash is an error.

#pragma once

#include "clinch/Support/Expected.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace clinch::engine {

/// Blocks and statements may nest this deep; the stack holds four times as
/// many.
constexpr unsigned DeepestNesting = 20000;

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
  /// Whether \p Address is in the guard pages below the stack.
  bool isBelow(const void *Address) const;

private:
  void *Memory = nullptr;
};

/// Runs work in a thread of its own, on \p Stack. A signal that means a crash,
/// a fatal error of LLVM's, or an allocation that fails ends the work and leaks
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
  bool worked() noexcept;
  Status result();

  struct Thread;

private:
  std::unique_ptr<Thread> T; ///< Null if left to the parent of a fork.
};

/// Runs \p Work and returns GuardedRun::result().
Status runGuarded(CompileStack &Stack, std::function<void()> Work);

/// Says, while it exists, what a crash of this thread's GuardedRun is over, if
/// not "this text", and where.
class CrashSubject {
public:
  explicit CrashSubject(std::string Over, std::string Where = {});
  ~CrashSubject();
  CrashSubject(const CrashSubject &) = delete;
  CrashSubject &operator=(const CrashSubject &) = delete;

private:
  std::pair<std::string, std::string> Before;
};

/// Returns how often work has crashed. Nobody knows what of the engine is in
/// order then, or which of its locks stay locked: it is not to be entered
/// again.
unsigned crashes();

} // namespace clinch::engine
