//===- CrashGuard.cpp - Crashes reported as errors --------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CrashGuard.h"

#include "../AtFork.h"
#include "HandlerCircle.h"
#include "HeldLocks.h"
#include "lib/Support/OutOfMemory.h"

#include "clang/Basic/Stack.h"
#include "llvm/Support/ErrorHandling.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <new>
#include <pthread.h>
#include <unistd.h>

using namespace clinch::engine;

namespace {

/// The part of the stack that is never touched.
constexpr size_t SkippedSize = clang::DesiredStackSize;

constexpr std::array Signals = {SIGSEGV, SIGBUS,  SIGILL,
                                SIGFPE,  SIGABRT, SIGTRAP};

} // namespace

struct GuardedRun::Thread {
  CompileStack *Stack = nullptr;
  std::function<void()> Work;
  sigjmp_buf Return;
  volatile int Signal = 0;
  volatile bool StackIsUsedUp = false;
  volatile bool MemoryRanOut = false;
  volatile size_t Wanted = 0; ///< Bytes that were not there; 0 if unknown.
  std::string Fatal;          ///< LLVM's message of a fatal error.
  pthread_t Id;
  const pid_t Process = getpid();
  bool Started = false;
  bool Joined = false;
  std::mutex Lock;
  std::condition_variable WhenEnded;
  bool Ended = false; ///< Guarded by Lock.
};

namespace {

using Thread = GuardedRun::Thread;

/// The GuardedRun of a thread. A signal handler on a thread of the host's reads
/// it. A thread_local variable would be allocated there and then, because the
/// engine is loaded with dlopen, and a key's value is only read.
class CurrentThread {
public:
  /// Called before set(), with HandlerLock held.
  bool make() {
    return IsMade || (IsMade = !pthread_key_create(&Key, nullptr));
  }
  bool set(Thread *T) { return pthread_setspecific(Key, T) == 0; }
  Thread *get() const {
    return IsMade ? static_cast<Thread *>(pthread_getspecific(Key)) : nullptr;
  }

private:
  pthread_key_t Key = 0;
  std::atomic<bool> IsMade{false};
};
CurrentThread Current;

std::mutex HandlerLock;
unsigned Users = 0;
std::array<struct sigaction, Signals.size()> Previous;

/// What glibc says when it aborts: a corrupted heap, a smashed stack, an
/// assertion.
struct AbortMessage {
  unsigned Size;
  char Text[1];
};
AbortMessage **LastMessage = nullptr;

HandlerCircle Circle;

std::atomic<bool> LockedForGood{false};

void endBy(int Signal) {
  signal(Signal, SIG_DFL);
  raise(Signal);
}

void passOn(int Signal, siginfo_t *Info, void *Context) {
  if (Circle.closesAt(__builtin_frame_address(0)))
    return endBy(Signal);
  for (size_t I = 0; I != Signals.size(); ++I) {
    if (Signals[I] != Signal)
      continue;
    const struct sigaction &Old = Previous[I];
    if (Old.sa_flags & SA_SIGINFO)
      return Old.sa_sigaction(Signal, Info, Context);
    if (Old.sa_handler == SIG_IGN) // The kernel ignores no fault of the code.
      return Info->si_code > 0 ? endBy(Signal) : void();
    if (Old.sa_handler != SIG_DFL)
      return Old.sa_handler(Signal);
    sigaction(Signal, &Old, nullptr);
    raise(Signal);
  }
}

/// Whether glibc gave up, except for an assertion: its locks may stay held.
bool isGivenUp(int Signal) {
  if (Signal != SIGABRT || !LastMessage || !*LastMessage)
    return false;
  return !strstr((*LastMessage)->Text, "Assertion");
}

void onSignal(int Signal, siginfo_t *Info, void *Context) {
  Thread *T = Current.get();
  if (!T || isGivenUp(Signal))
    return passOn(Signal, Info, Context);
  T->Signal = Signal;
  T->StackIsUsedUp = Signal == SIGSEGV && T->Stack->isBelow(Info->si_addr);
  siglongjmp(T->Return, 1);
}

void onFatalError(void *, const char *Reason, bool) {
  Thread *T = Current.get();
  if (!T)
    return; // The host's own LLVM reports the error.
  T->Fatal = Reason;
  siglongjmp(T->Return, 1);
}

bool isOurs(const struct sigaction &Action) {
  return Action.sa_flags & SA_SIGINFO && Action.sa_sigaction == onSignal;
}

/// Returns false if the process has no more keys.
bool takeSignals() {
  std::lock_guard<std::mutex> Guard(HandlerLock);
  if (!Current.make())
    return false;
  if (Users++)
    return true;
  if (!LastMessage)
    LastMessage =
        static_cast<AbortMessage **>(dlsym(RTLD_DEFAULT, "__abort_msg"));
  struct sigaction Ours = {};
  Ours.sa_sigaction = onSignal;
  Ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&Ours.sa_mask);
  for (size_t I = 0; I != Signals.size(); ++I) {
    struct sigaction Before;
    sigaction(Signals[I], &Ours, &Before);
    // Code that restored its own handler may have left ours in place.
    if (!isOurs(Before))
      Previous[I] = Before;
  }
  llvm::install_fatal_error_handler(onFatalError);
  return true;
}

