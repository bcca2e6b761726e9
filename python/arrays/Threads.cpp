// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work in parts.

#include "Threads.h"

#include <chrono>

using namespace clinch::arrays;

namespace {

class Tasks {
public:
  Tasks(Py_ssize_t Count, void (*Task)(void *, Py_ssize_t), void *Context)
      : Count(Count), Task(Task), Context(Context) {}

  /// Runs tasks until none is left, as other threads do.
  void run() {
    for (;;) {
      const Py_ssize_t Mine = __atomic_fetch_add(&Next, 1, __ATOMIC_RELAXED);
      if (Mine >= Count)
        return;
      Task(Context, Mine);
    }
  }
  /// Runs one, and all others if by the time that took they are not worth the
  /// 40 us until other threads run. Returns whether all are done.
  bool runAlone() {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::microseconds Long(200);
    const Clock::time_point Before = Clock::now();
    Task(Context, Next++);
    if ((Clock::now() - Before) * (Count - 1) >= Long)
      return false;
    run();
    return true;
  }

private:
  Py_ssize_t Count;
  void (*Task)(void *, Py_ssize_t);
  void *Context;
  Py_ssize_t Next = 0;
};

} // namespace

void clinch::arrays::runTasks(const clinch_loop &L, Py_ssize_t Count,
                              void (*Task)(void *, Py_ssize_t), void *Context) {
  Tasks T(Count, Task, Context);
  if (L.threads == 0 && T.runAlone())
    return;
  L.parallel([](void *Shared) { static_cast<Tasks *>(Shared)->run(); }, &T,
             L.threads, 0);
}
