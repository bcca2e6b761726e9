// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The locks of the process, and its forks.
//
// The child of a fork has only the thread that forked, so a lock that another
// thread held stays locked there forever. Therefore each lock of ours that any
// thread may hold is listed below. The forking thread takes all of them in
// order before the fork, and both processes release them after it. It waits at
// most for the longest holder: the loading of the engine, once, else a link. No
// code of an author, the host or Python runs under any of these locks. For
// locks inside the engine see EngineLibrary.h.

#pragma once

#include <atomic>
#include <mutex>
#include <pthread.h>

namespace clinch {

/// In locking order: a thread that holds one may take only later ones.
enum class ProcessLock : unsigned {
  EngineLoading,  ///< The engine of a session, while it is loaded and created.
  Sessions,       ///< Handles of the C interface.
  InProgress,     ///< What threads do that others may wait for.
  UpgradeQueue,   ///< The programs that wait for tier-up.
  Upgrades,       ///< The request and result of each tier-up.
  Code,           ///< The table of live code.
  Keys,           ///< Versions that keys contain, once known.
  DiskCaches,     ///< How much may be written.
  RegisteredCode, ///< Code that Types provide for Ops.
  Linking,        ///< ORC.
  DeviceCode,     ///< Kernels of loaded code, memory that is simulated.
  CrashNotes,     ///< Lines of loaded code, for a signal handler.
  Frames,         ///< Frames registered with the unwinder.
  PerfNames,      ///< The file for perf.
  Memory,         ///< Memory of code.
  ThreadLocals,   ///< What threads have of emulated thread-local variables.
  EngineUse,      ///< How many threads are inside the engine.
  Making,         ///< Objects that exist once per process; see ForProcess.
};
constexpr unsigned ProcessLocks = unsigned(ProcessLock::Making) + 1;

std::mutex &lockOf(ProcessLock L);

/// While it exists, pthread_cancel does not end the thread: its locks would
/// stay locked, and who waits for its compile would wait for ever.
class Uncancelled {
public:
  Uncancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &Before); }
  ~Uncancelled() { pthread_setcancelstate(Before, nullptr); }
  Uncancelled(const Uncancelled &) = delete;
  Uncancelled &operator=(const Uncancelled &) = delete;

private:
  int Before = PTHREAD_CANCEL_ENABLE;
};

class LockGuard : Uncancelled, std::lock_guard<std::mutex> {
public:
  explicit LockGuard(std::mutex &M) : std::lock_guard<std::mutex>(M) {}
};

/// Callbacks that run at each fork with all locks held: Before in the forking
/// process, then InParent and InChild. Each may be null. Each lock has one set.
struct ForkSteps {
  void (*Before)();
  void (*InParent)();
  void (*InChild)();
};
/// Sets the callbacks of \p L. \p Steps must live forever.
void onFork(ProcessLock L, const ForkSteps &Steps);

/// Registers the fork handlers. Called once, when the library that all others
/// share is loaded.
void followForks() noexcept;

/// An object that exists once per process: created at the first get(), never
/// destroyed. Declare it as a constinit static: the guard of a dynamic
/// initialiser may be held over a fork.
template <typename T> class ForProcess {
public:
  /// \p Make must not get() another one that does not exist yet.
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
