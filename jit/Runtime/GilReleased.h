//===- GilReleased.h - Others run while C++ works -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_GILRELEASED_H
#define CLINCH_JIT_RUNTIME_GILRELEASED_H

#include <Python.h>

#include "clinch/Compiler/Session.h"

namespace clinch {

/// The GIL is given away while this lives.
class GilReleased {
public:
  GilReleased() : Saved(PyEval_SaveThread()) {}
  ~GilReleased() { PyEval_RestoreThread(Saved); }
  GilReleased(const GilReleased &) = delete;
  GilReleased &operator=(const GilReleased &) = delete;

  /// Whether the handler of a signal, such as that of Ctrl-C, has raised; its
  /// exception is the pending one then.
  bool signalRaised() {
    PyEval_RestoreThread(Saved);
    bool Raised = PyErr_CheckSignals() != 0;
    Saved = PyEval_SaveThread();
    return Raised;
  }

private:
  PyThreadState *Saved;
};

/// Session::compile without the GIL. A Ctrl-C ends the wait at once.
inline Expected<Module> compileWithoutGil(Session &S, const SourceText &Text,
                                          CompileOptions O) {
  GilReleased Gil;
  O.Interrupted = [&Gil] { return Gil.signalRaised(); };
  return S.compile(Text, O);
}

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_GILRELEASED_H
