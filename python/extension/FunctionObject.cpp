// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// _clinch.Function.

#include "FunctionObject.h"

#include "../../jit/Runtime/Border.h"
#include "../../jit/Runtime/CriticalSection.h"

#include <structmember.h>

#include <cstddef>

using namespace clinch;
using namespace clinch::python;

static FunctionObject &self(PyObject *O) {
  return *reinterpret_cast<FunctionObject *>(O);
}

static bool parseArray(PyObject *Spec, ArraySpec &Out) {
  if (Spec == Py_None)
    return true;
  PyObject *Dtype = nullptr, *Shape = nullptr;
  if (!PyArg_ParseTuple(Spec, "OO!", &Dtype, &PyTuple_Type, &Shape))
    return false;
  Out.Dtype = PyRef::borrow(Dtype);
  for (Py_ssize_t I = 0; I < PyTuple_GET_SIZE(Shape); ++I) {
    PyObject *Length = PyTuple_GET_ITEM(Shape, I);
    Out.Shape.push_back(Length == Py_None ? -1 : PyLong_AsSsize_t(Length));
  }
  return !PyErr_Occurred();
}

/// (cell, name, filter, exact class, (dtype, shape), defaulted, destroyed)
static bool parseInput(PyObject *Item, InputSlot &In) {
  PyObject *Cell = nullptr, *Name = nullptr, *Filter = nullptr,
           *Exact = nullptr, *Array = nullptr;
  int Defaulted = 0, Destroyed = 0;
  if (!PyArg_ParseTuple(Item, "O!OOOOpp", &PyList_Type, &Cell, &Name, &Filter,
                        &Exact, &Array, &Defaulted, &Destroyed))
    return false;
  In.Cell = PyRef::borrow(Cell);
  In.Name = PyRef::borrow(Name);
  if (Filter != Py_None)
    In.Filter = PyRef::borrow(Filter);
  if (PyType_Check(Exact)) {
    In.ExactOwner = PyRef::borrow(Exact);
    In.Exact = reinterpret_cast<PyTypeObject *>(Exact);
  }
  In.Defaulted = Defaulted;
  In.Destroyed = Destroyed;
  if (!parseArray(Array, In.Array))
    return false;
  if (!Defaulted && !Destroyed && !In.Array.Dtype)
    In.Quick = In.Exact;
  return true;
}

/// (cell, recycled, computed, copy)
static bool parseOutput(PyObject *Item, OutputSlot &Out) {
  PyObject *Cell = nullptr, *Copy = nullptr;
  int Recycled = 0, Computed = 0;
  if (!PyArg_ParseTuple(Item, "O!ppO", &PyList_Type, &Cell, &Recycled,
                        &Computed, &Copy))
    return false;
  if (Copy != Py_None)
    Out.Copy = PyRef::borrow(Copy);
  Out.Computed = Computed;
  Out.Cell = PyRef::borrow(Cell);
  Out.Recycled = Recycled;
  return true;
}

template <typename Slot>
static bool parseSlots(PyObject *Items, std::vector<Slot> &Out,
                       bool (*Parse)(PyObject *, Slot &)) {
  Out.resize(size_t(PyList_GET_SIZE(Items)));
  for (size_t I = 0; I < Out.size(); ++I)
    if (!Parse(PyList_GET_ITEM(Items, Py_ssize_t(I)), Out[I]))
      return false;
  return true;
}

static Thunk *onlyThunk(PyObject *Steps) {
  if (PyTuple_GET_SIZE(Steps) != 1)
    return nullptr;
  PyObject *Step = PyTuple_GET_ITEM(Steps, 0);
  return Py_IS_TYPE(Step, thunkClass())
             ? reinterpret_cast<ThunkObject *>(Step)->T.get()
             : nullptr;
}

/// A value may be moved out of its cell if nothing reads the cell later:
/// neither the code, to reuse the storage, nor an input or another output.
static void findMovedOutputs(FunctionObject &F) {
  for (OutputSlot &Out : *F.Outputs) {
    size_t Users = 0;
    for (const OutputSlot &Other : *F.Outputs)
      Users += Other.Cell.get() == Out.Cell.get();
    for (const InputSlot &In : *F.Inputs)
      Users += In.Cell.get() == Out.Cell.get();
    Out.Moved = Out.Computed && !Out.Recycled && Users == 1;
  }
}

