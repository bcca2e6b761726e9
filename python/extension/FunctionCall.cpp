// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From arguments to outputs.

#include "FunctionObject.h"

#include "../../jit/Runtime/Border.h"
#include "../../jit/Runtime/CriticalSection.h"
#include "../../jit/Runtime/Raise.h"
#include "lib/Support/OutOfMemory.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>

using namespace clinch;
using namespace clinch::python;

static FunctionObject &self(PyObject *O) {
  return *reinterpret_cast<FunctionObject *>(O);
}

static std::string nameOf(const FunctionObject &F, size_t I) {
  const InputSlot &In = (*F.Inputs)[I];
  std::string Name = toString(In.Name.get());
  return "argument " + std::to_string(I + 1) +
         (Name.empty() ? "" : " (`" + Name + "`)");
}

static bool passesUnfiltered(const InputSlot &In, PyObject *Value) {
  return Py_TYPE(Value) == In.Exact &&
         (!In.Array.Dtype || In.Array.accepts(Value));
}

/// Returns a new reference to what goes into the cell, or null if that raises.
static PyObject *filtered(const FunctionObject &F, size_t I, PyObject *Value) {
  const InputSlot &In = (*F.Inputs)[I];
  if (F.Trusting || !In.Filter || passesUnfiltered(In, Value))
    return Py_NewRef(Value);
  PyObject *Out = PyObject_CallOneArg(In.Filter.get(), Value);
  if (!Out)
    addNote("Clinch was filtering " + nameOf(F, I) + " of " + describe(F.Name) +
            ".");
  return Out;
}

static bool mayBeDestroyed(const FunctionObject &F, size_t I, PyObject *Value) {
  if (!(*F.Inputs)[I].Destroyed || isWriteable(Value))
    return true;
  PyErr_Format(PyExc_ValueError,
               "%s is read-only, and an Op of this function works in place on "
               "it",
               nameOf(F, I).c_str());
  return false;
}

static bool cellsFit(const FunctionObject &F) {
  auto Fits = [](const PyRef &Cell) {
    return PyList_CheckExact(Cell.get()) && PyList_GET_SIZE(Cell.get()) == 1;
  };
  for (const InputSlot &In : *F.Inputs)
    if (!Fits(In.Cell))
      return false;
  for (const OutputSlot &Out : *F.Outputs)
    if (!Fits(Out.Cell))
      return false;
  return true;
}

static bool cellsAreWhole(const FunctionObject &F) {
  if (F.Only)
    return F.Only->cellsAreWhole();
  if (cellsFit(F))
    return true;
  PyErr_SetString(PyExc_TypeError,
                  "a cell of this function is no list of one item any more");
  return false;
}

static int runSteps(const FunctionObject &F) {
  for (Py_ssize_t I = 0; I < PyTuple_GET_SIZE(F.Steps); ++I) {
    PyObject *Step = PyTuple_GET_ITEM(F.Steps, I);
    PyObject *Done = PyObject_CallNoArgs(Step);
    if (!Done)
      return -1;
    Py_DECREF(Done);
  }
  return 0;
}

/// Returns a new reference to what a caller gets for \p Value, a reference that
/// it takes over; null if that raises.
static PyObject *given(const FunctionObject &F, const OutputSlot &Out,
                       PyObject *Value) {
  if (!Out.Copy) [[likely]]
    return Value;
  PyObject *Copy = PyObject_CallOneArg(Out.Copy.get(), Value);
  if (!Copy)
    addNote("Clinch was copying output " +
            std::to_string(&Out - F.Outputs->data() + 1) + " of " +
            describe(F.Name) +
            ", which shares memory with an input, a constant or another "
            "output; with `borrow=True` in an `In` and in the `Out` an output "
            "may share that of the input.");
  Py_DECREF(Value);
  return Copy;
}

/// Returns a new reference to an output's value, or null with an exception if
/// the code has changed its cell.
static PyObject *takeOutput(const FunctionObject &F, const OutputSlot &Out) {
  PyObject *Value = outputValue(Out.Cell.get());
  if (!Value) [[unlikely]]
    return nullptr;
  if (!Out.Moved)
    return given(F, Out, Py_NewRef(Value));
  PyList_SET_ITEM(Out.Cell.get(), 0, Py_NewRef(Py_None));
  return given(F, Out, Value);
}

static PyObject *readOutputs(const FunctionObject &F) {
  if (F.Single)
    return takeOutput(F, (*F.Outputs)[0]);
  PyObject *List = PyList_New(Py_ssize_t(F.Outputs->size()));
  for (size_t I = 0; List && I < F.Outputs->size(); ++I) {
    PyObject *Value = takeOutput(F, (*F.Outputs)[I]);
    if (!Value) [[unlikely]]
      Py_CLEAR(List);
    else
      PyList_SET_ITEM(List, Py_ssize_t(I), Value);
  }
  return List;
}

