// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Better code for a function that is in use.

#include "Upgrade.h"
#include "Raise.h"
#include "clinch/Clinch.h"
#include "lib/Support/Forks.h"
#include "lib/Support/OutOfMemory.h"

#include <algorithm>
#include <csignal>
#include <limits>
#include <new>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

using namespace clinch;

void Upgrade::ask() {
  if (Asked.exchange(true))
    return UpgradeThread::process().wake();
  try {
    UpgradeThread::process().add(weak_from_this());
  } catch (const std::bad_alloc &) { // Let the next call try again.
    Asked = false;
    throw;
  }
}

void Upgrade::countRun() {
  constexpr size_t Enough = 2;
  if (Runs.fetch_add(1, std::memory_order_relaxed) + 1 >= Enough)
    ask();
}

void Upgrade::wait(std::chrono::steady_clock::time_point Until,
                   const std::function<bool()> &Leave) {
  Runs.store(std::numeric_limits<size_t>::max() / 2, std::memory_order_relaxed);
  ask();
  UpgradeThread::process().wait(*this, Until, Leave);
}

std::shared_ptr<const Upgrade::Request> Upgrade::request() const {
  LockGuard Guard(lockOf(ProcessLock::Upgrades));
  return What;
}

void Upgrade::fail(Error E) {
  Why = std::move(E);
  Now.store(Progress::Failed, std::memory_order_release);
}

void Upgrade::finish(Expected<Module> Made) {
  std::shared_ptr<const Request> Done; // Destroyed without the lock.
  LockGuard Guard(lockOf(ProcessLock::Upgrades));
  Done = std::move(What);
  if (!Made)
    return fail(Made.takeError());
  Code = std::move(*Made);
  Now.store(Progress::Compiled, std::memory_order_release);
}

const Program::Entries *Upgrade::take() {
  const Program::Entries *Known = Taken.load(std::memory_order_acquire);
  if (Known || progress() != Progress::Compiled)
    return Known;
  PendingError Aside;
  Expected<Program::Entries> E =
      Program::Entries::find(Code, Form::Struct, Init);
  if (E && E->StateSize != StateSize)
    E = Error(Error::Kind::Compile,
              "the state has " + std::to_string(StateSize) +
                  " bytes in one tier and " + std::to_string(E->StateSize) +
                  " in the other");
  std::optional<Error> Bad;
  if (!E)
    Bad = PyErr_Occurred() ? takePythonError() : E.takeError();
  return settleOn(std::move(E), std::move(Bad));
}

/// While this thread initialised the module, another may have done the same.
const Program::Entries *Upgrade::settleOn(Expected<Program::Entries> E,
                                          std::optional<Error> Bad) {
  LockGuard Guard(lockOf(ProcessLock::Upgrades));
  const Program::Entries *Known = Taken.load(std::memory_order_relaxed);
  if (Known || progress() == Progress::Failed)
    return Known;
  if (Bad) {
    fail(std::move(*Bad));
    return nullptr;
  }
  Found = *E;
  Taken.store(&*Found, std::memory_order_release);
  return &*Found;
}

std::string Upgrade::key() const {
  return progress() == Progress::Compiled ? Code.key() : std::string();
}

const Error *Upgrade::failure() const {
  return progress() == Progress::Failed ? &*Why : nullptr;
}

const char *clinch::tierName(Tier T) {
  return T == Tier::Fast ? "fast" : T == Tier::Default ? "default" : "max";
}

std::string Upgrade::describe(const Error &E) {
  for (const Diagnostic &D : E.diagnostics())
    if (D.Level == Diagnostic::Severity::Error && !D.Origin.empty())
      return D.Origin + (D.Line ? ", line " + std::to_string(D.Line) : "") +
             ": " + D.Message;
  return E.message();
}

std::optional<std::string> Upgrade::tellFailure() {
  const Error *E = failure();
  if (!E || Told.exchange(true))
    return std::nullopt;
  return std::string("the code of the tier `") + tierName(Wanted) +
         "` could not be compiled; this function keeps that of the tier `" +
         tierName(First) + "`: " + describe(*E);
}

UpgradeThread &UpgradeThread::process() {
  // Never destroyed: the thread may outlive what is destroyed at exit.
  static constinit ForProcess<UpgradeThread> Only;
  return Only.get([] { return new UpgradeThread; });
}

UpgradeThread::UpgradeThread() {
  static constexpr ForkSteps Steps = {nullptr, nullptr, beginAnew};
  onFork(ProcessLock::UpgradeQueue, Steps);
  // The interpreter ends before the compiler's globals do.
  Py_AtExit([] { process().stop(); });
}

