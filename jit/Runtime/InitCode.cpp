// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module's c_init_code, run once.
//
// Functions of one text share its module, and each asks for this. The author's
// code may release the GIL, so a second thread may ask meanwhile.

#include "jit/Runtime/InitCode.h"

#include "Border.h"
#include "CriticalSection.h"
#include "ProcessSession.h"
#include "Raise.h"
#include "jit/Compiler/InProgress.h"

#include <cstdint>
#include <string>

using namespace clinch;

namespace {
using InitFn = int (*)();

/// The run of one init, for which other threads wait.
class Run {
public:
  explicit Run(InitFn Fn)
      : Key("c_init_code " + std::to_string(reinterpret_cast<uintptr_t>(Fn))) {}
  ~Run() {
    if (Begun)
      InProgress::process().finish(Key);
  }
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;

  /// Waits for its turn.
  Status begin();

private:
  std::string Key;
  bool Begun = false;
};
} // namespace

Status Run::begin() {
  GilReleased Gil;
  auto Interrupted = [&] { return Gil.signalRaised(); };
  while (auto Other = InProgress::process().waitOrLead(Key, Interrupted)) {
    if (Other->LeftWaiting)
      return Error(Error::Kind::Host, "Python raised an exception.");
    if (Other->NeedsCaller)
      return Error(Error::Kind::InvalidArgument,
                   "A `c_init_code` makes a function that needs this "
                   "`c_init_code` itself, which has not ended: expected it to "
                   "make functions of other texts only.");
  }
  Begun = true;
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
  Run Turn(Fn);
  CLINCH_TRY(Turn.begin());
  CriticalSection Alone(processObject());
  if (callCode(Fn) == 0)
    return PyErr_Occurred() ? Status(hostError()) : Status::success();
  if (!PyErr_Occurred())
    PyErr_SetString(PyExc_RuntimeError,
                    "a c_init_code failed without setting an exception");
  addNote("Clinch was running the c_init_code of a module.");
  return hostError();
}