/// Leaves handlers in place that others installed meanwhile.
void restoreHandlers() {
  for (size_t I = 0; I != Signals.size(); ++I) {
    struct sigaction Now;
    sigaction(Signals[I], nullptr, &Now);
    if (isOurs(Now))
      sigaction(Signals[I], &Previous[I], nullptr);
  }
}

void giveSignalsBack() {
  std::lock_guard<std::mutex> Guard(HandlerLock);
  if (--Users)
    return;
  restoreHandlers();
  llvm::remove_fatal_error_handler();
}

/// Runs the thread's signal handlers on their own stack in \p Stack. On
/// destruction restores the stack from before: AddressSanitizer sets one when a
/// thread starts, and unmaps the one that it finds at the end.
class HandlerStackUse {
public:
  explicit HandlerStackUse(CompileStack &Stack) {
    stack_t Ours = {};
    Ours.ss_sp = Stack.handlerStack();
    Ours.ss_size = CompileStack::handlerStackSize();
    sigaltstack(&Ours, &Before);
  }
  ~HandlerStackUse() { sigaltstack(&Before, nullptr); }
  HandlerStackUse(const HandlerStackUse &) = delete;
  HandlerStackUse &operator=(const HandlerStackUse &) = delete;

private:
  stack_t Before = {};
};

/// Leaves the host's signals to its own threads.
void blockHostSignals() {
  sigset_t Mask;
  sigfillset(&Mask);
  for (int S : Signals)
    sigdelset(&Mask, S);
  pthread_sigmask(SIG_SETMASK, &Mask, nullptr);
}

/// Clang continues in a new thread when 8 MB of stack are nearly used up, and a
/// crash there ends the process. It ignores a distance of more than 8 MB from
/// where the stack began, so skip that much. The caller notes the beginning,
/// since this function may take its frame before its first line.
[[gnu::noinline]] void runFarFromBeginning(Thread &T) {
  void *Skipped = __builtin_alloca(SkippedSize);
  asm volatile("" : : "r"(Skipped) : "memory"); // Keep it.
  T.Work();
}

/// An allocation of the C++ library's own throws. That passes the frames of
/// Clang and LLVM, which are built without exceptions, and runs nothing there.
void runToEnd(Thread &T) {
  try {
    runFarFromBeginning(T);
  } catch (const std::bad_alloc &) {
    T.MemoryRanOut = true;
  }
}

