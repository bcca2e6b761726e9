// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a text's functions.
//
// ctypes takes a microsecond for a call. Here numbers and the addresses of
// arrays go to the registers in which System V's convention has them, whatever
// the order of the parameters: the nth integer in the nth register for
// integers, the nth floating number in the nth of those. Registers that a
// function does not read may hold anything. AArch64 has the same rule and more
// registers. Whatever else is given goes to the function of ctypes, which says
// what is wrong too.

#include "ArrayLayout.h"
#include "Objects.h"

#include "../../jit/Runtime/Border.h"
#include "../../jit/Runtime/Thrown.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <structmember.h>

using namespace clinch;
using namespace clinch::python;

namespace {

constexpr size_t MostIntegers = 6, MostFloats = 8;

struct Registers {
  long I[MostIntegers] = {};
  double F[MostFloats] = {};
  size_t Integers = 0, Floats = 0;
};

/// A parameter: ctypes' letter of a number, or an array's dtype.
struct Parameter {
  char Letter;
  bool IsWritten;  ///< Of an array.
  PyObject *Dtype; ///< Owned; null where any will do.
};

struct NativeFunction {
  PyObject_HEAD vectorcallfunc Call;
  PyObject *OfCtypes;   ///< Owned; it keeps the code.
  PyTypeObject *Arrays; ///< Owned; numpy.ndarray, or null.
  void *Address;
  char Result;
  bool IsBrief; ///< Python's lock is kept meanwhile.
  unsigned Count;
  Parameter Parameters[MostIntegers + MostFloats];
};

NativeFunction *self(PyObject *O) {
  return reinterpret_cast<NativeFunction *>(O);
}

template <typename T> bool fits(long N) {
  return std::numeric_limits<T>::min() <= N &&
         N <= std::numeric_limits<T>::max();
}

bool fitsLetter(char Letter, long N) {
  switch (Letter) {
  case 'b':
    return fits<signed char>(N);
  case 'B':
    return fits<unsigned char>(N);
  case 'h':
    return fits<short>(N);
  case 'H':
    return fits<unsigned short>(N);
  case 'i':
    return fits<int>(N);
  case 'I':
    return fits<unsigned>(N);
  case 'L':
    return N >= 0;
  default:
    return Letter == 'l';
  }
}

/// Reads a float or an int. Nothing, without an exception, if ctypes is to see.
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

bool passNumber(char Letter, PyObject *Given, Registers &R) {
  if (Letter == 'd' || Letter == 'f') {
    const std::optional<double> Value = read(Given, double());
    if (!Value)
      return false;
    double &To = R.F[R.Floats++];
    To = *Value;
    if (Letter == 'f')
      To = std::bit_cast<double>(
          uint64_t(std::bit_cast<uint32_t>(float(*Value))));
    return true;
  }
  const std::optional<long> Value = read(Given, long());
  if (!Value || !fitsLetter(Letter, *Value))
    return false;
  R.I[R.Integers++] = *Value;
  return true;
}

bool passArray(const NativeFunction &F, const Parameter &P, PyObject *Given,
               Registers &R) {
  constexpr int InOrder = 0x0001;
  const int Needed =
      InOrder | ArrayAligned | (P.IsWritten ? ArrayWriteable : 0);
  const auto *A = reinterpret_cast<const ArrayHead *>(Given);
  if (Py_TYPE(Given) != F.Arrays || (A->Flags & Needed) != Needed ||
      (P.Dtype && A->Dtype != P.Dtype))
    return false;
  R.I[R.Integers++] = reinterpret_cast<long>(A->Data);
  return true;
}

bool pass(const NativeFunction &F, PyObject *const *Given, Registers &R) {
  for (unsigned I = 0; I != F.Count; ++I) {
    const Parameter &P = F.Parameters[I];
    if (P.Letter == 'P' ? !passArray(F, P, Given[I], R)
                        : !passNumber(P.Letter, Given[I], R))
      return false;
  }
  return true;
}

/// With all registers, whichever the function reads.
template <typename T> T invoke(const NativeFunction &F, const Registers &R) {
  using Function = T (*)(long, long, long, long, long, long, double, double,
                         double, double, double, double, double, double);
  return reinterpret_cast<Function>(F.Address)(
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

template <typename T>
T invokeUnlocked(const NativeFunction &F, const Registers &R) {
  const Unlocked Scope(F.IsBrief);
  return invoke<T>(F, R);
}

PyObject *resultOf(const NativeFunction &F, const Registers &R) {
  switch (F.Result) {
  case 'd':
    return PyFloat_FromDouble(invokeUnlocked<double>(F, R));
  case 'f':
    return PyFloat_FromDouble(double(invokeUnlocked<float>(F, R)));
  case '?':
    return PyBool_FromLong(invokeUnlocked<bool>(F, R));
  case 'b':
    return PyLong_FromLong(invokeUnlocked<signed char>(F, R));
  case 'B':
    return PyLong_FromLong(invokeUnlocked<unsigned char>(F, R));
  case 'h':
    return PyLong_FromLong(invokeUnlocked<short>(F, R));
  case 'H':
    return PyLong_FromLong(invokeUnlocked<unsigned short>(F, R));
  case 'i':
    return PyLong_FromLong(invokeUnlocked<int>(F, R));
  case 'I':
    return PyLong_FromLong(long(invokeUnlocked<unsigned>(F, R)));
  case 'l':
    return PyLong_FromLong(invokeUnlocked<long>(F, R));
  case 'L':
    return PyLong_FromUnsignedLong(invokeUnlocked<unsigned long>(F, R));
  default:
    invokeUnlocked<void>(F, R);
    Py_RETURN_NONE;
  }
}

} // namespace

static PyObject *callOfCtypes(PyObject *O, PyObject *const *Given,
                              size_t Flagged, PyObject *Names) noexcept {
  return PyObject_Vectorcall(self(O)->OfCtypes, Given, Flagged, Names);
}

/// Sets a RuntimeError that says what the function threw.
static PyObject *raiseThrown(PyObject *O) noexcept {
  const PyRef Declaration =
      PyRef::steal(PyObject_GetAttrString(self(O)->OfCtypes, "__doc__"));
  if (Declaration)
    clinch_thrown(("`" + toString(Declaration.get()) + "`").c_str());
  return nullptr;
}

static PyObject *call(PyObject *O, PyObject *const *Given, size_t Flagged,
                      PyObject *Names) noexcept {
  const NativeFunction &F = *self(O);
  Registers R;
  if (!Names && PyVectorcall_NARGS(Flagged) == F.Count && pass(F, Given, R))
      [[likely]]
    try {
      return resultOf(F, R);
    } catch (...) {
      return raiseThrown(O);
    }
  return callOfCtypes(O, Given, Flagged, Names);
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

template <typename T> static vectorcallfunc callAlikeOf(unsigned Count) {
  constexpr vectorcallfunc Calls[] = {call, callAlike<T, 0>, callAlike<T, 0, 1>,
                                      callAlike<T, 0, 1, 2>};
  return Count < std::size(Calls) ? Calls[Count] : call;
}

static vectorcallfunc bestCall(const NativeFunction &F) {
  const auto IsLikeResult = [&](const Parameter &P) {
    return P.Letter == F.Result;
  };
  if (!F.IsBrief ||
      !std::all_of(F.Parameters, F.Parameters + F.Count, IsLikeResult))
    return call;
  if (F.Result == 'd')
    return callAlikeOf<double>(F.Count);
  return F.Result == 'l' ? callAlikeOf<long>(F.Count) : call;
}

/// Reads (letter, whether it is written, dtype or None) of each parameter.
static bool readParameters(PyObject *Given, NativeFunction &F) {
  size_t Integers = 0, Floats = 0;
  for (Py_ssize_t I = 0; I != PyTuple_GET_SIZE(Given); ++I) {
    const char *Letter = nullptr;
    int IsWritten = 0;
    PyObject *Dtype = nullptr;
    if (!PyArg_ParseTuple(PyTuple_GET_ITEM(Given, I), "spO", &Letter,
                          &IsWritten, &Dtype))
      return false;
    ++(std::strchr("df", *Letter) ? Floats : Integers);
    if (Integers > MostIntegers || Floats > MostFloats) {
      PyErr_SetString(PyExc_ValueError, "there are too many parameters");
      return false;
    }
    F.Parameters[F.Count++] = {*Letter, bool(IsWritten),
                               Dtype == Py_None ? nullptr : Py_NewRef(Dtype)};
  }
  return true;
}

/// NativeFunction(address, is brief, result, parameters, function of ctypes,
/// numpy.ndarray or None).
static PyObject *create(PyTypeObject *Class, PyObject *Args, PyObject *) {
  PyObject *Address = nullptr, *Parameters = nullptr, *OfCtypes = nullptr,
           *Arrays = nullptr;
  int IsBrief = 0;
  const char *Result = nullptr;
  if (!PyArg_ParseTuple(Args, "O!psO!OO:NativeFunction", &PyLong_Type, &Address,
                        &IsBrief, &Result, &PyTuple_Type, &Parameters,
                        &OfCtypes, &Arrays))
    return nullptr;
  PyRef Made = PyRef::steal(Class->tp_alloc(Class, 0));
  if (!Made)
    return nullptr;
  NativeFunction &F = *self(Made.get());
  F.OfCtypes = Py_NewRef(OfCtypes);
  if (PyType_Check(Arrays))
    F.Arrays = reinterpret_cast<PyTypeObject *>(Py_NewRef(Arrays));
  F.Address = PyLong_AsVoidPtr(Address);
  F.Result = *Result;
  F.IsBrief = IsBrief;
  if (PyErr_Occurred() || !readParameters(Parameters, F))
    return nullptr;
  F.Call = bestCall(F);
  return Made.release();
}

static int traverse(PyObject *O, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(O));
  Py_VISIT(self(O)->OfCtypes);
  return 0;
}

static int clear(PyObject *O) {
  self(O)->Call = callOfCtypes;
  Py_CLEAR(self(O)->OfCtypes);
  return 0;
}

static void destroy(PyObject *O) {
  PyTypeObject *Class = Py_TYPE(O);
  PyObject_GC_UnTrack(O);
  NativeFunction &F = *self(O);
  Py_CLEAR(F.OfCtypes);
  Py_CLEAR(F.Arrays);
  for (unsigned I = 0; I != F.Count; ++I)
    Py_CLEAR(F.Parameters[I].Dtype);
  Class->tp_free(O);
  Py_DECREF(Class);
}

/// All that it has is the function's of ctypes, its class too: it is one of
/// them for who asks by isinstance().
static PyObject *getAttribute(PyObject *O, PyObject *Name) {
  PyObject *OfCtypes = self(O)->OfCtypes;
  if (PyUnicode_CompareWithASCIIString(Name, "_as_parameter_") == 0)
    return Py_NewRef(OfCtypes);
  return PyObject_GetAttr(OfCtypes, Name);
}

/// Types may be set as those of ctypes' functions: from then on that is called.
static int setAttribute(PyObject *O, PyObject *Name, PyObject *Value) {
  self(O)->Call = callOfCtypes;
  return PyObject_SetAttr(self(O)->OfCtypes, Name, Value);
}

static PyObject *represent(PyObject *O) {
  return PyObject_Repr(self(O)->OfCtypes);
}

PyTypeObject *python::nativeFunctionClass() {
  static PyMemberDef Members[] = {{"__vectorcalloffset__", T_PYSSIZET,
                                   offsetof(NativeFunction, Call), READONLY,
                                   nullptr},
                                  {nullptr, 0, 0, 0, nullptr}};
  static PyType_Slot Slots[] = {
      {Py_tp_doc, const_cast<char *>("A C function, called at once.")},
      {Py_tp_new, slot<create>()},
      {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
      {Py_tp_clear, reinterpret_cast<void *>(clear)},
      {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
      {Py_tp_getattro, slot<getAttribute>()},
      {Py_tp_setattro, slot<setAttribute>()},
      {Py_tp_repr, slot<represent>()},
      {Py_tp_members, Members},
      {0, nullptr}};
  static PyType_Spec Spec = {
      "clinch._clinch.NativeFunction", sizeof(NativeFunction), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
      Slots};
  static auto *Class = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&Spec));
  return Class;
}
