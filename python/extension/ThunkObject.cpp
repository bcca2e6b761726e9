// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// _clinch.Thunk.

#include "Objects.h"

#include "../../jit/Runtime/Border.h"
#include "../../jit/Runtime/CriticalSection.h"
#include "../../jit/Runtime/Raise.h"
#include "../../jit/Runtime/Upgrade.h"

#include <structmember.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <new>

using namespace clinch;
using namespace clinch::python;

static ThunkObject *self(PyObject *O) {
  return reinterpret_cast<ThunkObject *>(O);
}

static PyObject *run(PyObject *O, PyObject *const *, size_t Flagged,
                     PyObject *Names) {
  if (PyVectorcall_NARGS(Flagged) || (Names && PyTuple_GET_SIZE(Names)))
      [[unlikely]] {
    PyErr_SetString(PyExc_TypeError,
                    "a thunk takes no arguments; fill its cells");
    return nullptr;
  }
  CriticalSection Turn(O);
  if (self(O)->T->run() != 0)
    return nullptr;
  Py_RETURN_NONE;
}

PyRef python::makeThunk(ProgramObject *Program, std::vector<PyRef> Cells) {
  Expected<std::unique_ptr<Thunk>> T =
      Thunk::create(Program->P, std::move(Cells));
  if (!T) {
    raise(T.error());
    return {};
  }
  PyTypeObject *Class = thunkClass();
  PyObject *O = Class->tp_alloc(Class, 0);
  if (!O)
    return {};
  self(O)->Vectorcall = quickBorder<run>;
  self(O)->Program = Py_NewRef(reinterpret_cast<PyObject *>(Program));
  new (&self(O)->T) std::unique_ptr<Thunk>(std::move(*T));
  return PyRef::steal(O);
}

static int traverse(PyObject *O, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(O));
  Py_VISIT(self(O)->Program);
  return self(O)->T ? self(O)->T->traverse(visit, arg) : 0;
}

static int clear(PyObject *O) {
  if (self(O)->T && !self(O)->T->running())
    self(O)->T->clear();
  return 0;
}

static void destroy(PyObject *O) {
  PyTypeObject *Class = Py_TYPE(O);
  PyObject_GC_UnTrack(O);
  std::destroy_at(&self(O)->T);
  Py_CLEAR(self(O)->Program);
  Class->tp_free(O);
  Py_DECREF(Class);
}

static PyObject *getCells(PyObject *O, void *) {
  const auto &Cells = self(O)->T->cells();
  PyObject *Tuple = PyTuple_New(Py_ssize_t(Cells.size()));
  for (size_t I = 0; Tuple && I < Cells.size(); ++I)
    PyTuple_SET_ITEM(Tuple, Py_ssize_t(I), Py_NewRef(Cells[I].get()));
  return Tuple;
}

static PyObject *getProgram(PyObject *O, void *) {
  return Py_NewRef(self(O)->Program);
}

/// Returns {number, hook, subject, of} of what failed in the last run, or None.
static PyObject *getFailed(PyObject *O, void *) {
  CriticalSection Turn(O);
  const Task *T = self(O)->T->failed();
  if (!T)
    Py_RETURN_NONE;
  auto *Program = reinterpret_cast<ProgramObject *>(self(O)->Program);
  PyObject *Of = nullptr;
  if (T->Node)
    Of = static_cast<PyObject *>(T->Node->info().HostNode);
  else if (T->Var && Program->Imported)
    Of = Program->Imported->pythonVariable(*T->Var);
  return Py_BuildValue("{sIsssNsO}", "number", T->Number, "hook", T->hook(),
                       "subject", fromString(T->Subject).release(), "of",
                       Of ? Of : Py_None);
}

/// Returns the seconds that n runs take, without Python calls in between.
static PyObject *timed(PyObject *O, PyObject *Count) {
  using Clock = std::chrono::steady_clock;
  Py_ssize_t N = PyLong_AsSsize_t(Count);
  if (N < 0 && PyErr_Occurred())
    return nullptr;
  CriticalSection Turn(O);
  Clock::time_point Start = Clock::now();
  for (Py_ssize_t I = 0; I < N; ++I)
    if (self(O)->T->run() != 0)
      return nullptr;
  return PyFloat_FromDouble(
      std::chrono::duration<double>(Clock::now() - Start).count());
}

