// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that Python calls.

#pragma once

#include "ArrayLayout.h"
#include "Objects.h"

#include <pthread.h>

namespace clinch::python {

/// How one argument gets into its cell. Owns its references.
struct InputSlot {
  PyRef Cell;
  PyTypeObject *Quick = nullptr; ///< Exact, if nothing else is to be looked at.
  PyRef Name;                    ///< A str, or None.
  PyRef Filter;                  ///< Called if the quick check refuses a value.
  PyTypeObject *Exact = nullptr; ///< Its instances need no filter if, for
                                 ///< arrays, Array accepts them.
  PyRef ExactOwner;              ///< Owns Exact.
  ArraySpec Array;
  bool Defaulted = false; ///< May be left out; its cell holds the default.
  bool Destroyed = false; ///< Some Op works in place on it.
};

struct OutputSlot {
  PyRef Cell;
  /// The code may reuse the cell's value, unless a caller holds it.
  bool Recycled = false;
  bool Computed = false; ///< By an apply: neither input nor constant.
  /// Nobody needs the value in the cell after the call.
  bool Moved = false;
  /// Makes the copy that a caller gets, or null: the value shares memory that
  /// is not his, and its Type has no C code that copies.
  PyRef Copy;
};

/// _clinch.Function: filters its arguments, fills cells, runs its steps, reads
/// the outputs. Owns Steps, Details and Name.
struct FunctionObject {
  PyObject_HEAD vectorcallfunc Vectorcall;
  PyObject *WeakReferences;
  std::vector<InputSlot> *Inputs;
  std::vector<OutputSlot> *Outputs;
  /// The thunk if it is the only step, else null; Steps owns it.
  Thunk *Only;
  PyObject *Steps;   ///< A tuple of callables.
  PyObject *Details; ///< Data of the Python package.
  PyObject *Name;
  bool Single; ///< Returns one value, not a list.
  bool Trusting;
  bool Busy;
  /// The thread whose call makes it busy; kept without a GIL only.
  pthread_t Runner;
};

/// The vectorcall of FunctionObject. Returns a new reference.
PyObject *callFunction(PyObject *O, PyObject *const *Args, size_t Flagged,
                       PyObject *Names);

/// Binds arguments by position and name, in the order of the inputs. \p Bound
/// gets borrowed references, null for defaults. Returns false with a TypeError.
bool bindArguments(const FunctionObject &F, PyObject *const *Args, size_t Count,
                   PyObject *Names, std::vector<PyObject *> &Bound);

} // namespace clinch::python