void *threadMain(void *Argument) {
  auto *T = static_cast<Thread *>(Argument);
  blockHostSignals();
  HandlerStackUse Handlers(*T->Stack);
  clinch::prepareToThrow();
  clang::noteBottomOfStack(/*ForceSet=*/true);
  if (!Current.set(T))
    T->MemoryRanOut = true;
  else if (sigsetjmp(T->Return, /*savemask=*/1) == 0)
    runToEnd(*T);
  Current.set(nullptr);
  if (HeldLocks::ofThread())
    LockedForGood = true;
  giveSignalsBack();
  std::lock_guard<std::mutex> Guard(T->Lock);
  T->Ended = true;
  T->WhenEnded.notify_all();
  return nullptr;
}

bool start(Thread &T) {
  if (!takeSignals())
    return false;
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setstack(&Attributes, T.Stack->bottom(), CompileStack::size());
  bool Started = pthread_create(&T.Id, &Attributes, threadMain, &T) == 0;
  pthread_attr_destroy(&Attributes);
  if (!Started)
    giveSignalsBack();
  return Started;
}

} // namespace

GuardedRun::GuardedRun(CompileStack &Stack, std::function<void()> Work)
    : T(std::make_unique<Thread>()) {
  T->Stack = &Stack;
  T->Work = std::move(Work);
  T->Started = start(*T);
  T->Joined = !T->Started;
}

GuardedRun::~GuardedRun() { join(); }

/// Whether this is the child of a fork, which lacks that thread.
static bool isElsewhere(const GuardedRun::Thread &T) {
  return T.Process != getpid();
}

bool GuardedRun::ended(std::chrono::milliseconds Limit) {
  if (!T || T->Joined || isElsewhere(*T))
    return true;
  std::unique_lock<std::mutex> Guard(T->Lock);
  return T->WhenEnded.wait_for(Guard, Limit, [this] { return T->Ended; });
}

void GuardedRun::join() noexcept {
  if (T && !T->Joined && isElsewhere(*T))
    T.release(); // NOLINT(bugprone-unused-return-value): unknown state
  if (T && !T->Joined)
    pthread_join(T->Id, nullptr);
  if (T)
    T->Joined = true;
}

bool GuardedRun::crashed() noexcept {
  join();
  return !T || !T->Started || T->MemoryRanOut || !T->Fatal.empty() || T->Signal;
}

std::string GuardedRun::problem() {
  join();
  if (!T)
    return "this process was forked meanwhile";
  if (!T->Started)
    return "Out of memory: no thread could be started";
  if (T->MemoryRanOut && !T->Wanted)
    return "Out of memory: the compile ended at an allocation";
  if (T->MemoryRanOut)
    return "Out of memory: the compile ended at an allocation of " +
           std::to_string(T->Wanted) + " bytes";
  if (!T->Fatal.empty())
    return T->Fatal;
  if (T->StackIsUsedUp)
    return "it nests too deeply for a stack of " +
           std::to_string(CompileStack::size() >> 20) + " MB";
  if (T->Signal)
    return std::string("signal ") + strsignal(T->Signal);
  return {};
}

bool clinch::engine::guardAtFork(clinch::ForkStep Step) {
  if (Step == clinch::ForkStep::Before) {
    HandlerLock.lock();
    return false;
  }
  const bool Busy = Step == clinch::ForkStep::InChild && Users;
  if (Busy) {
    restoreHandlers();
    Users = 0;
  }
  HandlerLock.unlock();
  return Busy;
}

std::string clinch::engine::runGuarded(CompileStack &Stack,
                                       std::function<void()> Work) {
  if (!Stack)
    return "Out of memory: there is none for a compile's stack";
  return GuardedRun(Stack, std::move(Work)).problem();
}

void clinch::engine::endForMemory(size_t Bytes) {
  Thread *T = Current.get();
  if (!T)
    return;
  T->Wanted = Bytes;
  T->MemoryRanOut = true;
  siglongjmp(T->Return, 1);
}

bool clinch::engine::isLockedForGood() { return LockedForGood; }
