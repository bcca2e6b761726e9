//===- ScalarReader.cpp - Constants of Python as bytes of C -----*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarReader.h"

#include "clinch/Runtime/PyRef.h"

#include <cstring>

using namespace clinch;

static bool readComplex(PyObject *Value, unsigned Size, void *Bytes) {
  Py_complex C = PyComplex_AsCComplex(Value);
  if (PyErr_Occurred())
    return false;
  if (Size == 16) {
    double Parts[] = {C.real, C.imag};
    std::memcpy(Bytes, Parts, sizeof(Parts));
  } else {
    float Parts[] = {float(C.real), float(C.imag)};
    std::memcpy(Bytes, Parts, sizeof(Parts));
  }
  return true;
}

static bool readFloat(PyObject *Value, unsigned Size, void *Bytes) {
  double D = PyFloat_AsDouble(Value);
  if (PyErr_Occurred())
    return false;
  float F = float(D);
  if (Size == 8)
    std::memcpy(Bytes, &D, sizeof(D));
  else
    std::memcpy(Bytes, &F, sizeof(F));
  return true;
}

static bool readInteger(PyObject *Value, unsigned Size, void *Bytes) {
  PyRef Index = PyRef::steal(PyNumber_Index(Value));
  if (!Index)
    return false;
  unsigned long long Bits = PyLong_AsUnsignedLongLongMask(Index.get());
  std::memcpy(Bytes, &Bits, Size); // Little-endian, as all that LLVM is here.
  return !PyErr_Occurred();
}

static bool readScalar(void *HostValue, const ScalarInfo &Dtype, void *Bytes) {
  auto *Value = static_cast<PyObject *>(HostValue);
  bool Done = false;
  switch (Dtype.Kind) {
  case ScalarKind::Bool: {
    int True = PyObject_IsTrue(Value);
    *static_cast<unsigned char *>(Bytes) = True > 0;
    Done = True >= 0;
    break;
  }
  case ScalarKind::Int:
  case ScalarKind::UInt:
    Done = readInteger(Value, Dtype.Size, Bytes);
    break;
  case ScalarKind::Float:
    Done = readFloat(Value, Dtype.Size, Bytes);
    break;
  case ScalarKind::Complex:
    Done = readComplex(Value, Dtype.Size, Bytes);
    break;
  }
  if (!Done)
    PyErr_Clear();
  return Done;
}

void clinch::installScalarReader() { setScalarReader(readScalar); }