/// Runs in the child of a fork, which lacks the parent's thread. Forgets its
/// handle without joining it, and queues what it was compiling.
void UpgradeThread::beginAnew() {
  UpgradeThread &Only = process();
  Only.Thread.reset();
  new (&Only.Changed) std::condition_variable;
  if (Only.Running && !Only.Current.expired())
    Only.Waiting.push_back(Only.Current); // It was in there: there is room.
  Only.Current.reset();
  Only.Running = false;
}

void UpgradeThread::add(std::weak_ptr<Upgrade> U) {
  LockGuard Guard(Lock);
  Waiting.push_back(std::move(U));
  start();
}

void UpgradeThread::prepare(Session &S, CompileOptions O) {
  LockGuard Guard(Lock);
  Headers.emplace_back(&S, std::move(O));
  start();
}

bool UpgradeThread::isIdle() const {
  return Waiting.empty() && Headers.empty();
}

void UpgradeThread::wake() {
  if (Running)
    return;
  LockGuard Guard(Lock);
  start();
}

void UpgradeThread::start() {
  if (Stopped) {
    Headers.clear();
    Waiting.clear();
  }
  if (isIdle() || Running)
    return;
  join(); // It is ending: nothing waited.
  // If the system has no thread left, the next call tries again.
  Running = begin();
}

bool UpgradeThread::begin() {
  // Leave signals to the host's threads.
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  auto Main = [](void *Given) -> void * {
    static_cast<UpgradeThread *>(Given)->run();
    return nullptr;
  };
  pthread_t Id;
  const bool Begun = pthread_create(&Id, nullptr, Main, this) == 0;
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  if (Begun)
    Thread = Id;
  return Begun;
}

void UpgradeThread::join() {
  if (Thread)
    pthread_join(*std::exchange(Thread, std::nullopt), nullptr);
}

void UpgradeThread::run() {
  prepareToThrow();
  std::unique_lock<std::mutex> Guard(Lock);
  while (prepareNext(Guard)) { // A compile may wait for these already.
  }
  constexpr int Nicer = 10;
  setpriority(PRIO_PROCESS, id_t(syscall(SYS_gettid)), Nicer);
  while (prepareNext(Guard) || compileNext(Guard)) {
  }
  Running = false;
  Changed.notify_all();
}

bool UpgradeThread::prepareNext(std::unique_lock<std::mutex> &Guard) {
  if (Stopped || Headers.empty())
    return false;
  auto [S, Options] = std::move(Headers.back());
  Headers.pop_back();
  Guard.unlock();
  try {
    Options.Interrupted = [this] { return Stopped.load(); };
    (void)S->prepare(Options);
    // The compile that needs them will say so.
  } catch (const std::bad_alloc &) { // NOLINT(bugprone-empty-catch)
  }
  Guard.lock();
  return true;
}

bool UpgradeThread::compileNext(std::unique_lock<std::mutex> &Guard) {
  if (!takeNext())
    return false;
  std::weak_ptr<Upgrade> Now = Current;
  Guard.unlock();
  try {
    compile(Now);
  } catch (const std::bad_alloc &) {
    finish(Now, outOfMemory());
  }
  Guard.lock();
  Current.reset();
  Changed.notify_all();
  return true;
}

/// Takes what ran most often and is still in use; false if there is none.
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

/// Does not own \p U: the compile is abandoned when its last owner drops it, or
/// the interpreter ends.
void UpgradeThread::compile(const std::weak_ptr<Upgrade> &U) {
  std::shared_ptr<const Upgrade::Request> R;
  if (std::shared_ptr<Upgrade> Held = U.lock())
    R = Held->request();
  if (!R)
    return;
  CompileOptions Options = R->Options;
  Options.Interrupted = [&] { return Stopped || U.expired(); };
  finish(U, R->S.compile(R->Text, Options));
}

void UpgradeThread::finish(const std::weak_ptr<Upgrade> &U,
                           Expected<Module> Made) {
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
    start(); // This may be the child of a fork by now.
    Changed.wait_until(Guard, std::min(Until, Clock::now() + Interval));
    Guard.unlock(); // Callbacks may take locks that other threads hold.
    bool Leaves = Leave();
    Guard.lock();
    if (Leaves)
      return;
  }
}

void UpgradeThread::stop() {
  {
    LockGuard Guard(Lock);
    Stopped = true;
    Headers.clear();
    Waiting.clear();
  }
  join();
}
