// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of a source.

#include "NativeFunction.h"
#include "ArrayLayout.h"
#include "Objects.h"

#include "../../jit/Runtime/Border.h"

#include <algorithm>
#include <climits>
#include <structmember.h>

using namespace clinch;
using namespace clinch::python;

static NativeFunction *self(PyObject *O) {
  return reinterpret_cast<NativeFunction *>(O);
}

/// Returns `d` for a double, `f` for a float, `i` and `u` for integers, `l` for
/// a `long`, `?` for a bool; 0 for what goes through memory.
static char letterOf(const CType &T) {
  if (T.Kind == '?')
    return '?';
  if (T.Kind == 'f')
    return T.Size == 8 ? 'd' : T.Size == 4 ? 'f' : '\0';
  const bool IsPlain = (T.Kind == 'i' || T.Kind == 'u') && !T.Class &&
                       T.Size <= 8 && T.Bits == T.Size * 8;
  return !IsPlain ? '\0' : T.Kind == 'i' && T.Size == 8 ? 'l' : T.Kind;
}

static PyObject *refuseCall(const NativeFunction &F, Py_ssize_t Count,
                            bool HasNames) {
  if (HasNames)
    return PyErr_Format(PyExc_TypeError,
                        "`%U` takes no keyword arguments: C's parameters are "
                        "given in their order",
                        F.Declaration);
  return PyErr_Format(PyExc_TypeError,
                      "`%U` takes %u arguments, and %zd were given",
                      F.Declaration, F.Count, Count);
}

static PyObject *made(double Value) { return PyFloat_FromDouble(Value); }
static PyObject *made(long Value) { return PyLong_FromLong(Value); }

static PyObject *call(PyObject *O, PyObject *const *Given, size_t Flagged,
                      PyObject *Names) noexcept {
  const NativeFunction &F = *self(O);
  const Py_ssize_t Count = PyVectorcall_NARGS(Flagged);
  if (Names || Count != F.Count) [[unlikely]]
    return refuseCall(F, Count, Names);
  if (F.IsPlain && LiveCallbacks.load(std::memory_order_relaxed) == 0)
      [[likely]]
    return callPlain(F, Given);
  CActiveCall Active;
  PyRef Result = PyRef::steal(callAny(F, Given));
  // A function of Python objects may have set an exception, too.
  return Active.raised() || PyErr_Occurred() ? nullptr : Result.release();
}

/// call() of a brief function whose numbers are all `double` or all `long`,
/// without the registers that it does not read.
template <typename T, size_t... Is>
static PyObject *callAlike(PyObject *O, PyObject *const *Given, size_t Flagged,
                           PyObject *Names) noexcept {
  const auto Function =
      reinterpret_cast<T (*)(decltype(T(Is))...)>(self(O)->Address);
  if (Names || PyVectorcall_NARGS(Flagged) != sizeof...(Is)) [[unlikely]]
    return call(O, Given, Flagged, Names);
  const std::optional<T> Values[] = {read(Given[Is], T())...};
  if ((Values[Is] && ...)) [[likely]]
    return made(Function(*Values[Is]...));
  return call(O, Given, Flagged, Names);
}

template <typename T> static vectorcallfunc callAlikeOf(size_t Count) {
  constexpr vectorcallfunc Calls[] = {call, callAlike<T, 0>, callAlike<T, 0, 1>,
                                      callAlike<T, 0, 1, 2>};
  return Count < std::size(Calls) ? Calls[Count] : call;
}

static vectorcallfunc bestCall(const NativeFunction &F) {
  const auto IsLikeResult = [&](const NativeFunction::Quick &P) {
    return P.Letter == F.Result;
  };
  if (!F.IsBrief || F.Count > 3 ||
      !std::all_of(F.Parameters, F.Parameters + F.Count, IsLikeResult))
    return call;
  if (F.Result == 'd')
    return callAlikeOf<double>(F.Count);
  return F.Result == 'l' ? callAlikeOf<long>(F.Count) : call;
}

static NativeFunction::Quick quickly(const CType &P, const CPlacement &Place) {
  constexpr long InOrder = 0x0001;
  if (Place.Stack >= 0 || P.Kind == '?')
    return {};
  if (P.Kind == '*')
    return {'P', Place.At[0], P.Item,
            InOrder | ArrayAligned | (P.IsConst ? 0 : ArrayWriteable), 0};
  const int Unused = P.Kind == 'i' ? int(64 - P.Bits) : 63 - int(P.Bits);
  const long High = LONG_MAX >> std::max(Unused, 0);
  return {letterOf(P), Place.At[0], nullptr, P.Kind == 'i' ? -High - 1 : 0,
          High};
}

