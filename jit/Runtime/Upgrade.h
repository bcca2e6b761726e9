//===- Upgrade.h - Better code for a program that runs ----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that began with the code of another tier gets that of the tier that
// was asked for from here: the same text, compiled on a thread behind it when
// it runs often enough, and taken by its thunks between two runs.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_UPGRADE_H
#define CLINCH_JIT_RUNTIME_UPGRADE_H

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

  /// \p Size: of the state that will be handed over. \p First: the tier of the
  /// code that runs meanwhile.
  Upgrade(Request R, Tier First, ModuleInit Init, size_t Size)
      : First(First), Wanted(R.Options.Level), Init(Init), StateSize(Size),
        What(std::make_shared<Request>(std::move(R))) {}

  enum class Progress { Waiting, Compiled, Failed };
  Progress progress() const { return Now.load(std::memory_order_acquire); }
  Tier first() const { return First; }
  Tier wanted() const { return Wanted; }

  /// The program ran once more. When it has done so twice the thread is asked
  /// for the code; who has run more often gets it sooner.
  void countRun();
  size_t runs() const { return Runs.load(std::memory_order_relaxed); }

  /// Asks for it before all others and waits until it is there, has failed,
  /// \p Leave says so, or \p Until has passed. Needs no GIL, and should not
  /// have it.
  void wait(std::chrono::steady_clock::time_point Until,
            const std::function<bool()> &Leave);

  /// The new code once it is there, with its module initialised, else null.
  /// The GIL is held; no exception is pending afterwards that was not before.
  const Program::Entries *take();
  /// The cache's key of the new code; empty until it is there.
  std::string key() const;
  /// Why there is none; null as long as there may be. The GIL is held.
  const Error *failure() const;
  /// The same in words, for who is told first; nothing for all others.
  std::optional<std::string> tellFailure();
  /// "`Twice.c_code` for `node_3`, line 2: ..." where that is known.
  static std::string describe(const Error &E);

  // For the thread.
  /// Null once it is done.
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
  // The next two are guarded by ProcessLock::Upgrades.
  std::shared_ptr<const Request> What;
  Module Code;
  // Set once, under the same lock: before Now says Failed, and before Taken.
  std::optional<Error> Why;
  std::optional<Program::Entries> Found;
  std::atomic<const Program::Entries *> Taken{nullptr};
  std::atomic<bool> Told{false};
};

const char *tierName(Tier T); ///< "max".

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_UPGRADE_H
