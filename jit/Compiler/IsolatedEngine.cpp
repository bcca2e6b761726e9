//===- IsolatedEngine.cpp - Compiles in killable processes ----------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IsolatedEngine.h"

#include "EngineProcess.h"
#include "Wire.h"
#include "lib/Support/Forks.h"

#include <climits>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace clinch;
using Clock = std::chrono::steady_clock;

namespace {

constexpr size_t MostIdle = 4;
/// The process enforces its time limit itself if it can; it is killed after
/// this much more.
constexpr std::chrono::milliseconds Grace(700);

/// The idle processes of all engines. Guarded by ProcessLock::EngineUse.
class Pool {
public:
  static Pool &process() {
    static constinit ForProcess<Pool> Only;
    return Only.get([] { return new Pool; });
  }

  /// Returns an idle process, or null.
  std::unique_ptr<EngineProcess> take(const std::string &Library) {
    // After a fork, drop those of the parent.
    std::erase_if(Idle, [](const auto &I) { return !I.second->isOurs(); });
    for (auto I = Idle.begin(); I != Idle.end(); ++I)
      if (I->first == Library) {
        std::unique_ptr<EngineProcess> P = std::move(I->second);
        Idle.erase(I);
        return P;
      }
    return nullptr;
  }
  /// Takes \p P unless the pool is full; then the caller kills it.
  void add(const std::string &Library, std::unique_ptr<EngineProcess> &P) {
    if (Idle.size() < MostIdle)
      Idle.emplace_back(Library, std::move(P));
  }

private:
  std::vector<std::pair<std::string, std::unique_ptr<EngineProcess>>> Idle;
};

class IsolatedEngine : public Engine {
public:
  IsolatedEngine(std::string Library, EngineConfig Config)
      : Library(std::move(Library)), Config(std::move(Config)) {}

  Expected<EngineResult> compile(const SourceText &Text,
                                 const CompileOptions &O) override;

private:
  Expected<std::unique_ptr<EngineProcess>> take(bool &IsFresh);
  void giveBack(std::unique_ptr<EngineProcess> P);

  const std::string Library;
  const EngineConfig Config;
};

std::string workingFolder() {
  char Folder[PATH_MAX];
  return getcwd(Folder, sizeof Folder) ? Folder : "/";
}

EngineProcess::Deadline deadlineOf(const CompileOptions &O) {
  if (!O.TimeLimitMs)
    return {Clock::now() + std::chrono::hours(24 * 365), O.Interrupted};
  return {Clock::now() + std::chrono::milliseconds(O.TimeLimitMs) + Grace,
          O.Interrupted};
}

/// Returns the error for a process that did not answer.
Error failureOf(EngineProcess::Outcome O, const std::string &Death,
                const CompileOptions &Options) {
  if (O == EngineProcess::Outcome::Interrupted)
    return Error(Error::Kind::Host, "The compile was interrupted.");
  if (O == EngineProcess::Outcome::Late)
    return Error(Error::Kind::Limit,
                 "The compile took longer than its limit of " +
                     std::to_string(Options.TimeLimitMs) + " ms.");
  return Error(Error::Kind::Crash,
               "The compiler crashed over this text: " + Death + ".");
}

Expected<EngineResult> IsolatedEngine::compile(const SourceText &Text,
                                               const CompileOptions &O) {
  const std::string Message = encodeRequest(Config, workingFolder(), Text, O);
  const EngineProcess::Deadline Until = deadlineOf(O);
  std::string Answer;
  bool IsFresh = false;
  CLINCH_TRY_ASSIGN(auto P, take(IsFresh));
  auto Outcome = P->ask(Message, Until, Answer);
  // An idle process may have died for another reason.
  while (Outcome == EngineProcess::Outcome::Died && !IsFresh) {
    CLINCH_TRY_ASSIGN(P, take(IsFresh));
    Outcome = P->ask(Message, Until, Answer);
  }
  if (Outcome != EngineProcess::Outcome::Answered)
    return failureOf(Outcome, P->end(), O);
  auto Reply = decodeReply(Answer);
  if (!Reply)
    return failureOf(EngineProcess::Outcome::Died, "it sent an invalid reply",
                     O);
  // Killing the process frees what a failed compile had allocated.
  const bool Reusable =
      *Reply || (Reply->error().kind() != Error::Kind::Limit &&
                 Reply->error().kind() != Error::Kind::Crash);
  if (Reusable)
    giveBack(std::move(P));
  return std::move(*Reply);
}

Expected<std::unique_ptr<EngineProcess>> IsolatedEngine::take(bool &IsFresh) {
  Pool &Waiting = Pool::process();
  std::unique_ptr<EngineProcess> P;
  {
    LockGuard Guard(lockOf(ProcessLock::EngineUse));
    P = Waiting.take(Library);
  }
  IsFresh = !P;
  if (P)
    return P;
  return EngineProcess::start(Library);
}

void IsolatedEngine::giveBack(std::unique_ptr<EngineProcess> P) {
  Pool &Waiting = Pool::process();
  LockGuard Guard(lockOf(ProcessLock::EngineUse));
  Waiting.add(Library, P);
}

} // namespace

std::unique_ptr<Engine> clinch::createIsolatedEngine(std::string Library,
                                                     EngineConfig Config) {
  return std::make_unique<IsolatedEngine>(std::move(Library),
                                          std::move(Config));
}
