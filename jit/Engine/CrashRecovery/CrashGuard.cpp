// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread and a stack of its own, in which a crash is an error.
//
// llvm::CrashRecoveryContext does not do, as a library is not a compiler:
//
// - Its handlers run on the thread's own stack. Where that is used up, the
//   process ends.
// - A signal on any other thread of the host takes its handlers out, all of
//   them, and gives back what was there when they came: the handlers that the
//   host has installed meanwhile are lost, as those of a faulthandler.
// - It survives an abort of glibc's, whose locks then stay locked.
// - It says neither LLVM's message of a fatal error nor that the stack was used
//   up.

#include "CrashGuard.h"
#include "../AtFork.h"
#include "HandlerLoop.h"
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
#include <functional>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <tuple>
#include <unistd.h>
#include <utility>

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
  std::string Fatal;                     ///< LLVM's message of a fatal error.
  std::string Over = "this text", Where; ///< See CrashSubject.
  pthread_t Id;
  const pid_t Process = getpid();
  bool Started = false;
  bool Joined = false;
  std::mutex Lock;
  std::condition_variable WhenEnded;
  bool Ended = false; ///< Guarded by Lock.

  bool crashed() const { return Signal || !Fatal.empty(); }
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
std::atomic<unsigned> Users{0}; ///< Changed with the lock.
std::array<struct sigaction, Signals.size()> Previous;
/// Handlers that others installed during a compile and left in place: they pass
/// signals on to ours, and ours to Previous.
std::array<struct sigaction, Signals.size()> Above;
std::atomic<std::new_handler> PreviousNewHandler{nullptr};

/// What glibc says when it aborts: a corrupted heap, a smashed stack, an
/// assertion.
struct AbortMessage {
  unsigned Size;
  char Text[1];
};
AbortMessage **LastMessage = nullptr;

HandlerLoop Loop;

std::atomic<unsigned> Crashes{0};

void endBy(int Signal) {
  signal(Signal, SIG_DFL);
  raise(Signal);
}

bool isHandler(const struct sigaction &Action) {
  return Action.sa_flags & SA_SIGINFO ||
         (Action.sa_handler != SIG_DFL && Action.sa_handler != SIG_IGN);
}

