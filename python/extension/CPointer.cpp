// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays and pointers of C as Python sees them.

#include "CView.h"
#include "Objects.h"

#include "../../jit/Runtime/Border.h"

#include <algorithm>
#include <cstring>

using namespace clinch;
using namespace clinch::python;

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
  return convert("slice_of", "(OOOO)", O, &T, Slice,
                 isPointer(O) ? Py_None : reinterpret_cast<PyObject *>(V.Type));
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
  PyRef Found = PyRef::steal(convert("address_of", "(OO)", &T, Value));
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

PyTypeObject *python::cArrayClass() {
  static PyTypeObject *Class =
      makeViewClass("clinch._clinch.CArray", Py_TPFLAGS_DISALLOW_INSTANTIATION,
                    {{Py_mp_subscript, slot<getItem>()},
                     {Py_mp_ass_subscript, slot<setItem>()},
                     {Py_mp_length, reinterpret_cast<void *>(countItems)},
                     {Py_tp_methods, ViewMethods}});
  return Class;
}

PyTypeObject *python::cPointerClass() {
  static PyTypeObject *Class = makeViewClass(
      "clinch._clinch.CPointer", Py_TPFLAGS_DISALLOW_INSTANTIATION,
      {{Py_tp_getattro, slot<getField>()}, // Of what it leads to.
       {Py_tp_setattro, slot<setField>()},
       {Py_tp_repr, slot<representPointer>()},
       {Py_tp_richcompare, slot<comparePointers>()},
       {Py_tp_hash, reinterpret_cast<void *>(hashPointer)},
       {Py_mp_subscript, slot<getItem>()},
       {Py_mp_ass_subscript, slot<setItem>()},
       {Py_nb_add, slot<addToPointer>()},
       {Py_nb_int, slot<addressOf>()}});
  return Class;
}
