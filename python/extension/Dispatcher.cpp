// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// _clinch.Dispatcher: the base of functions under `jit`. It finds the code for
// a call by one comparison of types, dtypes, layouts and what the trace read.

#include "FunctionObject.h"

#include "../../jit/Runtime/Border.h"
#include "../../jit/Runtime/CriticalSection.h"

#include <structmember.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

using namespace clinch;
using namespace clinch::python;

namespace {
constexpr int ArrayInCOrder = 0x0001;
constexpr size_t MostEntries = 16;
constexpr long MayRaise = 06666;

/// What a value must be: of a type, and nothing else; this very value, or an
/// equal number or text; or an array. Without a type there must be none.
struct Want {
  PyRef Type, Value, Dtype;
  int Dimensions = 0;
  bool HasShape = false;
  std::vector<Py_intptr_t> Shape;

  bool accepts(PyObject *O) const;
  bool acceptsArray(const ArrayHead &A) const;
};

/// A value that is looked up at each call: of a dict, a cell, or the dict of
/// the argument of a number.
struct Lookup {
  PyRef Owner, Name;
  Py_ssize_t Argument = -1;
  Want Wanted;
  bool IsTaken = false; ///< The value is one that the code may take.

  PyRef now(const std::vector<PyObject *> &Values) const;
};

struct Entry {
  unsigned long Thread = 0; ///< A Function has one state.
  bool IsForAll = false;    ///< Whatever the arguments are.
  std::vector<Want> Arguments;
  PyRef Names; ///< Those of the last arguments, a tuple or null.
  std::vector<Lookup> Lookups;
  PyRef Code; ///< A Function, a callable of a tuple of values, or null.
  bool TakesAll = false;
  std::vector<size_t> Taken; ///< The values that a Function takes.
  PyRef Result;              ///< The type of its result, or null.
  PyRef Finish;              ///< Makes a result of that type.

  bool accepts(PyObject *const *Args, size_t Count, PyObject *Given) const;
};

struct DispatcherHead {
  PyObject_HEAD vectorcallfunc Vectorcall;
  PyObject *Python; ///< The function itself.
};

struct DispatcherObject : DispatcherHead {
  std::vector<std::shared_ptr<const Entry>> *Entries;
};
} // namespace

static DispatcherObject &self(PyObject *O) {
  return *reinterpret_cast<DispatcherObject *>(O);
}

bool Want::acceptsArray(const ArrayHead &A) const {
  if (A.Dtype != Dtype.get() || A.Dimensions != Dimensions)
    return false;
  if (Dimensions > 1) {
    if (!(A.Flags & ArrayInCOrder))
      return false;
    for (int I = 0; I < Dimensions; ++I)
      if (A.Shape[I] < 2)
        return false;
  }
  return !HasShape || std::equal(Shape.begin(), Shape.end(), A.Shape);
}

bool Want::accepts(PyObject *O) const {
  if (!Type || !O)
    return !Type && !O;
  if (Py_TYPE(O) != reinterpret_cast<PyTypeObject *>(Type.get()))
    return false;
  if (Dtype)
    return acceptsArray(*reinterpret_cast<const ArrayHead *>(O));
  if (!Value || Value.get() == O)
    return true;
  if (PyFloat_CheckExact(O)) {
    return std::bit_cast<uint64_t>(PyFloat_AS_DOUBLE(O)) ==
           std::bit_cast<uint64_t>(PyFloat_AS_DOUBLE(Value.get()));
  }
  if (!PyLong_CheckExact(O) && !PyUnicode_CheckExact(O) &&
      !PyBytes_CheckExact(O))
    return false;
  return PyObject_RichCompareBool(O, Value.get(), Py_EQ) == 1;
}

static PyRef item(PyObject *Dict, PyObject *Name) {
#if PY_VERSION_HEX >= 0x030d0000
  PyObject *Found = nullptr;
  if (PyDict_GetItemRef(Dict, Name, &Found) < 0)
    PyErr_Clear();
  return PyRef::steal(Found);
#else
  return PyRef::borrow(PyDict_GetItem(Dict, Name));
#endif
}