static PyObject *make(PyTypeObject *Class, const CType &T, void *Address,
                      CMemory *Memory, PyObject *Declaration, PyObject *Shown,
                      PyObject *Name, bool IsBrief) {
  PyRef Made = PyRef::steal(Class->tp_alloc(Class, 0));
  if (!Made)
    return nullptr;
  NativeFunction &F = *self(Made.get());
  F.Type = cType(Py_NewRef(&T));
  F.Memory = Memory;
  Py_INCREF(Memory);
  F.Declaration = Py_NewRef(Declaration);
  F.Shown = Py_NewRef(Shown);
  F.Name = Py_NewRef(Name);
  F.Address = Address;
  F.IsBrief = IsBrief || T.Signature->HasObjects;
  F.Result = letterOf(*T.Item);
  F.Count = unsigned(T.Signature->count());
  const size_t Count = std::min<size_t>(F.Count, std::size(F.Parameters));
  for (size_t I = 0; I < Count; ++I)
    F.Parameters[I] =
        quickly(T.Signature->parameter(I), T.Signature->Places[I]);
  F.IsPlain = T.Signature->Stack == 0 && !T.Signature->CallsBack &&
              !T.Signature->HasObjects;
  F.Call = bestCall(F);
  return Made.release();
}

/// NativeFunction(type, address, memory, declaration, the same with its
/// comment, name, is brief)
static PyObject *create(PyTypeObject *Class, PyObject *Args, PyObject *) {
  size_t Address = 0;
  PyObject *Type = nullptr, *Memory = nullptr, *Declaration = nullptr,
           *Shown = nullptr, *Name = nullptr;
  int IsBrief = 0;
  if (!PyArg_ParseTuple(Args, "O!kO!UUUp:NativeFunction", cTypeClass(), &Type,
                        &Address, cMemoryClass(), &Memory, &Declaration, &Shown,
                        &Name, &IsBrief))
    return nullptr;
  return make(Class, *cType(Type), std::bit_cast<void *>(Address),
              reinterpret_cast<CMemory *>(Memory), Declaration, Shown, Name,
              IsBrief);
}

PyObject *python::makeFunction(const CType &T, void *Address, CMemory *Memory) {
  return make(nativeFunctionClass(), T, Address, Memory, T.Name, T.Name, T.Name,
              false);
}

void *python::addressOfFunction(PyObject *O) {
  return Py_TYPE(O) == nativeFunctionClass() ? self(O)->Address : nullptr;
}

static int traverse(PyObject *O, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(O));
  Py_VISIT(self(O)->Type);
  Py_VISIT(self(O)->Memory);
  Py_VISIT(self(O)->Values);
  return 0;
}

static int clear(PyObject *O) {
  Py_CLEAR(self(O)->Values);
  return 0;
}

static void destroy(PyObject *O) {
  PyTypeObject *Class = Py_TYPE(O);
  PyObject_GC_UnTrack(O);
  PyObject_ClearWeakRefs(O);
  const NativeFunction &F = *self(O);
  for (PyObject *Owned : {reinterpret_cast<PyObject *>(F.Type),
                          reinterpret_cast<PyObject *>(F.Memory), F.Declaration,
                          F.Shown, F.Name, F.Values})
    Py_XDECREF(Owned);
  Class->tp_free(O);
  Py_DECREF(Class);
}

static PyObject *represent(PyObject *O) {
  return PyUnicode_FromFormat("<C function `%U`>", self(O)->Declaration);
}

static PyObject *getAddress(PyObject *O, void *) {
  return PyLong_FromVoidPtr(self(O)->Address);
}

PyTypeObject *python::nativeFunctionClass() {
  static PyMemberDef Members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(NativeFunction, Call),
       READONLY, nullptr},
      {"__dictoffset__", T_PYSSIZET, offsetof(NativeFunction, Values), READONLY,
       nullptr},
      {"__weaklistoffset__", T_PYSSIZET, offsetof(NativeFunction, References),
       READONLY, nullptr},
      {"type", T_OBJECT, offsetof(NativeFunction, Type), READONLY, nullptr},
      {"__doc__", T_OBJECT, offsetof(NativeFunction, Shown), READONLY, nullptr},
      {"__name__", T_OBJECT, offsetof(NativeFunction, Name), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyGetSetDef GetSet[] = {
      {"address", border<getAddress>, nullptr, "Where its code is.", nullptr},
      {"_as_parameter_", border<getAddress>, nullptr, "For ctypes.", nullptr},
      {}};
  static PyType_Slot Slots[] = {
      {Py_tp_new, slot<create>()},
      {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
      {Py_tp_clear, reinterpret_cast<void *>(clear)},
      {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
      {Py_tp_repr, slot<represent>()},
      {Py_tp_members, Members},
      {Py_tp_getset, GetSet},
      {0, nullptr}};
  static PyType_Spec Spec = {
      "clinch._clinch.NativeFunction", sizeof(NativeFunction), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
      Slots};
  static auto *Class = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&Spec));
  return Class;
}
