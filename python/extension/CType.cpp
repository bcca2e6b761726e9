// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of C.

#include "CData.h"

#include "CSignature.h"
#include "Objects.h"

#include "../../jit/Runtime/Border.h"

#include <structmember.h>

using namespace clinch;
using namespace clinch::python;

const CField *CType::field(PyObject *Wanted) const {
  PyObject *Number = Index ? PyDict_GetItemWithError(Index, Wanted) : nullptr;
  return Number ? &(*Fields)[PyLong_AsSize_t(Number)] : nullptr;
}

PyObject *python::convert(const char *Name, const char *Format, ...) {
  PyRef Module =
      PyRef::steal(PyImport_ImportModule("clinch.source.conversions"));
  PyRef Function = Module ? attribute(Module.get(), Name) : PyRef();
  if (!Function)
    return nullptr;
  va_list Given;
  va_start(Given, Format);
  PyRef Arguments = PyRef::steal(Py_VaBuildValue(Format, Given));
  va_end(Given);
  return Arguments ? PyObject_Call(Function.get(), Arguments.get(), nullptr)
                   : nullptr;
}

/// CType(kind, size, align, bits, is const, count, item, class, code, name,
/// parameters)
static PyObject *create(PyTypeObject *Class, PyObject *Args, PyObject *) {
  int Kind = 0, IsConst = 0;
  Py_ssize_t Size = 0, Align = 0, Count = 0;
  unsigned Bits = 0;
  PyObject *Item = nullptr, *Of = nullptr, *Code = nullptr, *Name = nullptr,
           *Parameters = nullptr;
  if (!PyArg_ParseTuple(Args, "CnnIpnOOOOO!:CType", &Kind, &Size, &Align, &Bits,
                        &IsConst, &Count, &Item, &Of, &Code, &Name,
                        &PyTuple_Type, &Parameters))
    return nullptr;
  PyRef Made = PyRef::steal(Class->tp_alloc(Class, 0));
  if (!Made)
    return nullptr;
  CType &T = *cType(Made.get());
  T.Kind = char(Kind);
  T.IsConst = IsConst;
  T.Bits = Bits;
  T.Size = Size;
  T.Align = Align;
  T.Count = Count;
  T.Item = Item == Py_None ? nullptr : cType(Py_NewRef(Item));
  T.Class = Of == Py_None ? nullptr : Py_NewRef(Of);
  T.Code = Py_NewRef(Code);
  T.Name = Py_NewRef(Name);
  if (Kind == 'F')
    T.Signature = makeSignature(T, Parameters).release();
  return Made.release();
}

/// complete(class, [(name, type, place, width, is positional, is inner), ...])
static PyObject *complete(PyObject *O, PyObject *Args) {
  CType &T = *cType(O);
  PyObject *Class = nullptr, *Given = nullptr;
  if (!PyArg_ParseTuple(Args, "OO!:complete", &Class, &PyList_Type, &Given))
    return nullptr;
  auto Fields = std::make_unique<std::vector<CField>>();
  PyRef Index = PyRef::steal(PyDict_New());
  for (Py_ssize_t I = 0; Index && I != PyList_GET_SIZE(Given); ++I) {
    PyObject *Name = nullptr, *Type = nullptr;
    unsigned long long Place = 0;
    unsigned Width = 0;
    int IsPositional = 0, IsInner = 0;
    PyRef Number = PyRef::steal(PyLong_FromSsize_t(I));
    if (!Number ||
        !PyArg_ParseTuple(PyList_GET_ITEM(Given, I), "UO!KIpp", &Name,
                          cTypeClass(), &Type, &Place, &Width, &IsPositional,
                          &IsInner) ||
        PyDict_SetItem(Index.get(), Name, Number.get()) < 0)
      return nullptr;
    Fields->push_back({PyRef::borrow(Name), PyRef::borrow(Type), Place, Width,
                       bool(IsPositional), bool(IsInner)});
  }
  delete std::exchange(T.Fields, Fields.release());
  Py_XSETREF(T.Index, Index.release());
  Py_XSETREF(T.Class, Py_NewRef(Class));
  Py_RETURN_NONE;
}

/// read(address, memory, is const): a value there, or what shows it.
static PyObject *readAt(PyObject *O, PyObject *Args) {
  size_t Address = 0;
  PyObject *Memory = nullptr;
  int IsConst = 0;
  if (!PyArg_ParseTuple(Args, "kO!|p:read", &Address, cMemoryClass(), &Memory,
                        &IsConst))
    return nullptr;
  return readC(*cType(O), std::bit_cast<char *>(Address),
               reinterpret_cast<CMemory *>(Memory), IsConst);
}

/// write(address, memory, value)
static PyObject *writeAt(PyObject *O, PyObject *Args) {
  size_t Address = 0;
  PyObject *Memory = nullptr, *Value = nullptr;
  if (!PyArg_ParseTuple(Args, "kO!O:write", &Address, cMemoryClass(), &Memory,
                        &Value) ||
      !writeC(*cType(O), std::bit_cast<char *>(Address), Value,
              {reinterpret_cast<CMemory *>(Memory)}))
    return nullptr;
  Py_RETURN_NONE;
}