/// Whether a caller holds the value that the next run would write to.
static bool isHeld(const OutputSlot &Out) {
  PyObject *Value = cellValue(Out.Cell.get());
  return Out.Recycled && Value != Py_None && !isUnshared(Value);
}

namespace {
/// Removes values that callers still hold from the cells, for one run.
class HeldOutputs {
public:
  explicit HeldOutputs(const FunctionObject &F) {
    for (const OutputSlot &Out : *F.Outputs)
      if (isHeld(Out))
        hold(Out.Cell.get());
  }
  /// Restores the cells after a failure.
  void putBack() {
    for (auto &[Cell, Value] : Held)
      setCell(Cell, Value.release());
  }

private:
  void hold(PyObject *Cell) {
    prepareToThrow();
    try {
      Held.emplace_back(Cell, PyRef::borrow(cellValue(Cell)));
    } catch (const std::bad_alloc &) {
      putBack();
      throw;
    }
    setCell(Cell, Py_NewRef(Py_None));
  }

  std::vector<std::pair<PyObject *, PyRef>> Held;
};
} // namespace

static PyObject *runOnce(const FunctionObject &F) {
  const int Result = F.Only ? F.Only->runUnchecked() : runSteps(F);
  return Result == 0 ? readOutputs(F) : nullptr;
}

/// Runs the function after its input cells are filled. Returns a new reference.
static PyObject *runFilled(FunctionObject &F) noexcept {
  try {
    if (std::none_of(F.Outputs->begin(), F.Outputs->end(), isHeld)) [[likely]]
      return runOnce(F);
    HeldOutputs Held(F);
    PyObject *Result = runOnce(F);
    if (!Result)
      Held.putBack();
    return Result;
  } catch (const std::bad_alloc &) { // The caller must still empty the cells.
    return PyErr_NoMemory();
  }
}

namespace {
/// Marks the function as being called during its lifetime.
class Calling {
public:
  explicit Calling(FunctionObject &F) : F(F) {
    F.Busy = true;
#ifdef Py_GIL_DISABLED
    F.Runner = pthread_self();
#endif
  }
  ~Calling() { F.Busy = false; }
  Calling(const Calling &) = delete;
  Calling &operator=(const Calling &) = delete;

private:
  FunctionObject &F;
};
} // namespace

