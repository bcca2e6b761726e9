// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a thunk and keeps its events.

#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "CountingTypes.h"

#include "clinch/Compiler/Session.h"

#include <unordered_map>

namespace clinch::testing {

struct Event {
  int Kind, Number;
  bool operator==(const Event &) const = default;
};

/// What the blocks have said, and which of them shall fail.
struct Journal {
  std::vector<Event> Events;
  int FailAt = 0; ///< The number of the block that fails; 0: none does.
  int How = 1;    ///< 1: `fail`; 2: a C++ exception.
  long Buffers = 0, MostBuffers = 0;
};
extern Journal TheJournal;

/// In a build with AddressSanitizer the blocks are checked like the rest: these
/// are the flags for it.
inline std::vector<std::string> sanitizerFlags() {
#ifdef __SANITIZE_ADDRESS__
  // gcc's run time does not know how Clang checks types of functions.
  return {"-fsanitize=address,undefined", "-fno-sanitize=function,vptr",
          "-fno-sanitize-recover=all"};
#else
  return {};
#endif
}

/// One session for all tests of the program, without a cache on disk.
Session &session();

/// A compiled thunk with cells of Python integers.
class Machine {
public:
  Machine(const Graph &G, const AssembleOptions &O, Tier Level = Tier::Fast);
  ~Machine();
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  bool ok() const { return bool(Code); }
  /// 0, or the number of the block that failed in `clinch_init`.
  int init();
  /// 0, or the number of the block that failed in the call or the run.
  int run();
  void cleanup();

  void set(const Variable *V, long Value);
  long get(const Variable *V) const;
  /// Puts an object of the test's into every cell that only gives outputs;
  /// untouched() says whether all are still there.
  void markOutputs();
  bool untouched() const;
  /// References to what the cells of inputs and constants hold.
  std::vector<Py_ssize_t> references() const;

  const ThunkSource &source() const { return Source; }
  /// The numbers of blocks that say something, in \p InInit or in run.
  std::vector<int> speaking(bool InInit) const;
  /// What the ladder says when block \p FailAt fails (0: none) and the blocks
  /// \p Syncing sync.
  std::vector<Event> expected(bool InInit, int FailAt,
                              const std::vector<int> &Syncing) const;

private:
  PyObject *cell(const Variable *V) const;

  ThunkSource Source;
  Module Code;
  std::vector<PyObject *> Cells;
  std::vector<const Variable *> Outputs, Given;
  std::vector<char> State;
  PyObject *Mark = nullptr;
};

} // namespace clinch::testing
