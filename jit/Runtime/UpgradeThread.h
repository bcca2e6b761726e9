//===- UpgradeThread.h - Compiles behind the program ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_UPGRADETHREAD_H
#define CLINCH_JIT_RUNTIME_UPGRADETHREAD_H

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace clinch {

class Upgrade;

/// One thread for the process, of low priority, which needs no GIL. It begins
/// with the first request, ends with the interpreter, and begins again in a
/// forked child that asks.
class UpgradeThread {
public:
  static UpgradeThread &process();

  /// What is dropped before its turn is not compiled.
  void add(std::weak_ptr<Upgrade> U);
  /// Starts the thread where a fork has left it behind.
  void wake();
  /// Forgets what waits, and waits for what runs. Nothing is compiled any more.
  void stop();

private:
  UpgradeThread();
  void start(std::unique_lock<std::mutex> &Guard);
  void run();
  void beginAnew();

  std::mutex Lock;
  std::condition_variable More;
  std::deque<std::weak_ptr<Upgrade>> Waiting;
  std::weak_ptr<Upgrade> Current;
  std::atomic<bool> Started{false};
  bool Stopped = false;
  std::unique_ptr<std::thread> Thread;
};

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_UPGRADETHREAD_H
