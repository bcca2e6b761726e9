// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of C as Python sees it.

#include "ArrayLayout.h"
#include "CData.h"
#include "Objects.h"

#include "../../jit/Runtime/Border.h"

#include <algorithm>
#include <cstring>
#include <structmember.h>

using namespace clinch;
using namespace clinch::python;

static CMemory *memory(PyObject *O) { return reinterpret_cast<CMemory *>(O); }

static bool isView(PyObject *O) {
  return PyObject_TypeCheck(O, cViewClass()) != 0;
}

static bool isPointer(PyObject *O) { return Py_TYPE(O) == cPointerClass(); }

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

/// Keeps what a copy of a record leads to.
static bool keepCopied(const CView &From, const char *To, const CKeeper &K) {
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

static PyRef makeMemory(size_t Size, size_t Align) {
  PyRef Made = PyRef::steal(cMemoryClass()->tp_alloc(cMemoryClass(), 0));
  if (!Made)
    return Made;
  Align = std::max<size_t>(Align, 16);
  Size = (std::max<size_t>(Size, 1) + Align - 1) / Align * Align;
  CMemory &M = *memory(Made.get());
  M.Begin = static_cast<char *>(std::aligned_alloc(Align, Size));
  if (!M.Begin) {
    PyErr_NoMemory();
    return {};
  }
  std::memset(M.Begin, 0, Size);
  M.Size = Size;
  return Made;
}

PyObject *python::makeView(const CType &T, size_t More) {
  PyRef Memory = makeMemory(size_t(T.Size) + More, size_t(T.Align));
  auto *Class =
      T.isRecord() ? reinterpret_cast<PyTypeObject *>(T.Class) : cArrayClass();
  return Memory ? viewOf(Class, T, memory(Memory.get())->Begin,
                         memory(Memory.get()), false)
                : nullptr;
}

static bool refuseConst() {
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

static PyObject *getField(PyObject *O, PyObject *Name) {
  const CView &V = *cView(O);
  const CField *F = V.Type->field(Name);
  return F ? readField(V, *F) : PyObject_GenericGetAttr(O, Name);
}

static int setField(PyObject *O, PyObject *Name, PyObject *Value) {
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
  return callCTypes("as_array", "(O)", O);
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

/// Returns the type of the items and checks the place of one.
static const CType *itemOf(const CView &V, bool IsPointer, Py_ssize_t &Place) {
  if (IsPointer)
    return V.Type;
  if (Place < 0)
    Place += V.Type->Count;
  if (Place >= 0 && Place < V.Type->Count)
    return V.Type->Item;
  PyErr_SetString(PyExc_IndexError, "there is no such item");
  return nullptr;
}

static PyObject *getSlice(PyObject *O, PyObject *Slice) {
  const CView &V = *cView(O);
  const CType &T = isPointer(O) ? *V.Type : *V.Type->Item;
  return callCTypes("slice_of", "(OOOO)", O, &T, Slice,
                    isPointer(O) ? Py_None
                                 : reinterpret_cast<PyObject *>(V.Type));
}

static PyObject *getItem(PyObject *O, PyObject *Key) {
  if (PySlice_Check(Key))
    return getSlice(O, Key);
  const CView &V = *cView(O);
  Py_ssize_t Place = PyNumber_AsSsize_t(Key, PyExc_IndexError);
  if (Place == -1 && PyErr_Occurred())
    return nullptr;
  const CType *T = itemOf(V, isPointer(O), Place);
  return T ? readC(*T, V.At + Place * T->Size, V.Memory, V.IsConst) : nullptr;
}

static int setItem(PyObject *O, PyObject *Key, PyObject *Value) {
  const CView &V = *cView(O);
  Py_ssize_t Place = PyNumber_AsSsize_t(Key, PyExc_IndexError);
  if (Place == -1 && PyErr_Occurred())
    return -1;
  const CType *T = itemOf(V, isPointer(O), Place);
  if (!T || !Value)
    return -1;
  if (V.IsConst)
    return refuseConst() - 1;
  return writeC(*T, V.At + Place * T->Size, Value, {V.Memory}) ? 0 : -1;
}

static Py_ssize_t countItems(PyObject *O) { return cView(O)->Type->Count; }

static PyObject *addToPointer(PyObject *A, PyObject *B) {
  if (!isPointer(A))
    Py_RETURN_NOTIMPLEMENTED;
  const CView &V = *cView(A);
  const Py_ssize_t Places = PyNumber_AsSsize_t(B, PyExc_IndexError);
  if (Places == -1 && PyErr_Occurred())
    return nullptr;
  return viewOf(cPointerClass(), *V.Type, V.At + Places * V.Type->Size,
                V.Memory, V.IsConst);
}

static PyObject *addressOf(PyObject *O) {
  return PyLong_FromVoidPtr(cView(O)->At);
}

static PyObject *comparePointers(PyObject *A, PyObject *B, int How) {
  if (!isPointer(A) || !isPointer(B))
    Py_RETURN_NOTIMPLEMENTED;
  Py_RETURN_RICHCOMPARE(cView(A)->At, cView(B)->At, How);
}

static Py_hash_t hashPointer(PyObject *O) {
  return Py_hash_t(reinterpret_cast<uintptr_t>(cView(O)->At) >> 3);
}

static PyObject *representPointer(PyObject *O) {
  return PyUnicode_FromFormat("<%U * at %p>", cView(O)->Type->Name,
                              cView(O)->At);
}

static bool isSame(const CType &A, const CType &B) {
  if (&A == &B)
    return true;
  return A.Kind == B.Kind && A.Size == B.Size && A.Bits == B.Bits &&
         A.Count == B.Count && A.Class == B.Class && !A.isRecord() &&
         A.Kind != 'F' && (!A.Item || !B.Item || isSame(*A.Item, *B.Item));
}

static bool store(char *At, const void *Target, PyObject *Value,
                  const CKeeper &K) {
  storePointer(At, Target);
  return K.keep(At, Value);
}

/// Stores the address of a view, if it is one of what the pointer leads to.
static int storeView(const CType &T, char *At, PyObject *Value,
                     const CKeeper &K) {
  if (!isView(Value) && !isPointer(Value) && Py_TYPE(Value) != cArrayClass())
    return -1;
  const CView &V = *cView(Value);
  const bool IsArray = Py_TYPE(Value) == cArrayClass();
  if (T.Item->Kind != 'v' && !isSame(*T.Item, *V.Type) &&
      !(IsArray && isSame(*T.Item, *V.Type->Item))) {
    PyErr_Format(PyExc_TypeError, "expected a `%U`, not a `%U`", T.Name,
                 V.Type->Name);
    return 0;
  }
  if (V.IsConst && !T.IsConst) {
    PyErr_Format(PyExc_TypeError,
                 "it is constant, and C's pointer is none to `const`");
    return 0;
  }
  return store(At, V.At, Value, K);
}

bool python::writePointer(const CType &T, char *At, PyObject *Value,
                          const CKeeper &K) {
  if (Value == Py_None) {
    std::memset(At, 0, sizeof(void *));
    return K.Call || !K.Memory->Kept || K.keep(At, Py_None);
  }
  if (int Stored = storeView(T, At, Value, K); Stored >= 0)
    return Stored;
  if (void *Address = addressOfFunction(Value);
      Address && (T.Item->Kind == 'F' || T.Item->Kind == 'v'))
    return store(At, Address, Value, K);
  PyRef Found = PyRef::steal(callCTypes("address_of", "(OO)", &T, Value));
  if (!Found)
    return false;
  if (PyMemoryView_Check(Found.get()))
    return store(At, PyMemoryView_GET_BUFFER(Found.get())->buf, Found.get(), K);
  if (Found.get() != Py_None) { // (address, what keeps it)
    const void *Target = PyLong_AsVoidPtr(PyTuple_GET_ITEM(Found.get(), 0));
    return !PyErr_Occurred() &&
           store(At, Target, PyTuple_GET_ITEM(Found.get(), 1), K);
  }
  void *Address = nullptr;
  PyRef Made =
      PyRef::steal(makeCallback(*T.Item, Value, K.Call != nullptr, Address));
  return Made && store(At, Address, Made.get(), K);
}

bool python::writeReference(const CType &T, char *At, PyObject *Value,
                            const CKeeper &K) {
  if (T.IsConst && !isView(Value) && !isPointer(Value)) {
    PyRef Copy = PyRef::steal(makeView(*T.Item));
    if (!Copy)
      return false;
    const CView &V = *cView(Copy.get());
    return writeC(*T.Item, V.At, Value, {V.Memory}) &&
           store(At, V.At, Copy.get(), K);
  }
  if (Value != Py_None)
    return writePointer(T, At, Value, K);
  PyErr_Format(PyExc_TypeError, "expected a `%U`, not None", T.Name);
  return false;
}

static bool writeArray(const CType &T, char *At, PyObject *Value,
                       const CKeeper &K) {
  if (T.Item->Kind == 'c' && PyBytes_Check(Value) &&
      PyBytes_GET_SIZE(Value) <= T.Count) {
    std::fill_n(At, T.Size, '\0');
    std::copy_n(PyBytes_AS_STRING(Value), PyBytes_GET_SIZE(Value), At);
    return true;
  }
  PyRef Items = PyRef::steal(PySequence_Fast(Value, "expected a sequence"));
  if (!Items)
    return false;
  const Py_ssize_t Count = PySequence_Fast_GET_SIZE(Items.get());
  if (T.Count >= 0 && Count != T.Count) {
    PyErr_Format(PyExc_ValueError, "expected %zd items, not %zd", T.Count,
                 Count);
    return false;
  }
  if (T.Count < 0 &&
      At + Count * T.Item->Size > K.Memory->Begin + K.Memory->Size) {
    PyErr_SetString(PyExc_ValueError, "there is no room for so many items");
    return false;
  }
  for (Py_ssize_t I = 0; I != Count; ++I)
    if (!writeC(*T.Item, At + I * T.Item->Size,
                PySequence_Fast_GET_ITEM(Items.get(), I), K))
      return false;
  return true;
}

bool python::writeItems(const CType &T, char *At, PyObject *Value,
                        const CKeeper &K) {
  if (T.Kind == '[') {
    const std::string Before(At, size_t(T.Size));
    const bool IsWritten = writeArray(T, At, Value, K);
    if (!IsWritten)
      std::copy(Before.begin(), Before.end(), At);
    return IsWritten;
  }
  PyRef Made = PyRef::borrow(Value);
  if (PyTuple_Check(Value))
    Made = PyRef::steal(PyObject_Call(T.Class, Value, nullptr));
  if (!Made)
    return false;
  if (!isView(Made.get()) || cView(Made.get())->Type != &T) {
    PyErr_Format(PyExc_TypeError, "expected a %U, not a %s", T.Name,
                 Py_TYPE(Value)->tp_name);
    return false;
  }
  const CView &V = *cView(Made.get());
  std::memmove(At, V.At, size_t(T.Size));
  return keepCopied(V, At, K);
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

static PyMethodDef ViewMethods[] = {
    {"__copy__", border<copy>, METH_NOARGS, "Copies the memory."},
    {"__bytes__", border<toBytes>, METH_NOARGS, "The memory's bytes."},
    {"__array__", withKeywords(border<toArray>), METH_VARARGS | METH_KEYWORDS,
     "An array of NumPy's over the memory."},
    {nullptr, nullptr, 0, nullptr}};

static PyTypeObject *makeViewClass(const char *Name, unsigned long Flags,
                                   PyType_Slot *Slots) {
  static PyMemberDef Members[] = {
      {"__ctype__", T_OBJECT, offsetof(CView, Type), READONLY, nullptr},
      {"__memory__", T_OBJECT, offsetof(CView, Memory), READONLY, nullptr},
      {"__address__", T_ULONG, offsetof(CView, At), READONLY, nullptr},
      {"__const__", T_BOOL, offsetof(CView, IsConst), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  for (PyType_Slot *S = Slots; S->slot; ++S)
    if (S->slot == Py_tp_members)
      S->pfunc = Members;
  PyType_Spec Spec = {Name, sizeof(CView), 0,
                      unsigned(Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Flags),
                      Slots};
  return reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&Spec));
}

PyTypeObject *python::cViewClass() {
  static PyType_Slot Slots[] = {
      {Py_tp_new, slot<create>()},
      {Py_tp_dealloc, reinterpret_cast<void *>(destroyView)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverseView)},
      {Py_tp_getattro, slot<getField>()},
      {Py_tp_setattro, slot<setField>()},
      {Py_tp_methods, ViewMethods},
      {Py_tp_members, nullptr},
      {0, nullptr}};
  static PyTypeObject *Class =
      makeViewClass("clinch._clinch.CView", Py_TPFLAGS_BASETYPE, Slots);
  return Class;
}

PyTypeObject *python::cArrayClass() {
  static PyType_Slot Slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void *>(destroyView)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverseView)},
      {Py_mp_subscript, slot<getItem>()},
      {Py_mp_ass_subscript, slot<setItem>()},
      {Py_mp_length, reinterpret_cast<void *>(countItems)},
      {Py_tp_methods, ViewMethods},
      {Py_tp_members, nullptr},
      {0, nullptr}};
  static PyTypeObject *Class = makeViewClass(
      "clinch._clinch.CArray", Py_TPFLAGS_DISALLOW_INSTANTIATION, Slots);
  return Class;
}

