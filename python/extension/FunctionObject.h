//===- FunctionObject.h - What a call of a function needs -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_PYTHON_EXTENSION_FUNCTIONOBJECT_H
#define CLINCH_PYTHON_EXTENSION_FUNCTIONOBJECT_H

#include "ArrayLayout.h"
#include "Objects.h"

#include <pthread.h>

namespace clinch::python {

/// How one argument gets into its cell.
struct InputSlot {
  PyRef Cell;
  PyRef Name;                    ///< A str, or None.
  PyRef Filter;                  ///< Called for what the quick check refuses.
  PyTypeObject *Exact = nullptr; ///< Of this very class: no filter needed...
  PyRef ExactOwner;
  ArraySpec Array;        ///< ... and for arrays this holds too.
  bool Defaulted = false; ///< May be left out; its cell holds the default.
  bool Destroyed = false; ///< Some Op works in place on it.
};

struct OutputSlot {
  PyRef Cell;
  /// The code may write into what the cell holds: not if a caller has it.
  bool Recycled = false;
  bool Computed = false; ///< By an apply: neither input nor constant.
  /// Nobody needs the value in the cell after the call.
  bool Moved = false;
};

/// _clinch.Function: filters its arguments, fills cells, runs its steps, reads
/// the outputs.
struct FunctionObject {
  PyObject_HEAD vectorcallfunc Vectorcall;
  PyObject *WeakReferences;
  std::vector<InputSlot> *Inputs;
  std::vector<OutputSlot> *Outputs;
  /// The thunk, when it is the only step; else null.
  Thunk *Only;
  PyObject *Steps;   ///< A tuple of callables.
  PyObject *Details; ///< Whatever the package wants to find again.
  PyObject *Name;
  bool Single; ///< One value, not a list.
  bool Trusting;
  bool Busy;
  /// Of the call that makes it busy; kept where threads run at once.
  pthread_t Runner;
};

PyObject *callFunction(PyObject *O, PyObject *const *Args, size_t Flagged,
                       PyObject *Names);

/// Arguments by position and name, in the order of the inputs; a borrowed
/// reference each, null where the default is meant. False with a TypeError.
bool bindArguments(const FunctionObject &F, PyObject *const *Args, size_t Count,
                   PyObject *Names, std::vector<PyObject *> &Bound);

} // namespace clinch::python

#endif // CLINCH_PYTHON_EXTENSION_FUNCTIONOBJECT_H
