// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes without the GIL.

#pragma once

#include <Python.h>

#include "clinch/Compiler/Session.h"

namespace clinch {

/// Releases the GIL during its lifetime.
class GilReleased {
public:
  GilReleased() : Saved(PyEval_SaveThread()) {}
  ~GilReleased() { PyEval_RestoreThread(Saved); }
  GilReleased(const GilReleased &) = delete;
  GilReleased &operator=(const GilReleased &) = delete;

  /// Runs signal handlers, such as that of Ctrl-C. Returns true if one raised;
  /// its exception is then pending.
  bool signalRaised() {
    PyEval_RestoreThread(Saved);
    bool Raised = PyErr_CheckSignals() != 0;
    Saved = PyEval_SaveThread();
    return Raised;
  }

private:
  PyThreadState *Saved;
};

/// Calls Session::compile without the GIL. A Ctrl-C ends the wait.
inline Expected<Module> compileWithoutGil(Session &S, const SourceText &Text,
                                          CompileOptions O) {
  GilReleased Gil;
  O.Interrupted = [&Gil] { return Gil.signalRaised(); };
  return S.compile(Text, O);
}

} // namespace clinch
