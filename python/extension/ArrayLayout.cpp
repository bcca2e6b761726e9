// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ndarray without NumPy's headers.

#include "ArrayLayout.h"

using namespace clinch;
using namespace clinch::python;

bool python::checkArrayLayout(PyObject *Array) {
  PyRef Dtype = attributeOrNull(Array, "dtype");
  PyErr_Clear();
  const auto *A = reinterpret_cast<const ArrayHead *>(Array);
  return Py_TYPE(Array)->tp_basicsize >= Py_ssize_t(sizeof(ArrayHead)) &&
         Dtype && A->Dimensions == 2 && A->Shape[0] == 2 && A->Shape[1] == 3 &&
         A->Strides[0] == 24 && A->Strides[1] == 8 && !A->Base &&
         A->Dtype == Dtype.get() && (A->Flags & ArrayAligned) &&
         (A->Flags & ArrayWriteable);
}

bool python::isWriteable(PyObject *Value) {
  PyRef Flags = attributeOrNull(Value, "flags");
  PyRef Writeable = Flags ? attributeOrNull(Flags.get(), "writeable") : PyRef();
  PyErr_Clear();
  return Writeable.get() != Py_False;
}
