// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles in killable processes.

#include "IsolatedEngine.h"

#include "EngineProcess.h"
#include "Wire.h"
#include "lib/Support/Forks.h"

#include <climits>
#include <cstring>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace clinch;
using Clock = std::chrono::steady_clock;

namespace {

constexpr size_t MostIdle = 8;

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

std::string workingFolder() {
  char Folder[PATH_MAX];
  return getcwd(Folder, sizeof Folder) ? Folder : "/";
}

EngineProcess::Deadline deadlineOf(const CompileOptions &O) {
  if (!O.TimeLimitMs)
    return {Clock::now() + std::chrono::hours(24 * 365), O.Interrupted};
  return {Clock::now() + std::chrono::milliseconds(O.TimeLimitMs),
          O.Interrupted};
}

Error crash(const std::string &How) {
  return Error(Error::Kind::Crash,
               "The compiler crashed over this text: " + How + ".");
}

/// Returns the error for a process that did not answer, and ends it.
Error failureOf(EngineProcess &P, EngineProcess::Outcome O,
                const std::string &Library, const CompileOptions &Options) {
  const EngineProcess::End How = P.end();
  if (O == EngineProcess::Outcome::Interrupted)
    return Error(Error::Kind::Host, "The compile was interrupted.");
  if (O == EngineProcess::Outcome::Late)
    return Error(Error::Kind::Limit,
                 "The compile took longer than its limit of " +
                     std::to_string(Options.TimeLimitMs) + " ms.");
  constexpr int NotLoaded = 127; // By the dynamic loader.
  if (How.Status == NotLoaded)
    return EngineProcess::cannotStart(
        Library,
        "it ended with status 127, as where its libraries are missing");
  if (How.Status && Options.MemoryLimit) // It has no other reason to.
    return Error(Error::Kind::Limit,
                 "The compile took more memory than its limit of " +
                     std::to_string(Options.MemoryLimit) + " bytes.");
  return crash(How.Signal ? std::string("signal ") + strsignal(How.Signal)
                          : "its process ended");
}

Expected<std::unique_ptr<EngineProcess>> take(const std::string &Library,
                                              bool &IsFresh) {
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

void giveBack(const std::string &Library, std::unique_ptr<EngineProcess> P) {
  Pool &Waiting = Pool::process();
  LockGuard Guard(lockOf(ProcessLock::EngineUse));
  Waiting.add(Library, P);
}

} // namespace

Expected<EngineResult> clinch::compileIsolated(const std::string &Library,
                                               const EngineConfig &Config,
                                               const SourceText &Text,
                                               const CompileOptions &O) {
  const std::string Message = encodeRequest(Config, workingFolder(), Text, O);
  const EngineProcess::Deadline Until = deadlineOf(O);
  std::string Answer;
  bool IsFresh = false;
  CLINCH_TRY_ASSIGN(auto P, take(Library, IsFresh));
  auto Outcome = P->ask(Message, Until, Answer);
  // An idle process may have died for another reason.
  while (Outcome == EngineProcess::Outcome::Died && !IsFresh) {
    CLINCH_TRY_ASSIGN(P, take(Library, IsFresh));
    Outcome = P->ask(Message, Until, Answer);
  }
  if (Outcome != EngineProcess::Outcome::Answered)
    return failureOf(*P, Outcome, Library, O);
  auto Reply = decodeReply(Answer);
  if (!Reply)
    return crash("it sent an invalid reply");
  // One whose engine has crashed is not asked again.
  if (*Reply || Reply->error().kind() != Error::Kind::Crash)
    giveBack(Library, std::move(P));
  return std::move(*Reply);
}
