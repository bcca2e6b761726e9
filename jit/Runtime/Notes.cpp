// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The notes on a failed run.

#include "Notes.h"

#include "Raise.h"
#include "lib/Support/OutOfMemory.h"

#include <algorithm>

using namespace clinch;

static std::string quoted(const std::string &Text) { return "`" + Text + "`"; }

/// Returns "input 2 (`y`)", "output 1", "a constant" or "a temporary".
static std::string placeOf(const Program &P, const Variable &V) {
  std::string Name = V.name().empty() ? "" : " (" + quoted(V.name()) + ")";
  const Graph *G = P.graph();
  if (!G)
    return Name.empty() ? "a variable" : quoted(V.name());
  auto Find = [&](const std::vector<Variable *> &In, const char *What) {
    auto It = std::find(In.begin(), In.end(), &V);
    return It == In.end() ? std::string()
                          : What + std::to_string(It - In.begin() + 1) + Name;
  };
  std::string Place = Find(G->inputs(), "input ");
  if (Place.empty())
    Place = Find(G->outputs(), "output ");
  if (Place.empty())
    Place = (V.isConstant() ? "a constant" : "a temporary") + Name;
  return Place;
}

static std::string attributeText(PyObject *Value, const char *Name) {
  PyRef Attribute = attributeOrNull(Value, Name);
  PyErr_Clear();
  return Attribute ? ", " + std::string(Name) + " " + describe(Attribute.get())
                   : "";
}

/// Returns " of value (1, 2)", shortened; nothing for a value with a shape or
/// whose repr only names its class.
static std::string valueText(PyObject *Value) {
  PyRef Shape = attributeOrNull(Value, "shape");
  PyErr_Clear();
  if (Shape && Shape.get() != Py_None && PyObject_IsTrue(Shape.get()) != 0)
    return "";
  PyRef Short = PyRef::steal(PyImport_ImportModule("reprlib"));
  PyRef Text = PyRef::steal(
      Short ? PyObject_CallMethod(Short.get(), "repr", "(O)", Value) : nullptr);
  PyErr_Clear();
  std::string Out = toString(Text.get());
  return Out.empty() || Out[0] == '<' ? "" : " of value " + Out;
}

/// Returns class, dtype, shape, strides and value of an input or constant; ""
/// for others.
static std::string describeValue(const Program &P, const Variable &V,
                                 const std::vector<PyObject *> &Cells) {
  const auto &All = P.cells();
  auto It = std::find(All.begin(), All.end(), &V);
  if (It == All.end() || (V.owner() && !V.isConstant()))
    return "";
  PyObject *Cell = Cells[size_t(It - All.begin())];
  if (!PyList_CheckExact(Cell) || PyList_GET_SIZE(Cell) != 1)
    return "";
  PyObject *Value = PyList_GET_ITEM(Cell, 0);
  std::string Out = ", a " + quoted(Py_TYPE(Value)->tp_name);
  Out += attributeText(Value, "dtype") + attributeText(Value, "shape") +
         attributeText(Value, "strides");
  return Out + valueText(Value);
}

static std::string describeApply(const Program &P, const Apply &A,
                                 const std::vector<PyObject *> &Cells) {
  std::string Out;
  for (size_t I = 0; I < A.inputs().size(); ++I) {
    const Variable &V = *A.inputs()[I];
    std::string Name = V.name().empty() ? "" : " " + quoted(V.name());
    Out += "\n  argument " + std::to_string(I + 1) + Name + ": " +
           P.describeType(V.type()) + describeValue(P, V, Cells);
  }
  if (!A.info().Creation.empty())
    Out += "\n  made at " + A.info().Creation;
  return Out;
}

static std::string describeTask(const Program &P, const Task &T,
                                unsigned Number,
                                const std::vector<PyObject *> &Cells) {
  std::string Out =
      "Clinch: block " + std::to_string(Number) + ", " + T.Subject;
  if (T.Node) {
    Out += ", apply " + std::to_string(P.position(*T.Node)) + " of " +
           std::to_string(P.countApplies()) + ", failed.";
    return Out + describeApply(P, *T.Node, Cells);
  }
  if (T.Var)
    Out += ", " + placeOf(P, *T.Var) +
           ", failed.\n  type: " + P.describeType(T.Var->type()) +
           describeValue(P, *T.Var, Cells);
  return Out;
}

