// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of C that is owned, and what keeps the targets of its pointers.

#include "CView.h"
#include "Objects.h"

#include "../../jit/Runtime/Border.h"

#include <algorithm>
#include <cstring>

using namespace clinch;
using namespace clinch::python;

bool CKeeper::keep(const void *Where, PyObject *What) const {
  if (Call) {
    Call->push_back(PyRef::borrow(What));
    return true;
  }
  if (!Memory->Kept && !(Memory->Kept = PyDict_New()))
    return false;
  PyRef Address = PyRef::steal(PyLong_FromVoidPtr(const_cast<void *>(Where)));
  return Address && PyDict_SetItem(Memory->Kept, Address.get(), What) == 0;
}

bool python::keepCopied(const CView &From, const char *To, const CKeeper &K) {
  if (!From.Memory->Kept)
    return true;
  if (K.Call)
    return K.keep(To, reinterpret_cast<PyObject *>(From.Memory));
  PyRef All = PyRef::steal(PyDict_Copy(From.Memory->Kept));
  PyObject *Where = nullptr, *What = nullptr;
  for (Py_ssize_t I = 0; All && PyDict_Next(All.get(), &I, &Where, &What);) {
    const auto Offset = static_cast<const char *>(PyLong_AsVoidPtr(Where)) -
                        static_cast<const char *>(From.At);
    if (Offset >= 0 && Offset < From.Type->Size && !K.keep(To + Offset, What))
      return false;
  }
  return bool(All);
}

PyRef python::makeMemory(size_t Size, size_t Align) {
  PyRef Made = PyRef::steal(cMemoryClass()->tp_alloc(cMemoryClass(), 0));
  if (!Made)
    return Made;
  Align = std::max<size_t>(Align, 16);
  Size = (std::max<size_t>(Size, 1) + Align - 1) / Align * Align;
  CMemory &M = *cMemory(Made.get());
  M.Begin = static_cast<char *>(std::aligned_alloc(Align, Size));
  if (!M.Begin) {
    PyErr_NoMemory();
    return {};
  }
  std::memset(M.Begin, 0, Size);
  M.Size = Size;
  return Made;
}

/// CMemory(owner): memory that lies in what the owner keeps.
static PyObject *createMemory(PyTypeObject *Class, PyObject *Args, PyObject *) {
  PyObject *Owner = nullptr;
  if (!PyArg_ParseTuple(Args, "O:CMemory", &Owner))
    return nullptr;
  PyObject *Made = Class->tp_alloc(Class, 0);
  if (Made)
    cMemory(Made)->Owner = Py_NewRef(Owner);
  return Made;
}

/// keep(name, object)
static PyObject *keepMore(PyObject *O, PyObject *Args) {
  CMemory &M = *cMemory(O);
  if (!M.Kept && !(M.Kept = PyDict_New()))
    return nullptr;
  PyObject *Name = nullptr, *What = nullptr;
  if (!PyArg_ParseTuple(Args, "OO:keep", &Name, &What) ||
      PyDict_SetItem(M.Kept, Name, What) < 0)
    return nullptr;
  Py_RETURN_NONE;
}

static int traverseMemory(PyObject *O, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(O));
  Py_VISIT(cMemory(O)->Owner);
  Py_VISIT(cMemory(O)->Kept);
  return 0;
}

static int clearMemory(PyObject *O) {
  Py_CLEAR(cMemory(O)->Kept);
  return 0;
}

static void destroyMemory(PyObject *O) {
  PyTypeObject *Class = Py_TYPE(O);
  PyObject_GC_UnTrack(O);
  CMemory &M = *cMemory(O);
  Py_CLEAR(M.Kept);
  if (!M.Owner)
    std::free(M.Begin);
  Py_XDECREF(M.Owner);
  Class->tp_free(O);
  Py_DECREF(Class);
}

PyTypeObject *python::cMemoryClass() {
  static PyMethodDef Methods[] = {
      {"keep", border<keepMore>, METH_VARARGS, "Keeps an object under a name."},
      {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot Slots[] = {
      {Py_tp_new, slot<createMemory>()},
      {Py_tp_dealloc, reinterpret_cast<void *>(destroyMemory)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverseMemory)},
      {Py_tp_clear, reinterpret_cast<void *>(clearMemory)},
      {Py_tp_methods, Methods},
      {0, nullptr}};
  static PyType_Spec Spec = {"clinch._clinch.CMemory", sizeof(CMemory), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, Slots};
  static auto *Class = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&Spec));
  return Class;
}
