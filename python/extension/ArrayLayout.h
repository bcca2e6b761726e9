//===- ArrayLayout.h - Looking at an ndarray without NumPy's headers *- C++
//-*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_PYTHON_EXTENSION_ARRAYLAYOUT_H
#define CLINCH_PYTHON_EXTENSION_ARRAYLAYOUT_H

#include "jit/Runtime/PyRef.h"

#include <vector>

namespace clinch::python {

/// The head of NumPy's PyArrayObject, the same from 1.7 to 2. Not having the
/// header lets one build serve every NumPy; checkArrayLayout() makes sure.
struct ArrayHead {
  PyObject_HEAD char *Data;
  int Dimensions;
  Py_intptr_t *Shape;
  Py_intptr_t *Strides;
  PyObject *Base;
  PyObject *Dtype;
  int Flags;
};
constexpr int ArrayAligned = 0x0100, ArrayWriteable = 0x0400;

/// What an array must be to need no filter. No dtype: there is nothing to see.
struct ArraySpec {
  PyRef Dtype;
  std::vector<Py_intptr_t> Shape; ///< -1: any.

  bool accepts(PyObject *Array) const {
    const auto *A = reinterpret_cast<const ArrayHead *>(Array);
    if (A->Dtype != Dtype.get() || A->Dimensions != int(Shape.size()) ||
        !(A->Flags & ArrayAligned))
      return false;
    for (size_t I = 0; I < Shape.size(); ++I)
      if (Shape[I] >= 0 && Shape[I] != A->Shape[I])
        return false;
    return true;
  }
};

/// Whether \p Array, numpy.zeros((2, 3)), looks as ArrayHead says.
bool checkArrayLayout(PyObject *Array);

/// False for an ndarray (or subclass) that must not be written to.
bool isWriteable(PyObject *Value);

} // namespace clinch::python

#endif // CLINCH_PYTHON_EXTENSION_ARRAYLAYOUT_H
