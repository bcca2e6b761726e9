// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of C in memory.

#include "CData.h"

#include <cstring>

using namespace clinch;
using namespace clinch::python;

using Wide = unsigned __int128;

/// Reads bytes that are no more than 64 bits and a shift.
static Wide load(const char *At, unsigned Shift, unsigned Bits) {
  Wide Value = 0;
  std::memcpy(&Value, At, (Shift + Bits + 7) / 8);
  return Value >> Shift;
}

static PyObject *readInteger(const char *At, unsigned Shift, unsigned Bits,
                             bool IsSigned) {
  if (Bits > 64)
    return convert("read_wide", "(y#IIO)", At,
                   Py_ssize_t((Shift + Bits + 7) / 8), Shift, Bits,
                   IsSigned ? Py_True : Py_False);
  const uint64_t Value = uint64_t(load(At, Shift, Bits)) << (64 - Bits);
  return IsSigned ? PyLong_FromLongLong(int64_t(Value) >> (64 - Bits))
                  : PyLong_FromUnsignedLongLong(Value >> (64 - Bits));
}

static bool refuseInteger(PyObject *Number, unsigned Bits, bool IsSigned) {
  const PyRef Raises = PyRef::steal(convert(
      "check_range", "(OIO)", Number, Bits, IsSigned ? Py_True : Py_False));
  return false;
}

/// Reads an integer that has no more than 64 bits.
static bool take(PyObject *Number, unsigned Bits, bool IsSigned,
                 uint64_t &Value) {
  int Overflows = 0;
  const int64_t Signed = PyLong_AsLongLongAndOverflow(Number, &Overflows);
  Value = uint64_t(Signed);
  if (!IsSigned && Overflows > 0) {
    Value = PyLong_AsUnsignedLongLong(Number);
    if (PyErr_Occurred()) {
      PyErr_Clear();
      return false;
    }
    return Bits == 64;
  }
  if (Overflows || (!IsSigned && Signed < 0))
    return false;
  return IsSigned ? Bits == 64 || Signed >> (Bits - 1) == 0 ||
                        Signed >> (Bits - 1) == -1
                  : Bits == 64 || Value >> Bits == 0;
}

/// Width: of a bit-field, whose neighbours stay, or 0.
static bool writeInteger(const CType &T, char *At, PyObject *Given,
                         unsigned Shift, unsigned Width) {
  const unsigned Bits = Width ? Width : T.Kind == 'c' ? 8 : T.Bits;
  const auto Size = Width ? (Shift + Width + 7) / 8 : unsigned(T.Size);
  const bool IsSigned = T.Kind != 'u';
  PyRef Number = PyRef::steal(PyNumber_Index(Given));
  if (!Number)
    return false;
  if (Bits > 64) {
    PyRef Bytes = PyRef::steal(convert(
        "write_wide", "(y#OIIOO)", At, Py_ssize_t(Size), Number.get(), Shift,
        Bits, IsSigned ? Py_True : Py_False, Width ? Py_True : Py_False));
    if (!Bytes)
      return false;
    std::memcpy(At, PyBytes_AS_STRING(Bytes.get()), Size);
    return true;
  }
  uint64_t Value = 0;
  if (!take(Number.get(), Bits, IsSigned, Value))
    return refuseInteger(Number.get(), Bits, IsSigned);
  Wide All = Value;
  if (Width) {
    const Wide Mask = ((Wide(1) << Bits) - 1) << Shift;
    All = (load(At, 0, Size * 8) & ~Mask) | ((All << Shift) & Mask);
  }
  std::memcpy(At, &All, Size);
  return true;
}

/// Whether a float of Python's cannot hold it.
static bool isLong(const CType &T) {
  return (T.Kind == 'f' && T.Size == 16) || (T.Kind == 'z' && T.Size == 32);
}

static PyObject *readLong(const CType &T, const char *At) {
  return convert("read_long", "(Oy#)", &T, At, T.Size);
}

static bool writeLong(const CType &T, char *At, PyObject *Value) {
  PyRef Bytes = PyRef::steal(convert("write_long", "(OO)", &T, Value));
  if (!Bytes)
    return false;
  std::memset(At, 0, size_t(T.Size));
  for (Py_ssize_t I = 0; I != T.Size; I += 16) // Of which 10 are the number.
    std::memcpy(At + I, PyBytes_AS_STRING(Bytes.get()) + I, 10);
  return true;
}

static double readReal(const CType &T, const char *At) {
  auto As = [&]<typename F>(F Value) {
    std::memcpy(&Value, At, sizeof(F));
    return double(Value);
  };
  return T.Size == 8   ? As(double())
         : T.Size == 4 ? As(float())
                       : As(_Float16());
}

static void storeReal(const CType &T, char *At, double Given) {
  auto As = [&]<typename F>(F) {
    const F Value = F(Given);
    std::memcpy(At, &Value, sizeof(F));
  };
  T.Size == 8 ? As(double()) : T.Size == 4 ? As(float()) : As(_Float16());
}

static PyObject *readChars(const char *At, Py_ssize_t Count) {
  const auto Size = Py_ssize_t(strnlen(At, size_t(Count)));
  return PyBytes_FromStringAndSize(At, Size);
}

static const CType &innermost(const CType &T) {
  const CType *Item = &T;
  while (Item->Kind == '[')
    Item = Item->Item;
  return *Item;
}

