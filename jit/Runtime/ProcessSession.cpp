// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The session that Python shares.

#include "ProcessSession.h"

#include "CriticalSection.h"
#include "lib/Support/Forks.h"

#include <Python.h>
#include <array>
#include <atomic>
#include <vector>

using namespace clinch;

namespace {
struct Shared {
  Session::Options Options;
  std::array<std::shared_ptr<Session>, 2> Current; ///< The second: isolated.
  /// Other threads may still compile in them.
  std::vector<std::shared_ptr<Session>> Retired;
};
} // namespace

static Shared &shared() {
  static constinit ForProcess<Shared> Only;
  return Only.get([] { return new Shared(); });
}

static Session &currentSession(Shared &S, bool Isolated) {
  std::shared_ptr<Session> &Current = S.Current[Isolated];
  if (!Current) {
    Session::Options O = S.Options;
    O.Isolated = Isolated;
    Current = Session::create(std::move(O));
  }
  return *Current;
}

Session &clinch::processSession(bool Isolated) {
  CriticalSection Turn(processObject());
  return currentSession(shared(), Isolated);
}

Session::Stats clinch::processStats() {
  CriticalSection Turn(processObject());
  Shared &S = shared();
  Session::Stats Sum = currentSession(S, false).stats();
  if (const std::shared_ptr<Session> &Isolated = S.Current[true]) {
    const Session::Stats More = Isolated->stats();
    Sum.Compiles += More.Compiles;
    Sum.MemoryHits += More.MemoryHits;
    Sum.DiskHits += More.DiskHits;
  }
  return Sum;
}

void clinch::configureProcessSession(Session::Options O) {
  CriticalSection Turn(processObject());
  Shared &S = shared();
  S.Options = std::move(O);
  for (std::shared_ptr<Session> &Current : S.Current)
    if (Current)
      S.Retired.push_back(std::move(Current));
}

bool clinch::pythonHasEnded() {
  static std::atomic<bool> Ended = false;
  static constinit ForProcess<const bool> Watched;
  auto Watch = [] { return new bool(Py_AtExit([] { Ended = true; }) == 0); };
  return Watched.get(Watch) && Ended;
}

Status clinch::pythonHasBegun() {
  if (Py_IsInitialized())
    return Status::success();
  return Error(Error::Kind::InvalidArgument,
               "There is no Python interpreter in this process yet: call "
               "`Py_Initialize()` first.");
}