PyRef Lookup::now(const std::vector<PyObject *> &Values) const {
  if (Argument >= 0) {
    PyRef Dict = PyRef::steal(
        PyObject_GenericGetDict(Values[size_t(Argument)], nullptr));
    if (!Dict)
      PyErr_Clear();
    return Dict ? item(Dict.get(), Name.get()) : PyRef();
  }
  if (PyCell_Check(Owner.get()))
    return PyRef::steal(PyCell_Get(Owner.get()));
  return item(Owner.get(), Name.get());
}

static bool areSame(PyObject *A, PyObject *B) {
  if (A == B)
    return true;
  if (!A || !B || PyTuple_GET_SIZE(A) != PyTuple_GET_SIZE(B))
    return false;
  for (Py_ssize_t I = 0; I < PyTuple_GET_SIZE(A); ++I)
    if (PyTuple_GET_ITEM(A, I) != PyTuple_GET_ITEM(B, I))
      return false;
  return true;
}

bool Entry::accepts(PyObject *const *Args, size_t Count,
                    PyObject *Given) const {
  if (Thread != PyThread_get_thread_ident())
    return false;
  if (IsForAll)
    return true;
  if (Count != Arguments.size() || !areSame(Names.get(), Given))
    return false;
  for (size_t I = 0; I < Count; ++I)
    if (!Arguments[I].accepts(Args[I]))
      return false;
  return true;
}

/// Whether NumPy does nothing for a floating-point error but to warn, as far as
/// is seen at once. NumPy 2 has its own default then; before it the thread has
/// a list, with three bits for each kind of error.
static bool hasUsualErrors() {
  static PyObject *Variable = nullptr, *Usual = nullptr, *Key = nullptr;
  if (!Key) {
    Key = PyUnicode_InternFromString("UFUNC_PYVALS");
    PyRef Umath = PyRef::steal(PyImport_ImportModule("numpy._core.umath"));
    Variable = Umath ? PyObject_GetAttrString(Umath.get(), "_extobj_contextvar")
                     : nullptr;
    PyErr_Clear();
    PyRef Context = PyRef::steal(PyContext_New());
    if (Variable && Context && !PyContext_Enter(Context.get())) {
      if (PyContextVar_Get(Variable, nullptr, &Usual) < 0)
        PyErr_Clear();
      PyContext_Exit(Context.get());
    }
  }
  if (!Variable) {
    PyObject *Own = PyThreadState_GetDict();
    PyObject *Values = Own ? PyDict_GetItem(Own, Key) : nullptr;
    if (!Values)
      return true;
    return PyList_Check(Values) && PyList_GET_SIZE(Values) > 1 &&
           !(PyLong_AsLong(PyList_GET_ITEM(Values, 1)) & MayRaise);
  }
  PyObject *Now = nullptr;
  if (PyContextVar_Get(Variable, nullptr, &Now) < 0)
    PyErr_Clear();
  const bool Same = Now && Now == Usual;
  Py_XDECREF(Now);
  return Same;
}

/// Calls the code with what it takes. Returns null if it is not for the call;
/// then Python looks again.
static PyRef callCode(const Entry &E, PyObject *const *Args, size_t Count) {
  std::vector<PyObject *> Values(Args, Args + Count);
  std::vector<PyRef> Found;
  Found.reserve(E.Lookups.size());
  for (const Lookup &L : E.Lookups) {
    Found.push_back(L.now(Values));
    PyObject *Value = Found.back().get();
    if (!L.Wanted.accepts(Value))
      return {};
    if (L.IsTaken)
      Values.push_back(Value);
  }
  if (E.TakesAll) {
    PyRef All = PyRef::steal(PyTuple_New(Py_ssize_t(Values.size())));
    for (size_t I = 0; All && I < Values.size(); ++I)
      PyTuple_SET_ITEM(All.get(), Py_ssize_t(I), Py_NewRef(Values[I]));
    return All ? PyRef::steal(PyObject_CallOneArg(E.Code.get(), All.get()))
               : PyRef();
  }
  std::vector<PyObject *> Given(E.Taken.size());
  for (size_t I = 0; I < Given.size(); ++I)
    Given[I] = Values[E.Taken[I]];
  PyRef Made = PyRef::steal(
      callFunction(E.Code.get(), Given.data(), Given.size(), nullptr));
  if (Made && E.Result &&
      Py_TYPE(Made.get()) != reinterpret_cast<PyTypeObject *>(E.Result.get()))
    return PyRef::steal(PyObject_CallOneArg(E.Finish.get(), Made.get()));
  return Made;
}

