// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ndarray without NumPy's headers.

#pragma once

#include "jit/Runtime/PyRef.h"

#include <vector>

namespace clinch::python {

/// The head of NumPy's PyArrayObject, the same from 1.7 to 2. One build serves
/// every NumPy, as it needs no headers of NumPy's. See checkArrayLayout().
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

/// The arrays that need no filter. If Dtype is null, there is nothing to check.
struct ArraySpec {
  PyRef Dtype;
  std::vector<Py_intptr_t> Shape; ///< -1: any length.

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

/// Returns whether \p Array, numpy.zeros((2, 3)), has the layout of ArrayHead.
bool checkArrayLayout(PyObject *Array);

/// Returns false for an ndarray (or subclass) that is read-only.
bool isWriteable(PyObject *Value);

} // namespace clinch::python