/// pack(value): the bytes that C has for it.
static PyObject *pack(PyObject *O, PyObject *Value) {
  PyRef View = PyRef::steal(makeView(*cType(O)));
  if (!View)
    return nullptr;
  CView &V = *cView(View.get());
  if (!writeC(*cType(O), V.At, Value, {V.Memory}))
    return nullptr;
  return PyBytes_FromStringAndSize(V.At, cType(O)->Size);
}

/// know_arrays(array): arrays of its class and dtype are passed quickly.
static PyObject *knowArrays(PyObject *O, PyObject *Array) {
  Py_XSETREF(cType(O)->Dtype, attribute(Array, "dtype").release());
  if (!ArrayClass)
    ArrayClass = reinterpret_cast<PyTypeObject *>(Py_NewRef(Py_TYPE(Array)));
  Py_RETURN_NONE;
}

static PyObject *getParameters(PyObject *O, void *) {
  const CSignature *S = cType(O)->Signature;
  return Py_NewRef(S ? S->Parameters.get() : Py_None);
}

/// (name, type, place, width) of each field that has a name.
static PyObject *getFields(PyObject *O, void *) {
  PyRef All = PyRef::steal(PyList_New(0));
  if (!All || !cType(O)->Fields)
    return All.release();
  for (const CField &F : *cType(O)->Fields) {
    if (PyUnicode_GET_LENGTH(F.Name.get()) == 0)
      continue;
    PyRef One = PyRef::steal(
        Py_BuildValue("(OOKI)", F.Name.get(), F.Type.get(), F.Place, F.Width));
    if (!One || PyList_Append(All.get(), One.get()) < 0)
      return nullptr;
  }
  return All.release();
}

static int traverse(PyObject *O, visitproc visit, void *arg) {
  const CType &T = *cType(O);
  Py_VISIT(Py_TYPE(O));
  Py_VISIT(T.Item);
  Py_VISIT(T.Class);
  if (T.Fields)
    for (const CField &F : *T.Fields)
      Py_VISIT(F.Type.get());
  if (T.Signature)
    Py_VISIT(T.Signature->Parameters.get());
  return 0;
}

static int clear(PyObject *O) {
  CType &T = *cType(O);
  Py_CLEAR(T.Class);
  Py_CLEAR(T.Index);
  delete std::exchange(T.Fields, nullptr);
  return 0;
}

static void destroy(PyObject *O) {
  PyTypeObject *Class = Py_TYPE(O);
  CType &T = *cType(O);
  PyObject_GC_UnTrack(O);
  clear(O);
  delete T.Signature;
  for (PyObject *Owned :
       {reinterpret_cast<PyObject *>(T.Item), T.Code, T.Dtype, T.Name})
    Py_XDECREF(Owned);
  Class->tp_free(O);
  Py_DECREF(Class);
}

PyTypeObject *python::cTypeClass() {
  static PyMethodDef Methods[] = {
      {"complete", border<complete>, METH_VARARGS, "Sets class and fields."},
      {"read", border<readAt>, METH_VARARGS, "The value at an address."},
      {"write", border<writeAt>, METH_VARARGS, "Writes one to an address."},
      {"know_arrays", border<knowArrays>, METH_O, "Their class and dtype."},
      {"pack", border<pack>, METH_O, "The bytes that C has for a value."},
      {nullptr, nullptr, 0, nullptr}};
  static PyMemberDef Members[] = {
      {"kind", T_CHAR, offsetof(CType, Kind), READONLY, nullptr},
      {"size", T_PYSSIZET, offsetof(CType, Size), READONLY, nullptr},
      {"align", T_PYSSIZET, offsetof(CType, Align), READONLY, nullptr},
      {"count", T_PYSSIZET, offsetof(CType, Count), READONLY, nullptr},
      {"is_const", T_BOOL, offsetof(CType, IsConst), READONLY, nullptr},
      {"item", T_OBJECT, offsetof(CType, Item), READONLY, nullptr},
      {"cls", T_OBJECT, offsetof(CType, Class), READONLY, nullptr},
      {"code", T_OBJECT, offsetof(CType, Code), READONLY, nullptr},
      {"name", T_OBJECT, offsetof(CType, Name), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyGetSetDef GetSet[] = {
      {"parameters", border<getParameters>, nullptr, nullptr, nullptr},
      {"fields", border<getFields>, nullptr, nullptr, nullptr},
      {}};
  static PyType_Slot Slots[] = {
      {Py_tp_doc, const_cast<char *>("A type of C.")},
      {Py_tp_new, slot<create>()},
      {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
      {Py_tp_clear, reinterpret_cast<void *>(clear)},
      {Py_tp_methods, Methods},
      {Py_tp_members, Members},
      {Py_tp_getset, GetSet},
      {0, nullptr}};
  static PyType_Spec Spec = {"clinch._clinch.CType", sizeof(CType), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, Slots};
  static auto *Class = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&Spec));
  return Class;
}
