// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tier-up of a running program.

#include "Upgrade.h"

#include "Raise.h"
#include "UpgradeThread.h"
#include "clinch/Clinch.h"
#include "lib/Support/Forks.h"

#include <limits>
#include <new>

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