static std::shared_ptr<const Entry> find(PyObject *O, PyObject *const *Args,
                                         size_t Count, PyObject *Names) {
  const CriticalSection Section(O);
  for (const auto &E : *self(O).Entries)
    if (E->accepts(Args, Count, Names))
      return E;
  return nullptr;
}

static PyObject *call(PyObject *O, PyObject *const *Args, size_t Flagged,
                      PyObject *Names) {
  const auto Count = size_t(PyVectorcall_NARGS(Flagged));
  const size_t All = Count + (Names ? size_t(PyTuple_GET_SIZE(Names)) : 0);
  if (const auto E = find(O, Args, All, Names)) {
    if (!E->Code)
      return PyObject_Vectorcall(self(O).Python, Args, Count, Names);
    if (hasUsualErrors())
      if (PyRef Made = callCode(*E, Args, All))
        return Made.release();
    // Python says what is wrong, unless somebody ends the program.
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception))
      return nullptr;
    PyErr_Clear();
  }
  static PyObject *Slow = PyUnicode_InternFromString("_called");
  std::vector<PyObject *> Given{O};
  Given.insert(Given.end(), Args, Args + All);
  return PyObject_VectorcallMethod(Slow, Given.data(), Count + 1, Names);
}

static PyObject *callDispatcher(PyObject *O, PyObject *const *Args,
                                size_t Flagged, PyObject *Names) {
  return border<call>(O, Args, Flagged, Names);
}

/// None; (type,), (type, value) or (type, dtype, dimensions, shape or None).
static bool parseWant(PyObject *Spec, Want &Out) {
  if (Spec == Py_None)
    return true;
  PyObject *Type = nullptr, *Value = nullptr, *Shape = Py_None;
  int Dimensions = -1;
  if (!PyArg_ParseTuple(Spec, "O!|OiO", &PyType_Type, &Type, &Value,
                        &Dimensions, &Shape))
    return false;
  Out.Type = PyRef::borrow(Type);
  (Dimensions < 0 ? Out.Value : Out.Dtype) = PyRef::borrow(Value);
  Out.Dimensions = Dimensions;
  Out.HasShape = Shape != Py_None;
  for (int I = 0; Out.HasShape && I < Dimensions; ++I)
    Out.Shape.push_back(PyLong_AsSsize_t(PyTuple_GetItem(Shape, I)));
  return !PyErr_Occurred();
}

/// (owner, name, what it wants, whether the code may take it)
static bool parseLookup(PyObject *Spec, Lookup &Out) {
  PyObject *Owner = nullptr, *Name = nullptr, *Wanted = nullptr;
  int IsTaken = 0;
  if (!PyArg_ParseTuple(Spec, "OOOp", &Owner, &Name, &Wanted, &IsTaken))
    return false;
  Out.IsTaken = IsTaken;
  if (PyLong_Check(Owner))
    Out.Argument = PyLong_AsSsize_t(Owner);
  Out.Owner = PyRef::borrow(Owner);
  Out.Name = PyRef::borrow(Name);
  return parseWant(Wanted, Out.Wanted);
}

template <typename T>
static bool parseAll(PyObject *Specs, std::vector<T> &Out,
                     bool (*Parse)(PyObject *, T &)) {
  Out.resize(size_t(PyTuple_GET_SIZE(Specs)));
  for (size_t I = 0; I < Out.size(); ++I)
    if (!Parse(PyTuple_GET_ITEM(Specs, Py_ssize_t(I)), Out[I]))
      return false;
  return true;
}

static bool parseIndex(PyObject *Spec, size_t &Out) {
  Out = PyLong_AsSize_t(Spec);
  return !PyErr_Occurred();
}

