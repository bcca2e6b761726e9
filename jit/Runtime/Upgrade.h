// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Better code for a function that is in use.
//
// A program that begins with the code of another tier gets that of the
// requested tier here. The same text is compiled in the background once the
// program runs often enough, and its thunks switch to it between two runs.

#pragma once

#include "clinch/Compiler/Session.h"
#include "jit/Runtime/Program.h"
#include "lib/Support/Forks.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <optional>
#include <pthread.h>
#include <utility>
#include <vector>

namespace clinch {

class Upgrade : public std::enable_shared_from_this<Upgrade> {
public:
  struct Request {
    Session &S; ///< Outlives everything.
    SourceText Text;
    CompileOptions Options;
  };

  /// \p First is the tier of the current code, and \p Size that of the state to
  /// hand over.
  Upgrade(Request R, Tier First, ModuleInit Init, size_t Size)
      : First(First), Wanted(R.Options.Level), Init(Init), StateSize(Size),
        What(std::make_shared<Request>(std::move(R))) {}

  enum class Progress { Waiting, Compiled, Failed };
  Progress progress() const { return Now.load(std::memory_order_acquire); }
  Tier first() const { return First; }
  Tier wanted() const { return Wanted; }

  /// Counts a run. The second asks the thread for the code; programs that run
  /// more often get it sooner.
  void countRun();
  size_t runs() const { return Runs.load(std::memory_order_relaxed); }

  /// Asks for the code before all others and waits until it is there or has
  /// failed, \p Leave returns true, or \p Until has passed. Call without the
  /// GIL.
  void wait(std::chrono::steady_clock::time_point Until,
            const std::function<bool()> &Leave);

  /// Returns the entry points of the new code, with its module initialised, or
  /// null. Needs the GIL; leaves no new exception pending.
  const Program::Entries *take();
  /// Returns the cache key of the new code; empty until it is there.
  std::string key() const;
  /// Returns why there is none; null while there may be. Needs the GIL.
  const Error *failure() const;
  /// Returns the failure as a message the first time, then nothing.
  std::optional<std::string> tellFailure();
  /// Returns "`Twice.c_code` for `node_3`, line 2: ..." if that is known.
  static std::string describe(const Error &E);

  /// For the thread: returns null once it is done.
  std::shared_ptr<const Request> request() const;
  void finish(Expected<Module> Made);

private:
  void ask();
  void fail(Error E);
  const Program::Entries *settleOn(Expected<Program::Entries> E,
                                   std::optional<Error> Bad);

  const Tier First, Wanted;
  const ModuleInit Init;
  const size_t StateSize;
  std::atomic<size_t> Runs{0};
  std::atomic<bool> Asked{false};
  std::atomic<Progress> Now{Progress::Waiting};
  // Guarded by ProcessLock::Upgrades; Code may be read once compiled.
  std::shared_ptr<const Request> What;
  Module Code;
  // Why is set before Now says Failed, and Found before Taken; both once, under
  // the same lock.
  std::optional<Error> Why;
  std::optional<Program::Entries> Found;
  std::atomic<const Program::Entries *> Taken{nullptr};
  std::atomic<bool> Told{false};
};

const char *tierName(Tier T); ///< "max".

// One low-priority thread for a process. It ends when there is nothing to do,
// and with the interpreter. The child of a fork has no such thread; it keeps
// what waits and starts its own.

class Upgrade;

class UpgradeThread {
public:
  static UpgradeThread &process();

  /// Precompiles headers, before all else; see Session::prepare(). Fails
  /// without a word, as the compile that needs them will say why. \p S outlives
  /// everything.
  void prepare(Session &S, CompileOptions O);
  /// Queues \p U, which is skipped if it is destroyed before its turn.
  void add(std::weak_ptr<Upgrade> U);
  /// Starts the thread if a fork left it behind.
  void wake();
  /// Waits until \p U is done, or as Upgrade::wait() says. Calls \p Leave
  /// twenty times a second.
  void wait(const Upgrade &U, std::chrono::steady_clock::time_point Until,
            const std::function<bool()> &Leave);
  /// Drops what waits, abandons the current compile, and compiles no more.
  void stop();

private:
  UpgradeThread();
  void start();
  bool begin();
  void join();
  void run();
  bool isIdle() const;
  bool prepareNext(std::unique_lock<std::mutex> &Guard);
  bool compileNext(std::unique_lock<std::mutex> &Guard);
  bool takeNext();
  void compile(const std::weak_ptr<Upgrade> &U);
  void finish(const std::weak_ptr<Upgrade> &U, Expected<Module> Made);
  static void beginAnew();

  std::mutex &Lock = lockOf(ProcessLock::UpgradeQueue);
  std::condition_variable Changed;
  std::vector<std::pair<Session *, CompileOptions>> Headers;
  std::vector<std::weak_ptr<Upgrade>> Waiting;
  std::weak_ptr<Upgrade> Current;
  std::atomic<bool> Running{false}, Stopped{false};
  std::optional<pthread_t> Thread; ///< Not yet joined.
};

} // namespace clinch
