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

CLINCH_CALLED PyObject *clinch_roll(PyArrayObject *x, npy_intp by, int axis) {
  npy_intp n = PyArray_DIM(x, axis), place = n ? (by % n + n) % n : 0;
  PyObject *made = PyArray_NewLikeArray(x, NPY_KEEPORDER, NULL, 0);
  PyObject *from = made ? PyArray_SwapAxes(x, axis, 0) : NULL;
  PyObject *to = from ? PyArray_SwapAxes((PyArrayObject *)made, axis, 0) : NULL;
  PyObject *low = to ? PySequence_GetSlice(from, 0, n - place) : NULL;
  PyObject *high = low ? PySequence_GetSlice(from, n - place, n) : NULL;
  if (!high || PySequence_SetSlice(to, place, n, low) < 0 ||
      PySequence_SetSlice(to, 0, place, high) < 0)
    Py_CLEAR(made);
  Py_XDECREF(from);
  Py_XDECREF(to);
  Py_XDECREF(low);
  Py_XDECREF(high);
  return made;
}
#endif
