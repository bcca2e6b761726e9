// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of a source.

#pragma once

#include "CSignature.h"

#include <optional>

namespace clinch::python {

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
    char Letter;       ///< Of a number, `P` of a pointer, or 0.
    uint8_t At;        ///< Its register.
    const CType *Item; ///< Of a pointer.
    long Low, High;    ///< Of an integer; Low: the flags of an array.
  } Parameters[MostIntegers + MostFloats];
};

/// Reads a float or an int. Nothing, without an exception, if it is another.
inline std::optional<double> read(PyObject *Given, double) {
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
inline std::optional<long> read(PyObject *Given, long) {
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

/// Calls it with as many arguments as it has. F.IsPlain allows the first.
PyObject *callPlain(const NativeFunction &F, PyObject *const *Given);
PyObject *callAny(const NativeFunction &F, PyObject *const *Given);

} // namespace clinch::python
