// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls into Python: with the lock, without it, and what they may not throw.
//
// Method tables and slots contain border<function> for each function that
// Python's C code calls: it turns std::bad_alloc into a MemoryError. Functions
// that allocate nothing, such as tp_traverse, need none.

#pragma once

#include "clinch/Compiler/Session.h"
#include "lib/Support/OutOfMemory.h"

#include <Python.h>
#include <new>
#include <type_traits>

namespace clinch {

template <auto F, typename Type = decltype(F)> struct Border;
template <auto F, typename R, typename... ArgTs>
struct Border<F, R (*)(ArgTs...)> {
  static R call(ArgTs... Args) {
    prepareToThrow();
    return callPrepared(Args...);
  }
  static R callPrepared(ArgTs... Args) {
    try {
      return F(Args...);
    } catch (const std::bad_alloc &) {
      PyErr_NoMemory();
    }
    if constexpr (std::is_pointer_v<R>)
      return nullptr;
    else
      return R(-1);
  }
};

/// Like \p F, but returns null or -1 with a MemoryError if memory runs out.
template <auto F> constexpr auto *border = &Border<F>::call;

/// For calls of functions, where each nanosecond counts: their slow paths call
/// prepareToThrow() themselves.
template <auto F> constexpr auto *quickBorder = &Border<F>::callPrepared;

/// For slots, which are all of one type.
template <auto F> void *slot() noexcept {
  return reinterpret_cast<void *>(border<F>);
}

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
