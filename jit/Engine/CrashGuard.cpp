//===- CrashGuard.cpp - Crashes that come back as errors -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CrashGuard.h"

#include "HostSignals.h"
#include "clinch/Support/Forks.h"

#include "clang/Basic/Stack.h"

#include <csetjmp>
#include <csignal>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <functional>
#include <link.h>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>

using namespace clinch;
using namespace clinch::engine;

namespace {

/// 0.8 kB for each level of nesting that is parsed, and much more for the
/// passes that recurse; only what is touched takes memory. AddressSanitizer
/// clears no larger one when a compile is left.
constexpr size_t StackSize = size_t(64) << 20;
/// Never touched, and of these 64 MB.
constexpr size_t SkippedSize = clang::DesiredStackSize;
constexpr size_t HandlerSize = size_t(64) << 10;
constexpr size_t GuardSize = size_t(64) << 10;
constexpr size_t TotalSize = GuardSize + HandlerSize + GuardSize + StackSize;

/// What stop() sends, to the thread alone.
constexpr int StopSignal = SIGFPE;

} // namespace

struct GuardedRun::Thread {
  CompileStack *Stack = nullptr;
  std::function<void()> Work;
  sigjmp_buf Return;
  volatile int Signal = 0;
  volatile bool StackIsUsedUp = false;
  std::string Fatal; ///< LLVM's own words, when it gave up by itself.
  std::mutex Lock;
  bool Runs = false; ///< Guarded by Lock.
  volatile bool ToStop = false;
  bool Stopped = false;
  pthread_t Id;
  bool Started = false;
  bool Joined = false;
  unsigned Generation = forkGate().generation();
};

namespace {

using Thread = GuardedRun::Thread;

// A signal handler may not wait for memory for it.
[[gnu::tls_model("initial-exec")]] thread_local Thread *Current = nullptr;

/// Where the code of this library lies, LLVM's included.
struct CodeRange {
  uintptr_t Begin = 0, End = 0;
};

int findCode(dl_phdr_info *Info, size_t, void *Found) {
  auto Here = reinterpret_cast<uintptr_t>(&findCode);
  for (unsigned I = 0; I != Info->dlpi_phnum; ++I) {
    const auto &Part = Info->dlpi_phdr[I];
    uintptr_t Begin = Info->dlpi_addr + Part.p_vaddr;
    if (Part.p_type == PT_LOAD && Here - Begin < Part.p_memsz)
      *static_cast<CodeRange *>(Found) = {Begin, Begin + Part.p_memsz};
  }
  return 0;
}

CodeRange OwnCode;

/// Whether the thread, which is at \p Context, can be torn out of its work: it
/// is in no function of the system's, such as malloc, and has no lock.
bool canBeTornOut(const void *Context) {
  const auto *At = static_cast<const ucontext_t *>(Context);
#ifdef __x86_64__
  auto PC = static_cast<uintptr_t>(At->uc_mcontext.gregs[REG_RIP]);
#else
  auto PC = static_cast<uintptr_t>(At->uc_mcontext.pc);
#endif
  return PC - OwnCode.Begin < OwnCode.End - OwnCode.Begin &&
         forkGate().depth() == 0;
}

/// Where glibc puts why it ends the process: its heap, or a stack, is broken,
/// and it may hold a lock that everybody needs.
void **AbortMessage = nullptr;

/// Whether \p Address lies where nobody may write, as the stack ends there.
bool isBelow(const CompileStack &Stack, const void *Address) {
  auto *Bottom = static_cast<const char *>(Stack.bottom());
  return std::less<>()(Address, Bottom) &&
         std::greater_equal<>()(Address, Bottom - GuardSize);
}

void onSignal(int Signal, siginfo_t *Info, void *Context) {
  Thread *T = Current;
  if (!T || (Signal == SIGABRT && AbortMessage && *AbortMessage))
    return passSignalOn(Signal, Info, Context);
  if (Signal == StopSignal && T->ToStop && Info->si_code == SI_TKILL) {
    if (!canBeTornOut(Context))
      return;
    T->Stopped = true;
    siglongjmp(T->Return, 1);
  }
  T->Signal = Signal;
  T->StackIsUsedUp = Signal == SIGSEGV && isBelow(*T->Stack, Info->si_addr);
  siglongjmp(T->Return, 1);
}

void onFatalError(void *, const char *Reason, bool) {
  Thread *T = Current;
  if (!T)
    return; // The host's own LLVM; it goes on as if nobody was here.
  T->Fatal = Reason;
  siglongjmp(T->Return, 1);
}

/// While this lives, signals of the thread run on the stack of \p Stack that is
/// kept for them. A thread may have been given one before its first line, which
/// whoever gave it takes back after the last: AddressSanitizer unmaps the one
/// it finds then.
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

/// The host's threads get its own signals, never a thread of ours.
void blockHostSignals() {
  sigset_t Mask;
  sigfillset(&Mask);
  for (int S : CrashSignals)
    sigdelset(&Mask, S);
  pthread_sigmask(SIG_SETMASK, &Mask, nullptr);
}

/// Where 8 MB of a stack are nearly used up Clang goes on in a new thread, and
/// what happens there ends the process. It looks how far away the stack began,
/// and believes nothing that is more than 8 MB.
[[gnu::noinline]] void runFarFromBeginning(Thread &T) {
  clang::noteBottomOfStack(/*ForceSet=*/true);
  void *Skipped = __builtin_alloca(SkippedSize);
  asm volatile("" : : "r"(Skipped) : "memory"); // It is to be there.
  T.Work();
}

void setRunning(Thread &T, bool Runs) {
  std::lock_guard<std::mutex> Guard(T.Lock);
  T.Runs = Runs;
}

/// Those that were sent and have not come: nobody will be there for them.
void forgetStopSignals() {
  sigset_t Mask;
  sigemptyset(&Mask);
  sigaddset(&Mask, StopSignal);
  pthread_sigmask(SIG_BLOCK, &Mask, nullptr);
  const timespec AtOnce = {};
  while (sigtimedwait(&Mask, nullptr, &AtOnce) > 0)
    ;
}

void *threadMain(void *Argument) {
  auto *T = static_cast<Thread *>(Argument);
  blockHostSignals();
  HandlerStackUse Handlers(*T->Stack);
  Current = T;
  (void)forkGate().depth(); // A signal handler may not be the first to ask.
  setRunning(*T, true);
  if (sigsetjmp(T->Return, /*savemask=*/1) == 0)
    runFarFromBeginning(*T);
  releaseLocks(); // It may have been torn out of anything.
  setRunning(*T, false);
  forgetStopSignals();
  Current = nullptr;
  giveSignalsBack();
  return nullptr;
}

/// What a signal handler may not find out itself.
bool prepare() {
  dl_iterate_phdr(findCode, &OwnCode);
  AbortMessage = static_cast<void **>(
      dlvsym(RTLD_DEFAULT, "__abort_msg", "GLIBC_PRIVATE"));
  return true;
}

bool start(Thread &T) {
  static const bool Prepared = prepare();
  (void)Prepared;
  takeSignals(onSignal, onFatalError);
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setstack(&Attributes, T.Stack->bottom(), CompileStack::size());
  bool Started = pthread_create(&T.Id, &Attributes, threadMain, &T) == 0;
  pthread_attr_destroy(&Attributes);
  if (!Started)
    giveSignalsBack();
  return Started;
}

timespec after(std::chrono::milliseconds Limit) {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  auto Then = std::chrono::nanoseconds(Now.tv_nsec) + Limit;
  auto Seconds = std::chrono::duration_cast<std::chrono::seconds>(Then);
  return {Now.tv_sec + Seconds.count(), (Then - Seconds).count()};
}

} // namespace

