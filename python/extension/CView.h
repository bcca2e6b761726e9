// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What views of C's memory share: records, arrays and pointers.

#pragma once

#include "CData.h"

#include <initializer_list>

namespace clinch::python {

inline CMemory *cMemory(PyObject *O) { return reinterpret_cast<CMemory *>(O); }

inline bool isView(PyObject *O) {
  return PyObject_TypeCheck(O, cViewClass()) != 0;
}
inline bool isPointer(PyObject *O) { return Py_TYPE(O) == cPointerClass(); }

/// Returns memory of zeros, or null with an exception.
PyRef makeMemory(size_t Size, size_t Align);
/// Keeps what a copy of a record leads to.
bool keepCopied(const CView &From, const char *To, const CKeeper &K);
/// Sets an exception; returns false.
bool refuseConst();

/// The fields of a record, or of the record that a pointer leads to.
PyObject *getField(PyObject *O, PyObject *Name);
int setField(PyObject *O, PyObject *Name, PyObject *Value);
extern PyMethodDef ViewMethods[];
/// Returns a class of CViews that has these slots, too.
PyTypeObject *makeViewClass(const char *Name, unsigned long Flags,
                            std::initializer_list<PyType_Slot> Slots);

} // namespace clinch::python
