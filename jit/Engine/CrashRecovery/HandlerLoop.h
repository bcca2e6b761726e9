// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signal handlers that call each other.

#pragma once

#include <atomic>
#include <functional>
#include <pthread.h>

namespace clinch::engine {

/// Detects handlers that call each other for ever, as one that reports faults
/// and ours would: CrashRecoveryDeathTest.HandlersThatCallEachOtherEnd. A
/// handler that was installed during a compile passes signals on to ours, and
/// ours back to it. One object serves all threads; it follows the thread that
/// asked last, which in a circle is the same again and again.
class HandlerLoop {
public:
  /// Returns how often the signal at \p Frame has gone round before. Signal
  /// stacks hold few frames: with AMX one has 11 kB.
  unsigned timesAt(void *Frame) {
    const pthread_t Here = pthread_self();
    bool Deeper =
        Thread.exchange(Here) == Here && std::less<>()(Frame, Last.load());
    Last = Frame;
    Times = Deeper ? Times + 1 : 0;
    return Times;
  }

private:
  std::atomic<pthread_t> Thread{};
  std::atomic<void *> Last{nullptr};
  std::atomic<unsigned> Times{0};
};

} // namespace clinch::engine
