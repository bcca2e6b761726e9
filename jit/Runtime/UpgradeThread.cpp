//===- UpgradeThread.cpp - Compiles behind what runs ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UpgradeThread.h"

#include "Upgrade.h"

#include <algorithm>
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

/// In the child of a fork, which has the parent's thread no more: its handle is
/// forgotten, not joined, and what it was compiling waits again.
void UpgradeThread::beginAnew() {
  new (&Thread) std::thread;
  new (&Changed) std::condition_variable;
  if (Running && !Current.expired())
    Waiting.push_back(Current);
  Current.reset();
  Running = false;
  Lock.unlock();
}

void UpgradeThread::add(std::weak_ptr<Upgrade> U) {
  std::lock_guard<std::mutex> Guard(Lock);
  Waiting.push_back(std::move(U));
  start();
}

void UpgradeThread::wake() {
  if (Running)
    return;
  std::lock_guard<std::mutex> Guard(Lock);
  start();
}

void UpgradeThread::start() {
  if (Stopped)
    Waiting.clear();
  if (Waiting.empty() || Running)
    return;
  if (Thread.joinable())
    Thread.join(); // It has seen that nothing waited.
  // Signals are for the threads of the host.
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  Thread = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  Running = true;
}

void UpgradeThread::run() {
  constexpr int Nicer = 10;
  setpriority(PRIO_PROCESS, id_t(syscall(SYS_gettid)), Nicer);
  std::unique_lock<std::mutex> Guard(Lock);
  while (takeNext()) {
    std::weak_ptr<Upgrade> Now = Current;
    Guard.unlock();
    compile(Now);
    Guard.lock();
    Current.reset();
    Changed.notify_all();
  }
  Running = false;
  Changed.notify_all();
}

/// What ran most often, of what somebody still has.
bool UpgradeThread::takeNext() {
  size_t Most = 0;
  std::erase_if(Waiting, [](const auto &U) { return U.expired(); });
  for (size_t I = 0; I < Waiting.size(); ++I) {
    std::shared_ptr<Upgrade> U = Waiting[I].lock();
    if (U && (Current.expired() || U->runs() > Most)) {
      Most = U->runs();
      Current = U;
    }
  }
  std::erase_if(Waiting, [&](const auto &U) {
    return !U.owner_before(Current) && !Current.owner_before(U);
  });
  return !Stopped && !Current.expired();
}

/// Nothing here keeps \p U: when the last who has it lets go, or the
/// interpreter ends, the compile is left.
void UpgradeThread::compile(const std::weak_ptr<Upgrade> &U) {
  std::shared_ptr<const Upgrade::Request> R;
  if (std::shared_ptr<Upgrade> Held = U.lock())
    R = Held->request();
  if (!R)
    return;
  CompileOptions Options = R->Options;
  Options.Interrupted = [&] { return Stopped || U.expired(); };
  Expected<Module> Made = R->S.compile(R->Text, Options);
  if (std::shared_ptr<Upgrade> Held = U.lock(); Held && !Stopped)
    Held->finish(std::move(Made));
}

void UpgradeThread::wait(const Upgrade &U,
                         std::chrono::steady_clock::time_point Until,
                         const std::function<bool()> &Leave) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds Interval(50);
  std::unique_lock<std::mutex> Guard(Lock);
  while (U.progress() == Upgrade::Progress::Waiting && !Stopped &&
         Clock::now() < Until) {
    Changed.wait_until(Guard, std::min(Until, Clock::now() + Interval));
    Guard.unlock(); // Whoever is asked may want what others hold.
    bool Leaves = Leave();
    Guard.lock();
    if (Leaves)
      return;
  }
}

void UpgradeThread::stop() {
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Stopped = true;
    Waiting.clear();
  }
  if (Thread.joinable())
    Thread.join();
}
