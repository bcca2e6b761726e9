// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads in turn, without a GIL.

#include "CriticalSection.h"

#include "lib/Support/Forks.h"

#ifdef Py_GIL_DISABLED
/// An object that nobody else knows, or, where there is no memory for one, that
/// nobody else locks.
static PyObject *makeObject() {
  if (PyObject *Made = PyList_New(0))
    return Made;
  PyErr_Clear();
  return Py_None;
}

PyObject *clinch::processObject() {
  static constinit ForProcess<PyObject> Only;
  return &Only.get(makeObject);
}
#endif
