// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module's c_init_code, run once.
//
// Functions of one text share its module, and each asks for this. The author's
// code may release the GIL, so a second thread may ask meanwhile.

#include "jit/Runtime/InitCode.h"

#include "CriticalSection.h"
#include "GilReleased.h"
#include "ProcessSession.h"
#include "Raise.h"
#include "Thrown.h"
#include "lib/Support/Forks.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <thread>
#include <utility>

using namespace clinch;

namespace {
using InitFn = int (*)();

/// The inits that run now, and who waits for one.
struct Inits {
  std::map<InitFn, std::thread::id> Running;
  std::map<std::thread::id, InitFn> Waiting;
  std::condition_variable Ended;

  static Inits &process();
  static void beginAnew();
  /// Whether \p Fn cannot end before this thread goes on.
  bool needsThisThread(InitFn Fn) const;
};

/// Removes the entry of a running init.
class Running {
public:
  explicit Running(InitFn Fn) : Fn(Fn) {}
  ~Running() {
    Inits &All = Inits::process();
    LockGuard Guard(lockOf(ProcessLock::ModuleInits));
    All.Running.erase(Fn);
    All.Ended.notify_all();
  }
  Running(const Running &) = delete;
  Running &operator=(const Running &) = delete;

private:
  InitFn Fn;
};
} // namespace

Inits &Inits::process() {
  static constinit ForProcess<Inits> Only;
  static constexpr ForkSteps Steps = {nullptr, nullptr, beginAnew};
  return Only.get([] {
    onFork(ProcessLock::ModuleInits, Steps);
    return new Inits;
  });
}

/// The child of a fork has none of the other threads, so what they were running
/// has failed there.
void Inits::beginAnew() {
  Inits &All = process();
  std::erase_if(All.Running, [](const auto &Each) {
    return Each.second != std::this_thread::get_id();
  });
  All.Waiting.clear();
  new (&All.Ended) std::condition_variable;
}

bool Inits::needsThisThread(InitFn Fn) const {
  for (;;) {
    auto Leader = Running.find(Fn);
    if (Leader == Running.end())
      return false;
    if (Leader->second == std::this_thread::get_id())
      return true;
    auto Next = Waiting.find(Leader->second);
    if (Next == Waiting.end())
      return false;
    Fn = Next->second;
  }
}

/// Waits for its turn to run \p Fn.
static Status enter(InitFn Fn) {
  Inits &All = Inits::process();
  GilReleased Gil;
  const std::thread::id Me = std::this_thread::get_id();
  std::unique_lock<std::mutex> Guard(lockOf(ProcessLock::ModuleInits));
  while (!All.Running.try_emplace(Fn, Me).second) {
    if (All.needsThisThread(Fn))
      return Error(Error::Kind::InvalidArgument,
                   "A `c_init_code` makes a function that needs this "
                   "`c_init_code` itself, which has not ended: expected it to "
                   "make functions of other texts only.");
    All.Waiting[Me] = Fn;
    All.Ended.wait_for(Guard, std::chrono::milliseconds(50));
    All.Waiting.erase(Me);
    Guard.unlock();
    if (Gil.signalRaised())
      return Error(Error::Kind::Host, "Python raised an exception.");
    Guard.lock();
  }
  return Status::success();
}

Status clinch::initializeModule(const Module &Code) {
  if (pythonHasEnded())
    return Error(
        Error::Kind::InvalidArgument,
        "Python was finalized and initialized again in this process: a text "
        "with `c_init_code`, such as NumPy's, works only the first time.");
  auto *Fn = Code.lookupAs<InitFn>("clinch_module_init");
  if (!Fn)
    return Status::success();
  CLINCH_TRY(enter(Fn));
  Running Entry(Fn);
  CriticalSection Turn(processObject());
  if (callCode(Fn) == 0)
    return PyErr_Occurred() ? Status(hostError()) : Status::success();
  if (!PyErr_Occurred())
    PyErr_SetString(PyExc_RuntimeError,
                    "a c_init_code failed without setting an exception");
  addNote("Clinch was running the c_init_code of a module.");
  return hostError();
}