PyTypeObject *python::cPointerClass() {
  static PyType_Slot Slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void *>(destroyView)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverseView)},
      {Py_tp_getattro, slot<getField>()}, // Of what it leads to.
      {Py_tp_setattro, slot<setField>()},
      {Py_tp_repr, slot<representPointer>()},
      {Py_tp_richcompare, slot<comparePointers>()},
      {Py_tp_hash, reinterpret_cast<void *>(hashPointer)},
      {Py_mp_subscript, slot<getItem>()},
      {Py_mp_ass_subscript, slot<setItem>()},
      {Py_nb_add, slot<addToPointer>()},
      {Py_nb_int, slot<addressOf>()},
      {Py_tp_members, nullptr},
      {0, nullptr}};
  static PyTypeObject *Class = makeViewClass(
      "clinch._clinch.CPointer", Py_TPFLAGS_DISALLOW_INSTANTIATION, Slots);
  return Class;
}

/// CMemory(owner): memory that lies in what the owner keeps.
static PyObject *createMemory(PyTypeObject *Class, PyObject *Args, PyObject *) {
  PyObject *Owner = nullptr;
  if (!PyArg_ParseTuple(Args, "O:CMemory", &Owner))
    return nullptr;
  PyObject *Made = Class->tp_alloc(Class, 0);
  if (Made)
    memory(Made)->Owner = Py_NewRef(Owner);
  return Made;
}

/// keep(name, object)
static PyObject *keepMore(PyObject *O, PyObject *Args) {
  CMemory &M = *memory(O);
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
  Py_VISIT(memory(O)->Owner);
  Py_VISIT(memory(O)->Kept);
  return 0;
}

static int clearMemory(PyObject *O) {
  Py_CLEAR(memory(O)->Kept);
  return 0;
}

static void destroyMemory(PyObject *O) {
  PyTypeObject *Class = Py_TYPE(O);
  PyObject_GC_UnTrack(O);
  CMemory &M = *memory(O);
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