static PyObject *getPending(PyObject *O, void *) {
  CriticalSection Turn(O);
  return PyBool_FromLong(self(O)->T->pending());
}

static PyObject *getCode(PyObject *O, void *) {
  CriticalSection Turn(O);
  return fromString(self(O)->T->code()).release();
}

/// Returns the sentence that says why tier-up failed, or None.
static PyObject *getCodeError(PyObject *O, void *) {
  const Upgrade *U = self(O)->T->program().upgrade();
  const Error *E = U ? U->failure() : nullptr;
  return E ? fromString(Upgrade::describe(*E)).release() : Py_NewRef(Py_None);
}

/// Waits for tier-up. Returns whether no better code is pending.
static PyObject *waitForCode(PyObject *O, PyObject *Args, PyObject *Keywords) {
  using Clock = std::chrono::steady_clock;
  static const char *Names[] = {"timeout", nullptr};
  PyObject *Timeout = Py_None;
  if (!PyArg_ParseTupleAndKeywords(Args, Keywords, "|O:wait",
                                   const_cast<char **>(Names), &Timeout))
    return nullptr;
  Clock::time_point Until = Clock::time_point::max();
  if (Timeout != Py_None) {
    constexpr double Day = 24 * 3600;
    double Seconds = PyFloat_AsDouble(Timeout);
    if (PyErr_Occurred())
      return nullptr;
    Until = Clock::now() + std::chrono::milliseconds(
                               int64_t(std::clamp(Seconds, 0.0, Day) * 1000));
  }
  CriticalSection Turn(O);
  if (self(O)->T->settle(Until) != 0)
    return nullptr;
  return PyBool_FromLong(!self(O)->T->pending());
}

static PyObject *getState(PyObject *O, void *) {
  return PyLong_FromVoidPtr(self(O)->T->state());
}

static PyMethodDef Methods[] = {
    {"time", border<timed>, METH_O, "Seconds that so many runs take."},
    {"wait", withKeywords(border<waitForCode>), METH_VARARGS | METH_KEYWORDS,
     "Goes over to the code that is to come, compiling it if need be; waits no "
     "longer than `timeout` seconds. Whether nothing is to come any more."},
    {nullptr, nullptr, 0, nullptr}};
static PyGetSetDef GetSet[] = {
    {"cells", border<getCells>, nullptr, "Lists of one, as in program.cells.",
     nullptr},
    {"program", border<getProgram>, nullptr, "The Program.", nullptr},
    {"failed", border<getFailed>, nullptr,
     "What failed in the last run, or None.", nullptr},
    {"pending", border<getPending>, nullptr,
     "Whether better code than what runs now is to come.", nullptr},
    {"code", border<getCode>, nullptr, "The tier of the code that runs.",
     nullptr},
    {"code_error", border<getCodeError>, nullptr,
     "Why there is no better code.", nullptr},
    {"state_address", border<getState>, nullptr,
     "Where its state is; 0 for none.", nullptr},
    {}};

PyTypeObject *python::thunkClass() {
  static PyMemberDef Members[] = {{"__vectorcalloffset__", T_PYSSIZET,
                                   offsetof(ThunkHead, Vectorcall), READONLY,
                                   nullptr},
                                  {}};
  static PyType_Slot Slots[] = {
      {Py_tp_doc,
       const_cast<char *>("Code with cells and state. Calling it runs it.")},
      {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
      {Py_tp_clear, reinterpret_cast<void *>(clear)},
      {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
      {Py_tp_methods, Methods},
      {Py_tp_members, Members},
      {Py_tp_getset, GetSet},
      {0, nullptr}};
  static PyType_Spec Spec = {
      "clinch._clinch.Thunk", apart(sizeof(ThunkObject)), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
          Py_TPFLAGS_DISALLOW_INSTANTIATION,
      Slots};
  static PyTypeObject *Class = classWithMethods(Spec, "ThunkMethods");
  return Class;
}
