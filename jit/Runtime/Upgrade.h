// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tier-up of a running program.
//
// A program that begins with the code of another tier gets that of the
// requested tier here. The same text is compiled in the background once the
// program runs often enough, and its thunks switch to it between two runs.

#pragma once

#include "jit/Runtime/Program.h"

#include <atomic>
#include <chrono>
#include <optional>

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

} // namespace clinch
