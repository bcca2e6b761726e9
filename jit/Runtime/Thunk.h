//===- Thunk.h - Code with cells and state, ready to run --------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_THUNK_H
#define CLINCH_JIT_RUNTIME_THUNK_H

#include "jit/Runtime/Program.h"

#include <chrono>

namespace clinch {

/// A program with its cells (lists of one) and, in struct form, its state.
/// The caller fills the cells before each run; their values are not checked
/// here.
class Thunk {
public:
  /// \p Cells has a list, or null (then one is made), for each of P.cells().
  /// A cell that is made for a constant holds its value, any other None.
  static Expected<std::unique_ptr<Thunk>>
  create(std::shared_ptr<const Program> P, std::vector<PyRef> Cells);
  ~Thunk();
  Thunk(const Thunk &) = delete;
  Thunk &operator=(const Thunk &) = delete;

  /// 0, or -1 with an exception set. Never runs twice at once: the struct form
  /// says so, the function form does not mind.
  int run();
  /// The same for a caller who has just asked cellsAreWhole().
  int runUnchecked();
  /// False, with an exception set, when some cell is no list of one.
  bool cellsAreWhole();
  /// The same for a thunk that was never cleared.
  bool cellsFit();
  /// After the code returned \p Result: 0, or -1 with an exception explained.
  int finish(int Result);

  const Program &program() const { return *P; }
  const std::shared_ptr<const Program> &sharedProgram() const { return P; }
  const std::vector<PyRef> &cells() const { return Cells; }
  PyObject *cell(size_t I) const { return Raw[I]; }
  void *state() const { return State; }
  bool running() const { return Running; }
  /// The task that failed in the last run, or null.
  const Task *failed() const { return Failed; }

  /// Whether better code than what runs now is to come.
  bool pending() const { return PendingUpgrade && Run; }
  /// Which code runs: "max"; or "fast; max is to come", "fast; max failed".
  std::string code() const;
  /// Goes over to it, waiting for it if need be until \p Until; a thunk that is
  /// running stays as it is. 0, or -1 with an exception set: that of a signal's
  /// handler, or why there is no better code.
  int settle(std::chrono::steady_clock::time_point Until =
                 std::chrono::steady_clock::time_point::max());

  /// For a garbage collector: lets go of state and cells.
  void clear();
  int traverse(visitproc Visit, void *Arg) const;

private:
  explicit Thunk(std::shared_ptr<const Program> P) : P(std::move(P)) {}
  int init();
  int pollUpgrade();
  void switchToUpgrade();
  int alreadyRunning();
  bool hasCells();

  std::shared_ptr<const Program> P;
  Program::RunFn Run = nullptr;
  Program::CleanupFn Cleanup = nullptr;
  Upgrade *PendingUpgrade = nullptr; ///< Until it is taken, or fails.
  void *State = nullptr;
  bool Running = false;
  bool Cleared = false;
  std::vector<PyObject *> Raw; ///< What the code is given; same as Cells.
  std::vector<PyRef> Cells;
  const Task *Failed = nullptr;
};

/// The first item of a cell, borrowed; the cell is a list of one.
inline PyObject *cellValue(PyObject *Cell) { return PyList_GET_ITEM(Cell, 0); }
/// Puts a new reference into a cell. Code that ran may have changed the list:
/// then it is a cell no more, and is left alone.
inline void setCell(PyObject *Cell, PyObject *NewReference) {
  if (PyList_GET_SIZE(Cell) != 1) [[unlikely]] {
    Py_DECREF(NewReference);
    return;
  }
  PyObject *Old = PyList_GET_ITEM(Cell, 0);
  PyList_SET_ITEM(Cell, 0, NewReference);
  Py_XDECREF(Old);
}

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_THUNK_H
