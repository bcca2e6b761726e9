// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of C as Python sees them.

#include "CView.h"
#include "Objects.h"

#include "../../jit/Runtime/Border.h"

#include <algorithm>
#include <cstring>
#include <structmember.h>

using namespace clinch;
using namespace clinch::python;

PyObject *python::viewOf(PyTypeObject *Class, const CType &T, char *At,
                         CMemory *Memory, bool IsConst) {
  PyObject *Made = Class->tp_alloc(Class, 0);
  if (!Made)
    return nullptr;
  CView &V = *cView(Made);
  V.Type = cType(Py_NewRef(&T));
  V.At = At;
  Py_INCREF(Memory);
  V.Memory = Memory;
  V.IsConst = IsConst;
  return Made;
}

PyObject *python::makeView(const CType &T, size_t More) {
  PyRef Memory = makeMemory(size_t(T.Size) + More, size_t(T.Align));
  auto *Class =
      T.isRecord() ? reinterpret_cast<PyTypeObject *>(T.Class) : cArrayClass();
  return Memory ? viewOf(Class, T, cMemory(Memory.get())->Begin,
                         cMemory(Memory.get()), false)
                : nullptr;
}

bool python::refuseConst() {
  PyErr_SetString(PyExc_AttributeError, "it is constant");
  return false;
}

static bool writeField(CView &V, const CField &F, PyObject *Value) {
  return writeC(F.type(), V.At + F.Place / 8, Value, {V.Memory},
                unsigned(F.Place % 8), F.Width);
}

/// Where a field of an unknown length is given, returns the bytes that it has.
static Py_ssize_t flexibleSize(const CType &T, PyObject *Args,
                               PyObject *Names) {
  if (T.Fields->empty() || T.Fields->back().type().Count >= 0 ||
      T.Fields->back().type().Kind != '[')
    return 0;
  const CField &F = T.Fields->back();
  const Py_ssize_t Place = Py_ssize_t(T.Fields->size()) - 1;
  PyObject *Given = Names ? PyDict_GetItem(Names, F.Name.get()) : nullptr;
  if (!Given && PyTuple_GET_SIZE(Args) > Place)
    Given = PyTuple_GET_ITEM(Args, Place);
  const Py_ssize_t Count = Given ? PyObject_Length(Given) : 0;
  return Count < 0 ? -1 : Count * F.type().Item->Size;
}

static bool setPositional(CView &V, PyObject *Args) {
  auto F = V.Type->Fields->begin();
  const auto End = V.Type->Fields->end();
  for (Py_ssize_t I = 0; I != PyTuple_GET_SIZE(Args); ++I, ++F) {
    F = std::find_if(F, End, [](const CField &F) { return F.IsPositional; });
    if (F == End) {
      PyErr_Format(PyExc_TypeError, "`%U` has %zd fields, and %zd were given",
                   V.Type->Name, I, PyTuple_GET_SIZE(Args));
      return false;
    }
    if (!writeField(V, *F, PyTuple_GET_ITEM(Args, I)))
      return false;
  }
  return true;
}

static PyRef typeOfClass(PyTypeObject *Class) {
  PyRef Type = attribute(reinterpret_cast<PyObject *>(Class), "__ctype__");
  if (Type && (!PyObject_TypeCheck(Type.get(), cTypeClass()) ||
               !cType(Type.get())->Fields)) {
    PyErr_SetString(PyExc_TypeError, "it is no struct or union of C");
    return {};
  }
  return Type;
}

/// STRUCT(values in the order of the fields, name=value)
static PyObject *create(PyTypeObject *Class, PyObject *Args, PyObject *Names) {
  PyRef Type = typeOfClass(Class);
  if (!Type)
    return nullptr;
  const CType &T = *cType(Type.get());
  const Py_ssize_t More = flexibleSize(T, Args, Names);
  PyRef Made = More < 0 ? PyRef() : PyRef::steal(makeView(T, size_t(More)));
  if (!Made || !setPositional(*cView(Made.get()), Args))
    return nullptr;
  PyObject *Name = nullptr, *Value = nullptr;
  for (Py_ssize_t I = 0; Names && PyDict_Next(Names, &I, &Name, &Value);) {
    const CField *F = T.field(Name);
    if (!F)
      return PyErr_Format(PyExc_TypeError, "`%U` has no field `%U`", T.Name,
                          Name);
    if (!writeField(*cView(Made.get()), *F, Value))
      return nullptr;
  }
  return Made.release();
}

