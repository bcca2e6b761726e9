// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a source's functions.
//
// Numbers and the addresses of arrays go to the registers in which System V's
// convention has them, whatever the order of the parameters: the nth integer in
// the nth register for integers, the nth floating number in the nth of those.
// Registers that a function does not read may hold anything. Other values are
// written to memory first, as C has them, and go to the registers or the stack
// from there.

#include "ArrayLayout.h"
#include "CSignature.h"
#include "Objects.h"

#include "../../jit/Runtime/Border.h"
#include "../../jit/Runtime/Thrown.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cstring>
#include <new>
#include <optional>
#include <structmember.h>

using namespace clinch;
using namespace clinch::python;

namespace {

struct NativeFunction {
  PyObject_HEAD vectorcallfunc Call;
  CType *Type;           ///< Owned.
  CMemory *Memory;       ///< Owned; it keeps the code.
  PyObject *Declaration; ///< Owned.
  PyObject *Shown;       ///< Owned: with the comment before it.
  PyObject *Name;        ///< Owned.
  PyObject *Values;      ///< Owned: __dict__.
  PyObject *References;  ///< Weak ones.
  void *Address;
  bool IsBrief; ///< Python's lock is kept meanwhile.
  /// It has no stack, calls no Python function, and has no Python objects.
  bool IsPlain;
  char Result;
  unsigned Count;
  /// How the first parameters are passed without memory.
  struct Quick {
    char Letter; ///< Of a number, `P` of a pointer, or 0.
    uint8_t At;  ///< Its register.
    const CType *Type;
    long Low, High; ///< Of an integer.
  } Parameters[MostIntegers + MostFloats];
};

NativeFunction *self(PyObject *O) {
  return reinterpret_cast<NativeFunction *>(O);
}

/// Returns `d` for a double, `f` for a float, `i` and `u` for integers, `l` for
/// a `long`, `?` for a bool; 0 for what goes through memory.
char letterOf(const CType &T) {
  if (T.Kind == '?')
    return '?';
  if (T.Kind == 'f')
    return T.Size == 8 ? 'd' : T.Size == 4 ? 'f' : '\0';
  const bool IsPlain = (T.Kind == 'i' || T.Kind == 'u') && !T.Class &&
                       T.Size <= 8 && T.Bits == T.Size * 8;
  return !IsPlain ? '\0' : T.Kind == 'i' && T.Size == 8 ? 'l' : T.Kind;
}

/// Reads a float or an int. Nothing, without an exception, if it is another.
std::optional<double> read(PyObject *Given, double) {
  if (PyFloat_Check(Given)) [[likely]]
    return PyFloat_AS_DOUBLE(Given);
  if (!PyLong_CheckExact(Given))
    return std::nullopt;
  const double Value = PyLong_AsDouble(Given);
  if (Value == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    return std::nullopt;
  }
  return Value;
}

/// Reads an int in the same way.
std::optional<long> read(PyObject *Given, long) {
  if (!PyLong_CheckExact(Given))
    return std::nullopt;
#if PY_VERSION_HEX >= 0x030c0000
  const auto *Int = reinterpret_cast<const PyLongObject *>(Given);
  if (PyUnstable_Long_IsCompact(Int)) [[likely]]
    return PyUnstable_Long_CompactValue(Int);
#else
  if (Py_SIZE(Given) == 1) [[likely]]
    return reinterpret_cast<const PyLongObject *>(Given)->ob_digit[0];
#endif
  int Overflows = 0;
  const long Value = PyLong_AsLongAndOverflow(Given, &Overflows);
  if (Overflows)
    return std::nullopt;
  return Value;
}

PyObject *made(double Value) { return PyFloat_FromDouble(Value); }
PyObject *made(long Value) { return PyLong_FromLong(Value); }

bool passNumber(const NativeFunction::Quick &P, PyObject *Given,
                CRegisters &R) {
  if (P.Letter == 'd' || P.Letter == 'f') {
    const std::optional<double> Value = read(Given, double());
    if (!Value)
      return false;
    double &To = R.F[P.At];
    To = *Value;
    if (P.Letter == 'f')
      To = std::bit_cast<double>(
          uint64_t(std::bit_cast<uint32_t>(float(*Value))));
    return true;
  }
  const std::optional<long> Value = read(Given, long());
  if (!Value || *Value < P.Low || *Value > P.High)
    return false;
  R.I[P.At] = *Value;
  return true;
}

/// Passes an array of NumPy's whose class and dtype were seen before.
bool passArray(const NativeFunction::Quick &P, PyObject *Given, CRegisters &R) {
  const CType &T = *P.Type;
  constexpr int InOrder = 0x0001;
  const int Needed = InOrder | ArrayAligned | (T.IsConst ? 0 : ArrayWriteable);
  const auto *A = reinterpret_cast<const ArrayHead *>(Given);
  if (Py_TYPE(Given) != arrayClass() || (A->Flags & Needed) != Needed ||
      (T.Item->Kind != 'v' && A->Dtype != T.Item->Dtype))
    return false;
  R.I[P.At] = reinterpret_cast<long>(A->Data);
  return true;
}

/// Memory for what goes on the stack. The largest alignment is that of a cache
/// line.
template <size_t Size> struct alignas(64) Stack {
  char Bytes[Size];
};
template <> struct Stack<0> {};

/// A call's registers, stack, and what keeps its arguments.
template <size_t Size> struct Frame {
  CRegisters R;
  Stack<Size> S;
  std::vector<PyRef> Kept;

  char *stack() {
    if constexpr (Size == 0)
      return nullptr;
    else
      return S.Bytes;
  }
};

bool passOther(const CType &T, const CPlacement &P, PyObject *Given,
               CRegisters &R, char *Stack, std::vector<PyRef> &Kept) {
  alignas(16) char Value[16] = {};
  char *At = P.Stack < 0 ? Value : Stack + P.Stack;
  if (P.Stack >= 0 && T.Size < 8)
    std::memset(At, 0, 8);
  if (!writeC(T, At, Given, {nullptr, &Kept}))
    return false;
  extendSign(T, At);
  if (P.Stack < 0)
    R.set(P, Value);
  return true;
}

/// Says which argument an exception is about.
bool refuse(size_t Number) {
  PyObject *Class = nullptr, *Value = nullptr, *Traceback = nullptr;
  PyErr_Fetch(&Class, &Value, &Traceback);
  if (Class == PyExc_TypeError || Class == PyExc_ValueError ||
      Class == PyExc_OverflowError) {
    PyErr_Format(Class, "argument %zu: %S", Number, Value);
    Py_XDECREF(Class);
    Py_XDECREF(Value);
    Py_XDECREF(Traceback);
  } else {
    PyErr_Restore(Class, Value, Traceback);
  }
  return false;
}

bool pass(const NativeFunction &F, PyObject *const *Given, CRegisters &R,
          char *Stack, std::vector<PyRef> &Kept) {
  for (unsigned I = 0; I != F.Count; ++I) {
    if (I < std::size(F.Parameters)) [[likely]] {
      const NativeFunction::Quick &P = F.Parameters[I];
      if (P.Letter == 'P' ? passArray(P, Given[I], R)
                          : P.Letter && passNumber(P, Given[I], R)) [[likely]]
        continue;
    }
    const CSignature &S = *F.Type->Signature;
    if (!passOther(S.parameter(I), S.Places[I], Given[I], R, Stack, Kept))
      return refuse(I + 1);
  }
  return true;
}

/// With all registers, whichever the function reads.
template <typename T, size_t Size>
T invoke(void *Address, const CRegisters &R, const Stack<Size> &S) {
  using Function =
      T (*)(long, long, long, long, long, long, double, double, double, double,
            double, double, double, double, Stack<Size>);
  return reinterpret_cast<Function>(Address)(
      R.I[0], R.I[1], R.I[2], R.I[3], R.I[4], R.I[5], R.F[0], R.F[1], R.F[2],
      R.F[3], R.F[4], R.F[5], R.F[6], R.F[7], S);
}
template <typename T>
T invoke(void *Address, const CRegisters &R, const Stack<0> &) {
  using Function = T (*)(long, long, long, long, long, long, double, double,
                         double, double, double, double, double, double);
  return reinterpret_cast<Function>(Address)(
      R.I[0], R.I[1], R.I[2], R.I[3], R.I[4], R.I[5], R.F[0], R.F[1], R.F[2],
      R.F[3], R.F[4], R.F[5], R.F[6], R.F[7]);
}

/// A scope that has released Python's lock, or has not.
class Unlocked {
public:
  explicit Unlocked(bool Keeps)
      : State(Keeps ? nullptr : PyEval_SaveThread()) {}
  ~Unlocked() {
    if (State)
      PyEval_RestoreThread(State);
  }
  Unlocked(const Unlocked &) = delete;
  Unlocked &operator=(const Unlocked &) = delete;

private:
  PyThreadState *const State;
};

template <typename T, size_t Size>
T invokeUnlocked(const NativeFunction &F, const Frame<Size> &C) {
  const Unlocked Scope(F.IsBrief);
  return invoke<T>(F.Address, C.R, C.S);
}

/// The two registers of a result.
template <typename A, typename B> struct Pair {
  A First;
  B Second;
};

/// Calls a function whose result is in two registers, and stores them.
template <typename A, typename B, size_t Size>
void storePair(const NativeFunction &F, const Frame<Size> &C, char *To) {
  const auto Made = invokeUnlocked<Pair<A, B>>(F, C);
  std::memcpy(To, &Made, sizeof(Made));
}

/// Calls a function; its result, of whatever type, is stored as C has it.
template <size_t Size>
void store(const NativeFunction &F, Frame<Size> &C, char *To) {
  const CSignature &S = *F.Type->Signature;
  const char *Kinds = S.Returned.Kinds;
  if (S.How == 'm') {
    C.R.I[0] = reinterpret_cast<long>(To);
    invokeUnlocked<void>(F, C);
  } else if (S.How == 'x') {
    const auto Made = invokeUnlocked<long double>(F, C);
    std::memcpy(To, &Made, 10);
  } else if (S.How == 'X') {
    const auto Made = invokeUnlocked<_Complex long double>(F, C);
    std::memcpy(To, &Made, sizeof(Made));
  } else {
    alignas(16) char Halves[16];
    if (Kinds[0] == 'f' && Kinds[1] == 'i')
      storePair<double, long>(F, C, Halves);
    else if (Kinds[0] == 'i' && Kinds[1] == 'f')
      storePair<long, double>(F, C, Halves);
    else if (Kinds[0] == 'f' || (!Kinds[0] && Kinds[1] == 'f'))
      storePair<double, double>(F, C, Halves);
    else
      storePair<long, long>(F, C, Halves);
    const size_t Begin = !Kinds[0] && Kinds[1] ? 8 : 0; // Of padding.
    std::memcpy(To + Begin, Halves,
                std::min(size_t(F.Type->Item->Size), sizeof(Halves)) - Begin);
  }
}

template <size_t Size>
PyObject *otherResult(const NativeFunction &F, Frame<Size> &C) {
  const CType &T = *F.Type->Item;
  if (T.isRecord()) {
    PyRef View = PyRef::steal(makeView(T));
    if (View)
      store(F, C, cView(View.get())->At);
    return View.release();
  }
  if (T.Kind == 'v') {
    invokeUnlocked<void>(F, C);
    Py_RETURN_NONE;
  }
  alignas(16) char Value[32] = {};
  store(F, C, Value);
  if (T.Kind != 'O')
    return readC(T, Value, F.Memory, false);
  auto *const Made = static_cast<PyObject *>(loadPointer(Value));
  if (!Made && !PyErr_Occurred())
    PyErr_SetString(PyExc_ValueError, "PyObject is NULL");
  return Made;
}

template <size_t Size>
PyObject *resultOf(const NativeFunction &F, Frame<Size> &C) {
  const unsigned Rest = 64 - F.Type->Item->Bits; // Holds anything.
  switch (F.Result) {
  case 'd':
    return PyFloat_FromDouble(invokeUnlocked<double>(F, C));
  case 'f':
    return PyFloat_FromDouble(double(invokeUnlocked<float>(F, C)));
  case '?':
    return PyBool_FromLong(invokeUnlocked<bool>(F, C));
  case 'i':
  case 'l':
    return PyLong_FromLong(invokeUnlocked<long>(F, C) << Rest >> Rest);
  case 'u':
    return PyLong_FromUnsignedLong(
        invokeUnlocked<unsigned long>(F, C) << Rest >> Rest);
  default:
    return otherResult(F, C);
  }
}

/// Calls, and raises what the function throws.
template <size_t Size>
PyObject *resultOrThrown(const NativeFunction &F, Frame<Size> &C) {
  try {
    return resultOf(F, C);
  } catch (...) {
    clinch_thrown(("`" + toString(F.Declaration) + "`").c_str());
    return nullptr;
  }
}

/// Not inline: a call has the stack of its own size alone.
template <size_t Size>
[[gnu::noinline]] PyObject *callFrame(const NativeFunction &F,
                                      PyObject *const *Given) {
  Frame<Size> C;
  return pass(F, Given, C.R, C.stack(), C.Kept) ? resultOrThrown(F, C)
                                                : nullptr;
}

PyObject *refuseCall(const NativeFunction &F, Py_ssize_t Count, bool HasNames) {
  if (HasNames)
    return PyErr_Format(PyExc_TypeError,
                        "`%U` takes no keyword arguments: C's parameters are "
                        "given in their order",
                        F.Declaration);
  return PyErr_Format(PyExc_TypeError,
                      "`%U` takes %u arguments, and %zd were given",
                      F.Declaration, F.Count, Count);
}

} // namespace

