//===- Forks.h - Locks that no fork finds taken ----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A child of fork() has one thread. A lock that another thread held stays taken
// there for ever, and what it guards may be half changed. So there is one gate:
// a thread passes it before it takes a lock and leaves it when it has given all
// of them back, and a fork waits until nobody is inside. Nothing may wait
// inside for long: not for a compile, not for the lock of an interpreter.
//
// It need not be written down where a lock is taken: the linker sends what our
// libraries do with locks through Locks.cpp, and so what LLVM does with its
// own.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_SUPPORT_FORKS_H
#define CLINCH_SUPPORT_FORKS_H

#include <atomic>
#include <chrono>
#include <cstdint>

namespace clinch {

/// Virtual, so that a library can use the gate of the one that loaded it.
class ForkGate {
public:
  virtual void enter() = 0;
  virtual void leave() = 0;
  /// For a thread that was torn out of what it did: leaves as often as it had
  /// entered.
  virtual void leaveAll() = 0;
  /// How often this thread has entered.
  virtual unsigned depth() const = 0;
  /// How many forks lie between this process and the first. What another
  /// thread had begun in an earlier one is never finished.
  virtual unsigned generation() const = 0;
  /// How many forks this process has seen: those it was born by, and its own.
  virtual unsigned forks() const = 0;
  /// From now on, calls \p BeginAnew in each child, before fork() returns.
  virtual void onFork(void (*BeginAnew)()) = 0;

protected:
  ~ForkGate() = default;
};

/// The gate that the locks of this library pass.
ForkGate &forkGate();
/// Makes that one the gate of this library. Nobody may be inside.
void useForkGate(ForkGate &Gate);

/// Gives back the locks that this thread has taken and, torn out of its work,
/// will not give back itself; it is outside the gate then. What it was the
/// first to initialise is begun again by the next who needs it. In Locks.cpp.
void releaseLocks();

/// Something that happens once, and can be waited for outside the gate.
class Event {
public:
  void happen();
  /// Whether it has happened, within \p Limit.
  bool wait(std::chrono::milliseconds Limit) const;

private:
  mutable std::atomic<uint32_t> Happened{0};
};

} // namespace clinch

#endif // CLINCH_SUPPORT_FORKS_H
