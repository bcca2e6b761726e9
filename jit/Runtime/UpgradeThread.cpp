//===- UpgradeThread.cpp - Compiles behind the program ----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UpgradeThread.h"

#include "Upgrade.h"

#include <csignal>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace clinch;

UpgradeThread &UpgradeThread::process() {
  // Never destroyed: the thread may outlive what is destroyed at exit.
  static auto *Made = new UpgradeThread;
  return *Made;
}

UpgradeThread::UpgradeThread() {
  pthread_atfork([] { process().Lock.lock(); }, [] { process().Lock.unlock(); },
                 [] { process().beginAnew(); });
  // The interpreter ends before the compiler's own globals do.
  Py_AtExit([] { process().stop(); });
}

/// In a child: no thread came along. What it was at is still to be done, and
/// its handle and what slept on the condition belong to nobody.
void UpgradeThread::beginAnew() {
  new std::unique_ptr<std::thread>(std::move(Thread));
  new (&More) std::condition_variable;
  if (Started && !Current.expired())
    Waiting.push_front(Current);
  Current.reset();
  Started = false;
  Lock.unlock();
}

void UpgradeThread::add(std::weak_ptr<Upgrade> U) {
  std::unique_lock<std::mutex> Guard(Lock);
  Waiting.push_back(std::move(U));
  start(Guard);
}

void UpgradeThread::wake() {
  if (Started)
    return;
  std::unique_lock<std::mutex> Guard(Lock);
  start(Guard);
}

void UpgradeThread::start(std::unique_lock<std::mutex> &Guard) {
  if (Stopped)
    return Waiting.clear();
  if (!Started) {
    // Signals are for the threads of the host.
    sigset_t All, Before;
    sigfillset(&All);
    pthread_sigmask(SIG_SETMASK, &All, &Before);
    Thread = std::make_unique<std::thread>([this] { run(); });
    pthread_sigmask(SIG_SETMASK, &Before, nullptr);
    Started = true;
  }
  Guard.unlock();
  More.notify_one();
}

void UpgradeThread::run() {
  constexpr int Nicer = 10;
  setpriority(PRIO_PROCESS, id_t(syscall(SYS_gettid)), Nicer);
  std::unique_lock<std::mutex> Guard(Lock);
  for (;;) {
    More.wait(Guard, [this] { return Stopped || !Waiting.empty(); });
    if (Stopped)
      return;
    Current = std::move(Waiting.front());
    Waiting.pop_front();
    Guard.unlock();
    if (std::shared_ptr<Upgrade> U = Current.lock())
      U->compile();
    Guard.lock();
    Current.reset();
  }
}

void UpgradeThread::stop() {
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Stopped = true;
    Waiting.clear();
  }
  More.notify_one();
  if (Thread)
    Thread->join();
}
