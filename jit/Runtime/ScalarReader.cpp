// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of Python as bytes of C.

#include "ScalarReader.h"

#include "jit/Runtime/PyRef.h"
#include "lib/Contract/Scalar.h"

#include <cctype>
#include <cstring>

using namespace clinch;

/// Returns the format of Python's module `struct` for a C type.
static std::string formatOf(const ScalarInfo &Dtype) {
  const char Whole =
      " bh i   q"[Dtype.Kind <= ScalarKind::UInt ? Dtype.Size : 0];
  switch (Dtype.Kind) {
  case ScalarKind::Bool:
    return "?";
  case ScalarKind::Int:
    return {Whole};
  case ScalarKind::UInt:
    return {char(std::toupper(Whole))};
  case ScalarKind::Float:
    return Dtype.Size == 2 ? "e" : Dtype.Size == 4 ? "f" : "d";
  case ScalarKind::Complex:
    break;
  }
  return Dtype.Size == 8 ? "ff" : "dd";
}

static bool readScalar(void *HostValue, const ScalarInfo &Dtype, void *Bytes) {
  auto *Value = static_cast<PyObject *>(HostValue);
  PyRef Struct = PyRef::steal(PyImport_ImportModule("struct")), Packed;
  bool Complex = Dtype.Kind == ScalarKind::Complex;
  Py_complex C = Complex ? PyComplex_AsCComplex(Value) : Py_complex{};
  if (Struct && !PyErr_Occurred())
    Packed = PyRef::steal(
        Complex ? PyObject_CallMethod(Struct.get(), "pack", "sdd",
                                      formatOf(Dtype).c_str(), C.real, C.imag)
                : PyObject_CallMethod(Struct.get(), "pack", "sO",
                                      formatOf(Dtype).c_str(), Value));
  clearError();
  if (Packed)
    std::memcpy(Bytes, PyBytes_AS_STRING(Packed.get()), Dtype.Size);
  return bool(Packed);
}

void clinch::installScalarReader() { setScalarReader(readScalar); }