/// Waits until a call on another thread has returned, but at most a second.
/// Without a GIL, such a call may have given way just for a lock inside Python.
/// One that gives way for longer may be waiting for this very call.
static void letOthersReturn([[maybe_unused]] const FunctionObject &F) {
#ifdef Py_GIL_DISABLED
  using Clock = std::chrono::steady_clock;
  if (F.Only && F.Only->program().form() == Form::Function)
    return;
  const Clock::time_point Until = Clock::now() + std::chrono::seconds(1);
  while (F.Busy && !pthread_equal(F.Runner, pthread_self()) &&
         Clock::now() < Until) {
    GilReleased Aside;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
#endif
}

static PyObject *busy() {
  PyErr_SetString(PyExc_RuntimeError,
                  "this function is running already, and it keeps one state; "
                  "call it when it has returned, or give each caller its own "
                  "(`copy.copy(f)`)");
  return nullptr;
}

/// Function form keeps no state, so a nested call gets its own cells.
static PyObject *callOnOwnCells(FunctionObject &F,
                                const std::vector<PyRef> &Values) {
  if (!F.Only || F.Only->program().form() != Form::Function)
    return busy();
  const auto &Old = F.Only->cells();
  std::vector<PyRef> Cells(Old.size());
  auto Own = [&](PyObject *Cell) -> PyRef & {
    size_t I = 0;
    while (Old[I].get() != Cell)
      ++I;
    if (!Cells[I])
      Cells[I] = PyRef::steal(Py_BuildValue("[O]", cellValue(Cell)));
    return Cells[I];
  };
  for (size_t I = 0; I < F.Inputs->size(); ++I) {
    PyRef &Cell = Own((*F.Inputs)[I].Cell.get());
    if (Cell && Values[I])
      setCell(Cell.get(), Py_NewRef(Values[I].get()));
  }
  for (const OutputSlot &Out : *F.Outputs)
    Own(Out.Cell.get());
  for (size_t I = 0; I < Old.size(); ++I) // Constants are shared.
    if (!Cells[I])
      Cells[I] = Old[I];
  if (PyErr_Occurred())
    return nullptr;
  std::vector<PyRef> Mine = Cells;
  Expected<std::unique_ptr<Thunk>> T =
      Thunk::create(F.Only->sharedProgram(), std::move(Cells));
  if (!T)
    return raiseNull(T.error());
  if ((*T)->run() != 0)
    return nullptr;
  PyRef List = PyRef::steal(PyList_New(0));
  for (const OutputSlot &Out : *F.Outputs)
    for (size_t I = 0; I < Old.size(); ++I) {
      if (Old[I].get() != Out.Cell.get() || !List)
        continue;
      PyObject *Left = outputValue(Mine[I].get());
      PyRef Value = PyRef::steal(Left ? given(F, Out, Py_NewRef(Left)) : Left);
      if (!Value || PyList_Append(List.get(), Value.get()) < 0)
        return nullptr;
    }
  if (!List || PyErr_Occurred())
    return nullptr;
  return F.Single ? Py_NewRef(PyList_GET_ITEM(List.get(), 0)) : List.release();
}

static PyObject *callBound(FunctionObject &F,
                           const std::vector<PyObject *> &Args) {
  std::vector<PyRef> Values(Args.size());
  for (size_t I = 0; I < Args.size(); ++I) {
    if (!Args[I])
      continue;
    Values[I] = PyRef::steal(filtered(F, I, Args[I]));
    if (!Values[I] || !mayBeDestroyed(F, I, Values[I].get()))
      return nullptr;
  }
  letOthersReturn(F);
  if (!cellsAreWhole(F))
    return nullptr;
  if (F.Busy)
    return callOnOwnCells(F, Values);
  Calling Now(F);
  for (size_t I = 0; I < Args.size(); ++I) {
    PyObject *Cell = (*F.Inputs)[I].Cell.get();
    if (!Args[I])
      continue;
    // From here on Values has the cell's old value: its default, or None.
    PyObject *Old = Py_NewRef(cellValue(Cell));
    setCell(Cell, Values[I].release());
    Values[I] = PyRef::steal(Old);
  }
  PyObject *Result = runFilled(F);
  for (size_t I = Args.size(); I-- > 0;)
    if (Args[I])
      setCell((*F.Inputs)[I].Cell.get(), Values[I].release());
  return Result;
}

/// Whether the fast path applies: all arguments are there, unfiltered.
static bool canUseFastPath(const FunctionObject &F, PyObject *const *Args,
                           size_t Count) {
  if (Count != F.Inputs->size() || F.Busy || !F.Only)
    return false;
  for (const InputSlot &In : *F.Inputs) {
    PyObject *Value = *Args++;
    if (Py_TYPE(Value) == In.Quick) [[likely]]
      continue;
    if (In.Defaulted || In.Destroyed ||
        !(F.Trusting || passesUnfiltered(In, Value)))
      return false;
  }
  return true;
}

/// Returns the object whose section protects a call: the only thunk, which may
/// also be run by itself, or the function.
static PyObject *turnOf(PyObject *O) {
  const FunctionObject &F = self(O);
  return F.Only ? PyTuple_GET_ITEM(F.Steps, 0) : O;
}

/// Puts an argument into a cell. The None that was there belongs to the caller
/// until he puts it back: to count it down and up again for each argument is
/// what calls would wait for.
static void fill(PyObject *Cell, PyObject *Value) {
  if (PyList_GET_SIZE(Cell) == 1 && cellValue(Cell) == Py_None) [[likely]] {
    PyList_SET_ITEM(Cell, 0, Py_NewRef(Value));
    return;
  }
  setCell(Cell, Py_NewRef(Value));
  Py_INCREF(Py_None);
}

static PyObject *call(PyObject *O, PyObject *const *Args, size_t Flagged,
                      PyObject *Names) {
  CriticalSection Turn(turnOf(O));
  FunctionObject &F = self(O);
  size_t Count = PyVectorcall_NARGS(Flagged);
  if (Names || !canUseFastPath(F, Args, Count)) {
    prepareToThrow();
    std::vector<PyObject *> Bound;
    return bindArguments(F, Args, Count, Names, Bound) ? callBound(F, Bound)
                                                       : nullptr;
  }
  if (!F.Only->cellsAreWhole())
    return nullptr;
  Calling Now(F);
  const InputSlot *Inputs = F.Inputs->data();
  for (size_t I = 0; I < Count; ++I)
    fill(Inputs[I].Cell.get(), Args[I]);
  PyObject *Result = runFilled(F);
  for (size_t I = 0; I < Count; ++I)
    setCell(Inputs[I].Cell.get(), Py_None);
  return Result;
}

PyObject *python::callFunction(PyObject *O, PyObject *const *Args,
                               size_t Flagged, PyObject *Names) {
  return quickBorder<call>(O, Args, Flagged, Names);
}