void passOn(int Signal, siginfo_t *Info, void *Context) {
  const unsigned Times = Loop.timesAt(__builtin_frame_address(0));
  if (Times > 2)
    return endBy(Signal);
  for (size_t I = 0; I != Signals.size(); ++I) {
    if (Signals[I] != Signal)
      continue;
    const bool IsAbove = Users && !Times && isHandler(Above[I]);
    const struct sigaction &Old = IsAbove ? Above[I] : Previous[I];
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

/// Where operator new fails and the host has nothing to say. What it throws
/// would not get through Clang: while it unwinds, a destructor may need memory,
/// and libstdc++ then prints (test_every_allocation.py).
void onNoMemory() {
  if (std::new_handler Handler = PreviousNewHandler)
    return Handler();
  Thread *T = Current.get();
  if (!T)
    throw std::bad_alloc();
  T->Fatal = "out of memory";
  siglongjmp(T->Return, 1);
}

/// Where malloc fails, as operator new does where it fails.
void onBadAlloc(void *, const char *, bool) {
  if (std::new_handler Handler = std::get_new_handler())
    Handler();
  throw std::bad_alloc();
}

bool isOurs(const struct sigaction &Action) {
  return Action.sa_flags & SA_SIGINFO && Action.sa_sigaction == onSignal;
}

bool isSame(const struct sigaction &A, const struct sigaction &B) {
  return A.sa_sigaction == B.sa_sigaction;
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
    if (isOurs(Before) || (isHandler(Above[I]) && isSame(Above[I], Before)))
      continue;
    Previous[I] = Before;
    Above[I] = {};
  }
  if (std::new_handler Before = std::set_new_handler(onNoMemory);
      Before != onNoMemory)
    PreviousNewHandler = Before;
  llvm::install_fatal_error_handler(onFatalError);
  llvm::install_bad_alloc_error_handler(onBadAlloc);
  return true;
}

/// Leaves handlers in place that others installed meanwhile.
void restoreHandlers() {
  for (size_t I = 0; I != Signals.size(); ++I) {
    struct sigaction Now;
    sigaction(Signals[I], nullptr, &Now);
    if (isOurs(Now))
      sigaction(Signals[I], isHandler(Above[I]) ? &Above[I] : &Previous[I],
                nullptr);
    else if (isHandler(Now))
      Above[I] = Now;
  }
  if (std::get_new_handler() == onNoMemory)
    std::set_new_handler(PreviousNewHandler);
}

void giveSignalsBack() {
  std::lock_guard<std::mutex> Guard(HandlerLock);
  if (--Users)
    return;
  restoreHandlers();
  llvm::remove_fatal_error_handler();
  llvm::remove_bad_alloc_error_handler();
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

/// As any thread's function must, for what it throws would end the process.
void runToEnd(Thread &T) {
  try {
    runFarFromBeginning(T);
  } catch (const std::bad_alloc &) {
    T.Fatal = "out of memory";
  }
}

void *threadMain(void *Argument) {
  auto *T = static_cast<Thread *>(Argument);
  blockHostSignals();
  HandlerStackUse Handlers(*T->Stack);
  clinch::prepareToThrow();
  clang::noteBottomOfStack(/*ForceSet=*/true);
  if (!Current.set(T))
    T->Fatal = "out of memory";
  else if (sigsetjmp(T->Return, /*savemask=*/1) == 0)
    runToEnd(*T);
  Current.set(nullptr);
  giveSignalsBack();
  std::lock_guard<std::mutex> Guard(T->Lock);
  Crashes += T->crashed();
  T->Ended = true;
  T->WhenEnded.notify_all();
  return nullptr;
}

bool start(Thread &T) {
  if (!*T.Stack || !takeSignals())
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

bool GuardedRun::worked() noexcept {
  join();
  return T && T->Started && !T->crashed();
}

static std::string problemOf(const GuardedRun::Thread &T) {
  if (!T.Fatal.empty())
    return T.Fatal;
  if (T.StackIsUsedUp)
    return "it nests too deeply for a stack of " +
           std::to_string(CompileStack::size() >> 20) + " MB";
  return std::string("signal ") + strsignal(T.Signal);
}

clinch::Status GuardedRun::result() {
  if (worked())
    return Status::success();
  if (!T)
    return Error(Error::Kind::Host,
                 "This process was forked while it compiled.");
  if (!T->Started)
    return Error(Error::Kind::Limit,
                 "The system has no thread or no stack for the compile.");
  return Error(Error::Kind::Crash, "The compiler crashed over " + T->Over +
                                       ": " + problemOf(*T) + T->Where + ".");
}

CrashSubject::CrashSubject(std::string Over, std::string Where) {
  if (Thread *T = Current.get())
    Before = {std::exchange(T->Over, std::move(Over)),
              std::exchange(T->Where, std::move(Where))};
}

CrashSubject::~CrashSubject() {
  if (Thread *T = Current.get())
    std::tie(T->Over, T->Where) = std::move(Before);
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

clinch::Status clinch::engine::runGuarded(CompileStack &Stack,
                                          std::function<void()> Work) {
  return GuardedRun(Stack, std::move(Work)).result();
}

unsigned clinch::engine::crashes() { return Crashes; }

namespace {
/// Each nesting level takes 0.8 kB in the parser, and much more in recursive
/// passes; only touched pages take memory. AddressSanitizer clears no larger
/// stack after a longjmp.
constexpr size_t StackSize = size_t(64) << 20;
constexpr size_t HandlerSize = size_t(64) << 10;
constexpr size_t GuardSize = size_t(64) << 10;
constexpr size_t TotalSize = GuardSize + HandlerSize + GuardSize + StackSize;
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

bool CompileStack::isBelow(const void *Address) const {
  auto *Bottom = static_cast<const char *>(bottom());
  return std::less<>()(Address, Bottom) &&
         std::greater_equal<>()(Address, Bottom - GuardSize);
}
