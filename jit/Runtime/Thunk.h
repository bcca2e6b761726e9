// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thunk, and what it says of a wrong output.

#pragma once

#include "clinch/Compiler/Options.h"
#include "jit/Runtime/Program.h"

#include <Python.h>
#include <chrono>

namespace clinch {

/// A program with its cells (lists of one) and, in struct form, its state.
/// The caller fills the cells before each run; their values are not checked
/// here.
class Thunk {
public:
  /// \p Cells has a list, or null to make one, for each of P.cells(). A new
  /// cell holds the value of its constant, or None.
  static Expected<std::unique_ptr<Thunk>>
  create(std::shared_ptr<const Program> P, std::vector<PyRef> Cells);
  ~Thunk();
  Thunk(const Thunk &) = delete;
  Thunk &operator=(const Thunk &) = delete;

  /// Returns 0, or -1 with an exception set. The struct form fails if the thunk
  /// is already running; the function form may run twice at once.
  int run();
  /// The same, for a caller that has just called cellsAreWhole().
  int runUnchecked() noexcept;
  /// Returns false with an exception if cleared or a cell is no list of one.
  bool cellsAreWhole();
  /// The same, for a thunk that was never cleared.
  bool cellsFit();
  /// Turns what the code returned into 0, or -1 with an explained exception.
  int finish(int Result) noexcept;

  const Program &program() const { return *P; }
  const std::shared_ptr<const Program> &sharedProgram() const { return P; }
  const std::vector<PyRef> &cells() const { return Cells; }
  PyObject *cell(size_t I) const { return Raw[I]; }
  void *state() const { return State; }
  bool running() const { return Running; }
  /// The task that failed in the last run, or null.
  const Task *failed() const { return Failed; }

  /// Whether better code is still to come.
  bool pending() const { return PendingUpgrade && Run; }
  /// Which code runs: "max"; or "fast; max is to come", "fast; max failed".
  std::string code() const;
  /// Switches to the better code, waiting for it until \p Until; a running
  /// thunk keeps its code. Returns 0, or -1 with the exception of a signal
  /// handler or the reason why there is no better code.
  int settle(std::chrono::steady_clock::time_point Until =
                 std::chrono::steady_clock::time_point::max());

  /// Releases state and cells, for the garbage collector.
  void clear();
  int traverse(visitproc Visit, void *Arg) const;

private:
  explicit Thunk(std::shared_ptr<const Program> P) : P(std::move(P)) {}
  int init();
  int pollUpgrade() noexcept;
  int lookForUpgrade();
  void switchToUpgrade();
  int alreadyRunning();
  int abandon() noexcept;
  bool hasCells();

  std::shared_ptr<const Program> P;
  Program::RunFn Run = nullptr;
  Program::CleanupFn Cleanup = nullptr;
  Upgrade *PendingUpgrade = nullptr; ///< Until it is taken, or fails.
  void *State = nullptr;
  bool Running = false;
  bool Cleared = false;
  std::vector<PyObject *> Raw; ///< Passed to the code; the same as Cells.
  std::vector<PyRef> Cells;
  const Task *Failed = nullptr;
};

/// Returns the item of a cell, borrowed.
inline PyObject *cellValue(PyObject *Cell) { return PyList_GET_ITEM(Cell, 0); }
/// Returns what a run left in an output's cell, borrowed, or null with an
/// exception if the code has changed the list's size.
PyObject *outputValue(PyObject *Cell);
/// Puts \p NewReference, which it takes over, into a cell. If code has changed
/// the list's size, drops the reference and leaves the list alone.
inline void setCell(PyObject *Cell, PyObject *NewReference) {
  if (PyList_GET_SIZE(Cell) != 1) [[unlikely]] {
    Py_DECREF(NewReference);
    return;
  }
  PyObject *Old = PyList_GET_ITEM(Cell, 0);
  PyList_SET_ITEM(Cell, 0, NewReference);
  Py_XDECREF(Old);
}

/// Assembled code calls this if \p Left, borrowed, or NULL, is not what the
/// Type of an output says: \p Wanted, "an array of float64 with 1 dimension".
/// Sets a TypeError that names \p Hook, "`Neg.c_code`", and \p Output, "output
/// 1 (`y`)", unless an exception is pending.
extern "C" void clinch_wrong_output(PyObject *Left, const char *Hook,
                                    const char *Output,
                                    const char *Wanted) noexcept;

/// Lets the code call clinch_wrong_output().
void addWrongOutput(CompileOptions &O);

} // namespace clinch