/// Function(steps, inputs, outputs, single, name, details)
static PyObject *create(PyTypeObject *Class, PyObject *Args, PyObject *) {
  PyObject *Steps = nullptr, *Inputs = nullptr, *Outputs = nullptr,
           *Name = nullptr, *Details = nullptr;
  int Single = 0;
  if (!PyArg_ParseTuple(Args, "O!O!O!pUO:Function", &PyTuple_Type, &Steps,
                        &PyList_Type, &Inputs, &PyList_Type, &Outputs, &Single,
                        &Name, &Details))
    return nullptr;
  PyRef Made = PyRef::steal(Class->tp_alloc(Class, 0));
  if (!Made)
    return nullptr;
  FunctionObject &F = self(Made.get());
  F.Vectorcall = callFunction;
  F.Inputs = new std::vector<InputSlot>();
  F.Outputs = new std::vector<OutputSlot>();
  F.Steps = Py_NewRef(Steps);
  F.Details = Py_NewRef(Details);
  F.Name = Py_NewRef(Name);
  F.Single = Single;
  F.Only = onlyThunk(Steps);
  if (!parseSlots(Inputs, *F.Inputs, parseInput) ||
      !parseSlots(Outputs, *F.Outputs, parseOutput))
    return nullptr;
  if (Single && F.Outputs->size() != 1)
    return PyErr_Format(PyExc_ValueError, "a single output needs one output");
  findMovedOutputs(F);
  return Made.release();
}

static int traverse(PyObject *O, visitproc visit, void *arg) {
  FunctionObject &F = self(O);
  Py_VISIT(Py_TYPE(O));
  Py_VISIT(F.Steps);
  Py_VISIT(F.Details);
  if (F.Inputs)
    for (const InputSlot &In : *F.Inputs) {
      Py_VISIT(In.Cell.get());
      Py_VISIT(In.Filter.get());
      Py_VISIT(In.ExactOwner.get());
    }
  if (F.Outputs)
    for (const OutputSlot &Out : *F.Outputs) {
      Py_VISIT(Out.Cell.get());
      Py_VISIT(Out.Copy.get());
    }
  return 0;
}

static int clear(PyObject *O) {
  FunctionObject &F = self(O);
  // A function that is being called is not garbage. A later call finds no
  // inputs, steps or outputs.
  F.Only = nullptr;
  F.Vectorcall = callFunction;
  Py_CLEAR(F.Details);
  PyObject *Steps = std::exchange(F.Steps, PyTuple_New(0));
  Py_XDECREF(Steps);
  // A dropped value may use the function, which must be empty by then.
  if (F.Inputs)
    std::vector<InputSlot>().swap(*F.Inputs);
  if (F.Outputs)
    std::vector<OutputSlot>().swap(*F.Outputs);
  F.Single = false;
  return 0;
}

static void destroy(PyObject *O) {
  PyTypeObject *Class = Py_TYPE(O);
  FunctionObject &F = self(O);
  PyObject_GC_UnTrack(O);
  if (F.WeakReferences)
    PyObject_ClearWeakRefs(O);
  F.Only = nullptr;
  Py_CLEAR(F.Steps);
  Py_CLEAR(F.Details);
  Py_CLEAR(F.Name);
  delete F.Inputs;
  delete F.Outputs;
  Class->tp_free(O);
  Py_DECREF(Class);
}

static PyObject *repr(PyObject *O) {
  return PyUnicode_FromFormat("<clinch function %U>", self(O).Name);
}

static PyMemberDef Members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(FunctionObject, Vectorcall),
     READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(FunctionObject, WeakReferences),
     READONLY, nullptr},
    {"steps", T_OBJECT, offsetof(FunctionObject, Steps), READONLY,
     "The callables that a call runs, one after another."},
    {"details", T_OBJECT, offsetof(FunctionObject, Details), READONLY,
     "What the package knows about it."},
    {"__name__", T_OBJECT, offsetof(FunctionObject, Name), READONLY,
     "The name in its messages."},
    {"trust_input", T_BOOL, offsetof(FunctionObject, Trusting), 0,
     "Whether arguments go into their cells unfiltered."},
    {}};

PyTypeObject *python::functionClass() {
  static PyType_Slot Slots[] = {
      {Py_tp_doc, const_cast<char *>("A compiled graph that can be called.")},
      {Py_tp_new, slot<create>()},
      {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
      {Py_tp_clear, reinterpret_cast<void *>(clear)},
      {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
      {Py_tp_repr, slot<repr>()},
      {Py_tp_members, Members},
      {0, nullptr}};
  // No subclasses: before Python 3.12 their calls would not be vectorcalls.
  static PyType_Spec Spec = {
      "clinch.Function", apart(sizeof(FunctionObject)), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
      Slots};
  static PyTypeObject *Class = classWithMethods(Spec, "FunctionMethods");
  return Class;
}
