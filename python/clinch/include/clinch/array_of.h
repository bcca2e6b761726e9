/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef CLINCH_ARRAY_OF
#define CLINCH_ARRAY_OF
/* What NumPy made, as an array of this dtype and these dimensions; it is given
   away. */
static inline PyArrayObject *clinch_array_of(PyObject *made, int typenum,
                                             int dims) {
  if (made && !PyArray_Check(made))
    Py_SETREF(made, PyArray_FROM_O(made));
  if (made && PyArray_TYPE((PyArrayObject *)made) != typenum)
    Py_SETREF(made, PyArray_Cast((PyArrayObject *)made, typenum));
  if (made && PyArray_NDIM((PyArrayObject *)made) != dims) {
    PyErr_Format(PyExc_ValueError,
                 "expected a result of %d dimensions, and found %d", dims,
                 PyArray_NDIM((PyArrayObject *)made));
    Py_CLEAR(made);
  }
  return (PyArrayObject *)made;
}

/* Puts it in the place of an output; -1 is an error. Graphs call this many
   times, so it is not inlined. */
static __attribute__((noinline, unused)) int
clinch_put_array(PyArrayObject **place, PyObject *made, int typenum, int dims) {
  PyArrayObject *array = clinch_array_of(made, typenum, dims);
  if (!array)
    return -1;
  Py_XSETREF(*place, array);
  return 0;
}
#endif
