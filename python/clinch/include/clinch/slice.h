/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef CLINCH_SLICE
#define CLINCH_SLICE
/* Graphs call these many times, so they are not inlined. */
#define CLINCH_CALLED static __attribute__((noinline, unused))
CLINCH_CALLED PyObject *clinch_slice(PyObject *start, PyObject *stop,
                                     PyObject *step) {
  PyObject *made = PySlice_New(start, stop, step);
  Py_XDECREF(start);
  Py_XDECREF(stop);
  Py_XDECREF(step);
  return made;
}

/* Returns x[key]. The key is given away; NULL is an error that is set. */
CLINCH_CALLED PyObject *clinch_item(PyArrayObject *x, PyObject *key) {
  PyObject *item = key ? PyObject_GetItem((PyObject *)x, key) : NULL;
  Py_XDECREF(key);
  return item;
}
#endif