/// add(arguments, names, lookups, code, taken, result, finish): later calls
/// with such arguments, or with any if that is None, run the code; without
/// `taken` it gets a tuple of all values. If the code is None, the function
/// itself runs.
static PyObject *add(PyObject *O, PyObject *Args) {
  PyObject *Arguments = nullptr, *Names = nullptr, *Lookups = nullptr,
           *Code = nullptr, *Taken = nullptr, *Result = nullptr,
           *Finish = nullptr;
  if (!PyArg_ParseTuple(Args, "OO!O!OOOO", &Arguments, &PyTuple_Type, &Names,
                        &PyTuple_Type, &Lookups, &Code, &Taken, &Result,
                        &Finish))
    return nullptr;
  auto E = std::make_shared<Entry>();
  E->Thread = PyThread_get_thread_ident();
  E->TakesAll = !PyTuple_Check(Taken);
  if (PyTuple_GET_SIZE(Names))
    E->Names = PyRef::borrow(Names);
  if (Code != Py_None)
    E->Code = PyRef::borrow(Code);
  if (Result != Py_None)
    E->Result = PyRef::borrow(Result);
  E->Finish = PyRef::borrow(Finish);
  E->IsForAll = Arguments == Py_None;
  if ((!E->IsForAll && !parseAll(Arguments, E->Arguments, parseWant)) ||
      !parseAll(Lookups, E->Lookups, parseLookup) ||
      (!E->TakesAll && !parseAll(Taken, E->Taken, parseIndex)))
    return nullptr;
  const CriticalSection Section(O);
  auto &Entries = *self(O).Entries;
  Entries.insert(Entries.begin(), std::move(E));
  if (Entries.size() > MostEntries)
    Entries.pop_back();
  Py_RETURN_NONE;
}

static PyObject *drop(PyObject *O, PyObject *) {
  std::vector<std::shared_ptr<const Entry>> Old;
  {
    const CriticalSection Section(O);
    Old.swap(*self(O).Entries);
  }
  Py_RETURN_NONE;
}

static PyObject *create(PyTypeObject *Class, PyObject *, PyObject *) {
  PyRef Made = PyRef::steal(Class->tp_alloc(Class, 0));
  if (!Made)
    return nullptr;
  self(Made.get()).Vectorcall = callDispatcher;
  self(Made.get()).Entries = new std::vector<std::shared_ptr<const Entry>>();
  return Made.release();
}

static int traverse(PyObject *O, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(O));
  Py_VISIT(self(O).Python);
  if (!self(O).Entries)
    return 0;
  for (const auto &E : *self(O).Entries) {
    if (E.use_count() > 1) // It is being called.
      continue;
    Py_VISIT(E->Code.get());
    for (const Want &W : E->Arguments)
      Py_VISIT(W.Value.get());
    for (const Lookup &L : E->Lookups) {
      Py_VISIT(L.Owner.get());
      Py_VISIT(L.Wanted.Value.get());
    }
  }
  return 0;
}

static int clear(PyObject *O) {
  Py_CLEAR(self(O).Python);
  if (self(O).Entries)
    std::vector<std::shared_ptr<const Entry>>().swap(*self(O).Entries);
  return 0;
}

static void destroy(PyObject *O) {
  PyTypeObject *Class = Py_TYPE(O);
  PyObject_GC_UnTrack(O);
  clear(O);
  delete self(O).Entries;
  Class->tp_free(O);
  Py_DECREF(Class);
}

static PyMemberDef Members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(DispatcherHead, Vectorcall),
     READONLY, nullptr},
    {"python", T_OBJECT_EX, offsetof(DispatcherHead, Python), 0,
     "The function itself."},
    {}};

static PyMethodDef Methods[] = {
    {"_add", border<add>, METH_VARARGS, "Adds code for calls like one."},
    {"_drop", border<drop>, METH_NOARGS, "Drops the code for all calls."},
    {nullptr, nullptr, 0, nullptr}};

PyTypeObject *python::dispatcherClass() {
  static PyType_Slot Slots[] = {
      {Py_tp_doc, const_cast<char *>("A function with code for some calls.")},
      {Py_tp_new, slot<create>()},
      {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
      {Py_tp_clear, reinterpret_cast<void *>(clear)},
      {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
      {Py_tp_members, Members},
      {Py_tp_methods, Methods},
      {0, nullptr}};
  static PyType_Spec Spec = {"clinch.Dispatcher", sizeof(DispatcherObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                 Py_TPFLAGS_BASETYPE |
                                 Py_TPFLAGS_HAVE_VECTORCALL,
                             Slots};
  static auto *Class = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&Spec));
  return Class;
}
