//===- Forks.h - The locks of the process, and its forks --------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The child of a fork has the thread that forked and no other: a lock that
// another held stays shut there for good. So each lock of ours that any thread
// may hold is one of those below. Who forks takes all of them before, in their
// order, and both processes let go of them after; that is as long as the
// longest is held: the loading of the engine, once, else a link. They are held
// for that long only: no code of an author, of the host or of Python runs under
// one. What is inside the engine is another matter; see EngineLibrary.h.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_SUPPORT_FORKS_H
#define CLINCH_LIB_SUPPORT_FORKS_H

#include <atomic>
#include <mutex>

namespace clinch {

/// In the order in which they are taken: who has one takes only later ones.
enum class ProcessLock : unsigned {
  EngineLoading,  ///< The engine of a session, while it is loaded and made.
  Sessions,       ///< Handles of the C interface.
  UpgradeQueue,   ///< What waits for better code.
  Upgrades,       ///< What one of those has, or gets.
  Code,           ///< The table of live code.
  Keys,           ///< Versions that keys have, once they are known.
  DiskCaches,     ///< How much may be written.
  RegisteredCode, ///< Ops whose code Types bring.
  Linking,        ///< ORC.
  Frames,         ///< What the unwinder knows.
  PerfNames,      ///< The file for perf.
  Memory,         ///< Of code.
  EngineUse,      ///< How many threads are inside the engine.
  Making,         ///< What the process has one of; see ForProcess.
};
constexpr unsigned ProcessLocks = unsigned(ProcessLock::Making) + 1;

std::mutex &lockOf(ProcessLock L);

using LockGuard = std::lock_guard<std::mutex>;

/// What is to be done at each fork, with all locks held: \p Before in the
/// process that forks, \p InParent and \p InChild after. Each may be null; one
/// set for each lock.
struct ForkSteps {
  void (*Before)();
  void (*InParent)();
  void (*InChild)();
};
/// \p Steps must stay where they are.
void onFork(ProcessLock L, const ForkSteps &Steps);

/// Has the steps above done from now on. To be called once, by the library that
/// everybody shares, when it is loaded.
void followForks();

/// What the process has one of: made when it is first asked for, and never
/// destroyed. To be a static without an initialiser that runs, for the guard of
/// one that does may be held over a fork.
template <typename T> class ForProcess {
public:
  /// \p Make must not ask for another that is not made yet.
  template <typename MakeFn> T &get(MakeFn Make) {
    if (T *Known = Made.load(std::memory_order_acquire))
      return *Known;
    LockGuard Guard(lockOf(ProcessLock::Making));
    T *Known = Made.load(std::memory_order_relaxed);
    if (!Known)
      Made.store(Known = Make(), std::memory_order_release);
    return *Known;
  }

private:
  std::atomic<T *> Made{nullptr};
};

} // namespace clinch

#endif // CLINCH_LIB_SUPPORT_FORKS_H