static PyObject *callAny(const NativeFunction &F, PyObject *const *Given) {
  const size_t Size = F.Type->Signature->Stack;
  if (Size == 0)
    return callFrame<0>(F, Given);
  constexpr size_t Some = 2048, Most = 65536;
  if (F.Type->Signature->Align > alignof(Stack<Most>) || Size > Most)
    return PyErr_Format(PyExc_TypeError,
                        "`%U` takes by value more than %zu bytes, or such that "
                        "are aligned to more than %zu",
                        F.Declaration, Most, alignof(Stack<Most>));
  if (Size <= 128)
    return callFrame<128>(F, Given);
  return Size <= Some ? callFrame<Some>(F, Given) : callFrame<Most>(F, Given);
}

static PyObject *call(PyObject *O, PyObject *const *Given, size_t Flagged,
                      PyObject *Names) noexcept {
  const NativeFunction &F = *self(O);
  const Py_ssize_t Count = PyVectorcall_NARGS(Flagged);
  if (Names || Count != F.Count) [[unlikely]]
    return refuseCall(F, Count, Names);
  if (F.IsPlain && LiveCallbacks.load(std::memory_order_relaxed) == 0)
      [[likely]]
    return callFrame<0>(F, Given);
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
  for (size_t I = 0; I < std::min<size_t>(F.Count, std::size(F.Parameters));
       ++I) {
    const CType &P = T.Signature->parameter(I);
    const CPlacement &Place = T.Signature->Places[I];
    const char Letter = P.Kind == '*'   ? 'P'
                        : P.Kind == '?' ? '\0'
                                        : letterOf(P);
    const int Unused = P.Kind == 'i' ? int(64 - P.Bits) : 63 - int(P.Bits);
    const long High = LONG_MAX >> std::max(Unused, 0);
    F.Parameters[I] = {Place.Stack < 0 ? Letter : '\0', Place.At[0], &P,
                       P.Kind == 'i' ? -High - 1 : 0, High};
  }
  F.IsPlain = T.Signature->Stack == 0 && !T.Signature->CallsBack &&
              !T.Signature->HasObjects;
  F.Call = bestCall(F);
  return Made.release();
}

/// NativeFunction(type, address, memory, declaration, the same with its
/// comment, name, is brief)
static PyObject *create(PyTypeObject *Class, PyObject *Args, PyObject *) {
  PyObject *Type = nullptr, *Address = nullptr, *Memory = nullptr,
           *Declaration = nullptr, *Shown = nullptr, *Name = nullptr;
  int IsBrief = 0;
  if (!PyArg_ParseTuple(Args, "O!O!O!UUUp:NativeFunction", cTypeClass(), &Type,
                        &PyLong_Type, &Address, cMemoryClass(), &Memory,
                        &Declaration, &Shown, &Name, &IsBrief))
    return nullptr;
  void *At = PyLong_AsVoidPtr(Address);
  return PyErr_Occurred() ? nullptr
                          : make(Class, *cType(Type), At,
                                 reinterpret_cast<CMemory *>(Memory),
                                 Declaration, Shown, Name, IsBrief);
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