static PyObject *readField(const CView &V, const CField &F) {
  return readC(F.type(), V.At + F.Place / 8, V.Memory, V.IsConst,
               unsigned(F.Place % 8), F.Width);
}

PyObject *python::getField(PyObject *O, PyObject *Name) {
  const CView &V = *cView(O);
  const CField *F = V.Type->field(Name);
  return F ? readField(V, *F) : PyObject_GenericGetAttr(O, Name);
}

int python::setField(PyObject *O, PyObject *Name, PyObject *Value) {
  CView &V = *cView(O);
  const CField *F = V.Type->field(Name);
  if (F && Value && V.IsConst)
    return refuseConst() - 1;
  if (F && Value)
    return writeField(V, *F, Value) ? 0 : -1;
  PyErr_Format(PyExc_AttributeError, "`%U` has no field `%U`", V.Type->Name,
               Name);
  return -1;
}

static PyObject *toBytes(PyObject *O, PyObject *) {
  return PyBytes_FromStringAndSize(cView(O)->At, cView(O)->Type->Size);
}

/// NumPy asks for a dtype, or a copy, and sees to both itself.
static PyObject *toArray(PyObject *O, PyObject *, PyObject *) {
  return convert("as_array", "(O)", O);
}

static PyObject *copy(PyObject *O, PyObject *) {
  const CView &V = *cView(O);
  PyRef Made = PyRef::steal(makeView(*V.Type));
  if (!Made)
    return nullptr;
  const CView &To = *cView(Made.get());
  std::memcpy(To.At, V.At, size_t(V.Type->Size));
  return keepCopied(V, To.At, {To.Memory}) ? Made.release() : nullptr;
}

static int traverseView(PyObject *O, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(O));
  Py_VISIT(cView(O)->Type);
  Py_VISIT(cView(O)->Memory);
  return 0;
}

static void destroyView(PyObject *O) {
  PyTypeObject *Class = Py_TYPE(O);
  PyObject_GC_UnTrack(O);
  Py_XDECREF(cView(O)->Type);
  Py_XDECREF(cView(O)->Memory);
  Class->tp_free(O);
  Py_DECREF(Class);
}

PyMethodDef python::ViewMethods[] = {
    {"__copy__", border<copy>, METH_NOARGS, "Copies the memory."},
    {"__bytes__", border<toBytes>, METH_NOARGS, "The memory's bytes."},
    {"__array__", withKeywords(border<toArray>), METH_VARARGS | METH_KEYWORDS,
     "An array of NumPy's over the memory."},
    {nullptr, nullptr, 0, nullptr}};

PyTypeObject *python::makeViewClass(const char *Name, unsigned long Flags,
                                    std::initializer_list<PyType_Slot> Slots) {
  static PyMemberDef Members[] = {
      {"__ctype__", T_OBJECT, offsetof(CView, Type), READONLY, nullptr},
      {"__memory__", T_OBJECT, offsetof(CView, Memory), READONLY, nullptr},
      {"__address__", T_ULONG, offsetof(CView, At), READONLY, nullptr},
      {"__const__", T_BOOL, offsetof(CView, IsConst), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  std::vector<PyType_Slot> All = {
      {Py_tp_dealloc, reinterpret_cast<void *>(destroyView)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverseView)},
      {Py_tp_members, Members}};
  All.insert(All.end(), Slots);
  All.push_back({0, nullptr});
  PyType_Spec Spec = {Name, sizeof(CView), 0,
                      unsigned(Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Flags),
                      All.data()};
  return reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&Spec));
}

PyTypeObject *python::cViewClass() {
  static PyTypeObject *Class =
      makeViewClass("clinch._clinch.CView", Py_TPFLAGS_BASETYPE,
                    {{Py_tp_new, slot<create>()},
                     {Py_tp_getattro, slot<getField>()},
                     {Py_tp_setattro, slot<setField>()},
                     {Py_tp_methods, ViewMethods}});
  return Class;
}