static PyObject *readArray(const CType &T, char *At, CMemory *Memory,
                           bool IsConst) {
  if (T.Count < 0) // Only the author knows where it ends.
    return viewOf(cPointerClass(), *T.Item, At, Memory, IsConst);
  if (T.Item->Kind == 'c')
    return readChars(At, T.Count);
  PyRef View = PyRef::steal(viewOf(cArrayClass(), T, At, Memory, IsConst));
  if (!View || innermost(T).Code == Py_None)
    return View.release();
  return convert("as_array", "(O)", View.get());
}

static PyObject *readPointer(const CType &T, char *At, CMemory *Memory) {
  auto *const Target = static_cast<char *>(loadPointer(At));
  if (!Target)
    Py_RETURN_NONE;
  switch (T.Item->Kind) {
  case 'v':
    return PyLong_FromVoidPtr(Target);
  case 'c':
    return PyBytes_FromString(Target);
  case 'F':
    return makeFunction(*T.Item, Target, Memory);
  default:
    return viewOf(cPointerClass(), *T.Item, Target, Memory, T.IsConst);
  }
}

static PyObject *readMember(const CType &T, PyObject *Number) {
  if (!Number || !T.Class)
    return Number;
  PyRef Value = PyRef::steal(Number);
  PyObject *Member = PyObject_CallOneArg(T.Class, Number);
  if (Member || !PyErr_ExceptionMatches(PyExc_ValueError))
    return Member;
  PyErr_Clear();
  return Value.release();
}

// NOLINTNEXTLINE(misc-no-recursion): types nest
PyObject *python::readC(const CType &T, char *At, CMemory *Memory, bool IsConst,
                        unsigned Shift, unsigned Width) {
  switch (T.Kind) {
  case 'i':
  case 'u':
    return readMember(
        T, readInteger(At, Shift, Width ? Width : T.Bits, T.Kind == 'i'));
  case '?':
    return PyBool_FromLong(*At >> Shift & 1);
  case 'c':
    return Width ? readInteger(At, Shift, Width, true)
                 : PyBytes_FromStringAndSize(At, 1);
  case 'f':
    return isLong(T) ? readLong(T, At) : PyFloat_FromDouble(readReal(T, At));
  case 'z':
    if (isLong(T))
      return readLong(T, At);
    return PyComplex_FromDoubles(readReal(*T.Item, At),
                                 readReal(*T.Item, At + T.Item->Size));
  case '&':
    return readC(*T.Item, static_cast<char *>(loadPointer(At)), Memory,
                 T.IsConst);
  case '*':
    return readPointer(T, At, Memory);
  case '[':
    return readArray(T, At, Memory, IsConst);
  case 'O': {
    auto *const Object = static_cast<PyObject *>(loadPointer(At));
    if (!Object)
      return PyErr_Format(PyExc_ValueError, "the PyObject * is NULL");
    return Py_NewRef(Object);
  }
  default:
    return viewOf(reinterpret_cast<PyTypeObject *>(T.Class), T, At, Memory,
                  IsConst);
  }
}

static bool writeChar(char *At, PyObject *Value) {
  if (PyBytes_Check(Value) || PyByteArray_Check(Value)) {
    const bool IsBytes = PyBytes_Check(Value);
    if (PyObject_Length(Value) != 1) {
      PyErr_SetString(PyExc_TypeError, "expected one byte for a `char`");
      return false;
    }
    *At = IsBytes ? *PyBytes_AS_STRING(Value) : *PyByteArray_AS_STRING(Value);
    return true;
  }
  PyRef Number = PyRef::steal(PyNumber_Index(Value));
  uint64_t Byte = 0;
  if (!Number)
    return false;
  if (!take(Number.get(), 8, false, Byte) && !take(Number.get(), 8, true, Byte))
    return refuseInteger(Number.get(), 8, true);
  *At = char(Byte);
  return true;
}

static bool writeBool(char *At, PyObject *Value, unsigned Shift) {
  if (!PyNumber_Check(Value)) {
    PyErr_Format(PyExc_TypeError, "expected a bool, not a %s",
                 Py_TYPE(Value)->tp_name);
    return false;
  }
  const int Truth = PyObject_IsTrue(Value);
  if (Truth >= 0)
    *At = char((*At & ~(1 << Shift)) | (Truth << Shift));
  return Truth >= 0;
}

static bool writeComplex(const CType &T, char *At, PyObject *Value) {
  const Py_complex Number = PyComplex_AsCComplex(Value);
  if (Number.real == -1 && PyErr_Occurred())
    return false;
  storeReal(*T.Item, At, Number.real);
  storeReal(*T.Item, At + T.Item->Size, Number.imag);
  return true;
}

// NOLINTNEXTLINE(misc-no-recursion): types nest
bool python::writeC(const CType &T, char *At, PyObject *Value, const CKeeper &K,
                    unsigned Shift, unsigned Width) {
  switch (T.Kind) {
  case 'i':
  case 'u':
    return writeInteger(T, At, Value, Shift, Width);
  case '?':
    if (!Width)
      *At = 0;
    return writeBool(At, Value, Shift);
  case 'c':
    return Width ? writeInteger(T, At, Value, Shift, Width)
                 : writeChar(At, Value);
  case 'f': {
    if (isLong(T))
      return writeLong(T, At, Value);
    const double Number = PyFloat_AsDouble(Value);
    if (Number == -1 && PyErr_Occurred())
      return false;
    storeReal(T, At, Number);
    return true;
  }
  case 'z':
    return isLong(T) ? writeLong(T, At, Value) : writeComplex(T, At, Value);
  case '&':
    return writeReference(T, At, Value, K);
  case '*':
    return writePointer(T, At, Value, K);
  case 'O':
    storePointer(At, Value);
    return K.keep(At, Value);
  default:
    return writeItems(T, At, Value, K);
  }
}