CompileStack::CompileStack() {
  void *M =
      mmap(nullptr, TotalSize, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (M == MAP_FAILED)
    return;
  Memory = M;
  auto *Bytes = static_cast<char *>(M);
  mprotect(Bytes, GuardSize, PROT_NONE);
  mprotect(Bytes + GuardSize + HandlerSize, GuardSize, PROT_NONE);
}

CompileStack::~CompileStack() {
  if (Memory)
    munmap(Memory, TotalSize);
}

void *CompileStack::handlerStack() const {
  return static_cast<char *>(Memory) + GuardSize;
}
void *CompileStack::bottom() const {
  return static_cast<char *>(Memory) + GuardSize + HandlerSize + GuardSize;
}
size_t CompileStack::size() { return StackSize; }
size_t CompileStack::handlerStackSize() { return HandlerSize; }

GuardedRun::GuardedRun(CompileStack &Stack, std::function<void()> Work)
    : T(std::make_unique<Thread>()) {
  T->Stack = &Stack;
  T->Work = std::move(Work);
  T->Started = start(*T);
  T->Joined = !T->Started;
}

GuardedRun::~GuardedRun() { (void)problem(); }

bool GuardedRun::isOfAParent() const {
  return T->Generation != forkGate().generation();
}

void GuardedRun::stop() {
  std::lock_guard<std::mutex> Guard(T->Lock);
  if (!T->Runs)
    return;
  T->ToStop = true;
  pthread_kill(T->Id, StopSignal);
}

void GuardedRun::tearOut() {
  Thread *T = Current;
  if (!T || forkGate().depth())
    return;
  T->Stopped = true;
  siglongjmp(T->Return, 1);
}

bool GuardedRun::wasStopped() {
  (void)problem();
  return T->Stopped;
}

bool GuardedRun::ended(std::chrono::milliseconds Limit) {
  if (T->Joined)
    return true;
  timespec Deadline = after(Limit);
  T->Joined =
      pthread_clockjoin_np(T->Id, nullptr, CLOCK_MONOTONIC, &Deadline) == 0;
  return T->Joined;
}

std::string GuardedRun::problem() {
  if (!T->Joined)
    pthread_join(T->Id, nullptr);
  T->Joined = true;
  if (!T->Started)
    return "no thread could be started";
  if (T->Stopped)
    return "it was stopped";
  if (!T->Fatal.empty())
    return T->Fatal;
  if (T->StackIsUsedUp)
    return "it nests too deeply for a stack of " +
           std::to_string(StackSize >> 20) + " MB";
  if (T->Signal)
    return std::string("signal ") + strsignal(T->Signal);
  return {};
}

std::string clinch::engine::runGuarded(CompileStack &Stack,
                                       std::function<void()> Work) {
  return GuardedRun(Stack, std::move(Work)).problem();
}