/// Python's API raises a SystemError if called with an exception pending. Makes
/// that exception the pending one again; returns false if there is none.
static bool unshadow() {
  if (!PyErr_ExceptionMatches(PyExc_SystemError))
    return false;
  PyObject *Type = nullptr, *Value = nullptr, *Traceback = nullptr;
  PyErr_Fetch(&Type, &Value, &Traceback);
  PyErr_NormalizeException(&Type, &Value, &Traceback);
  PyObject *Cause = Value ? PyException_GetCause(Value) : nullptr;
  std::string Message = describe(Value);
  if (!Cause || Message.find("exception set") == std::string::npos) {
    Py_XDECREF(Cause);
    PyErr_Restore(Type, Value, Traceback);
    return false;
  }
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(Cause)), Cause);
  Py_DECREF(Cause);
  for (PyObject *O : {Type, Value, Traceback})
    Py_XDECREF(O);
  return true;
}

/// Explains that the cell of a block's variable was changed, if it was.
static bool explainCellOf(const Program &P, const Task &T,
                          const std::vector<PyObject *> &Cells) {
  const auto &All = P.cells();
  auto It = std::find(All.begin(), All.end(), T.Var);
  if (!T.Var || It == All.end())
    return false;
  auto I = size_t(It - All.begin());
  if (PyList_CheckExact(Cells[I]) && PyList_GET_SIZE(Cells[I]) == 1)
    return false;
  explainCell(P, I, Cells[I]);
  return true;
}

/// Explains a number that no block has.
static void explainNumber(unsigned Number) {
  const std::string Why = "a block set `failure` to " +
                          std::to_string(int(Number)) +
                          ", and no block has that number; use `fail`";
  if (PyErr_Occurred())
    addNote("Clinch: " + Why + ".");
  else
    PyErr_SetString(PyExc_RuntimeError, Why.c_str());
}

static void explain(const Program &P, const Task *T, unsigned Number,
                    const std::vector<PyObject *> &Cells) {
  bool WasPending = PyErr_Occurred() && unshadow();
  if (Number == 0) {
    addNote("Clinch: this exception was pending after a run that reported no "
            "failure; some block set it without `fail`. mode=\"DebugMode\" "
            "says which.");
    return;
  }
  if (!T)
    return explainNumber(Number);
  if (WasPending)
    addNote("Clinch: this exception was pending when block " +
            std::to_string(Number) +
            " began to fail; some block before it set it without `fail`. "
            "mode=\"DebugMode\" says which.");
  // A hook that looks at what CUDA returns sets no exception.
  if (!PyErr_Occurred() && !clinch_launch_failed() &&
      !explainCellOf(P, *T, Cells)) {
    PyErr_Format(PyExc_RuntimeError,
                 "block %u, %s, failed without setting an exception", Number,
                 T->Subject.c_str());
  }
  std::string Note;
  {
    PendingError Aside;
    Note = describeTask(P, *T, Number, Cells);
  }
  addNote(Note);
  if (T->Node)
    setFailedApply(P.position(*T->Node));
}

void clinch::explainFailure(const Program &P, const Task *T, unsigned Number,
                            const std::vector<PyObject *> &Cells) noexcept {
  prepareToThrow();
  try {
    explain(P, T, Number, Cells);
  } catch (const std::bad_alloc &) { // Keep the exception itself.
    if (!PyErr_Occurred())
      PyErr_NoMemory();
  }
}

void clinch::explainCell(const Program &P, size_t I, PyObject *Cell) {
  prepareToThrow();
  std::string Place = P.cells()[I] ? placeOf(P, *P.cells()[I])
                                   : "number " + std::to_string(I + 1);
  std::string Found = PyList_Check(Cell) && PyList_CheckExact(Cell)
                          ? "a list of " + std::to_string(PyList_GET_SIZE(Cell))
                          : "a `" + std::string(Py_TYPE(Cell)->tp_name) + "`";
  PyErr_Format(PyExc_TypeError,
               "the cell of %s must be a list of one item; it is %s",
               Place.c_str(), Found.c_str());
}
