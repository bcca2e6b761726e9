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
#include "NativeFunction.h"
#include "Objects.h"

#include "../../jit/Runtime/Raise.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace clinch;
using namespace clinch::python;

namespace {

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
  const auto *A = reinterpret_cast<const ArrayHead *>(Given);
  if (Py_TYPE(Given) != ArrayClass || (A->Flags & P.Low) != P.Low ||
      (A->Dtype != P.Item->Dtype && P.Item->Kind != 'v'))
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

} // namespace

PyObject *python::callPlain(const NativeFunction &F, PyObject *const *Given) {
  return callFrame<0>(F, Given);
}

PyObject *python::callAny(const NativeFunction &F, PyObject *const *Given) {
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
