/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef CLINCH_SLICE
#define CLINCH_SLICE
static inline PyObject *clinch_slice(PyObject *start, PyObject *stop,
                                     PyObject *step) {
  PyObject *made = PySlice_New(start, stop, step);
  Py_XDECREF(start);
  Py_XDECREF(stop);
  Py_XDECREF(step);
  return made;
}
#endif
