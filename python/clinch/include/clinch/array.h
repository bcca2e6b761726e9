/* What the text of a Type of arrays calls.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef CLINCH_ARRAY_H
#define CLINCH_ARRAY_H

#include <Python.h>
#include <numpy/arrayobject.h>

/* Two of NumPy's type numbers may mean one type, such as long and long long. */
static inline int clinch_has_dtype(PyArrayObject *array, int typenum) {
  return PyArray_TYPE(array) == typenum ||
         PyArray_EquivTypenums(PyArray_TYPE(array), typenum);
}

/* Sets the exception that says why a value is not the array of this many
   dimensions, that a Type wants. */
static __attribute__((cold, noinline)) void
clinch_not_array(PyObject *value, int typenum, const char *dtype, int ndim) {
  PyArrayObject *array = (PyArrayObject *)value;
  if (!PyArray_Check(value))
    PyErr_Format(PyExc_TypeError, "expected a numpy.ndarray, not %.200s",
                 Py_TYPE(value)->tp_name);
  else if (!clinch_has_dtype(array, typenum))
    PyErr_Format(PyExc_TypeError, "expected an array of %s, not of %S", dtype,
                 (PyObject *)PyArray_DESCR(array));
  else if (PyArray_ISBYTESWAPPED(array))
    PyErr_Format(PyExc_TypeError,
                 "expected an array in the machine's byte order, not of %S",
                 (PyObject *)PyArray_DESCR(array));
  else if (PyArray_NDIM(array) != ndim)
    PyErr_Format(PyExc_TypeError, "expected an array of %d dimension%s, not %d",
                 ndim, ndim == 1 ? "" : "s", PyArray_NDIM(array));
}

/* Returns whether a value is an array of the machine's byte order, with this
   dtype and number of dimensions; sets an exception if not. */
static inline int clinch_is_array(PyObject *value, int typenum,
                                  const char *dtype, int ndim) {
  PyArrayObject *array = (PyArrayObject *)value;
  if (PyArray_Check(value) && clinch_has_dtype(array, typenum) &&
      !PyArray_ISBYTESWAPPED(array) && PyArray_NDIM(array) == ndim)
    return 1;
  clinch_not_array(value, typenum, dtype, ndim);
  return 0;
}

/* The same of a length, and of how the items lie in memory, of an array. */
static inline int clinch_has_length(PyObject *array, int axis,
                                    Py_ssize_t length) {
  const Py_ssize_t found = PyArray_DIMS((PyArrayObject *)array)[axis];
  if (found == length)
    return 1;
  PyErr_Format(PyExc_ValueError,
               "expected a length of %zd in dimension %d, not %zd", length,
               axis, found);
  return 0;
}

static inline int clinch_is_contiguous(PyObject *array) {
  if (PyArray_IS_C_CONTIGUOUS((PyArrayObject *)array))
    return 1;
  PyErr_SetString(PyExc_ValueError, "expected a C-contiguous array");
  return 0;
}

static inline int clinch_is_aligned(PyObject *array) {
  if (PyArray_ISALIGNED((PyArrayObject *)array))
    return 1;
  PyErr_SetString(PyExc_ValueError,
                  "expected an array whose items are aligned in memory");
  return 0;
}

/* Returns whether an output's cell holds such an array that an Op may write
   item by item, so no two of them share memory. */
static inline int clinch_is_reusable(PyObject *value, int typenum, int ndim) {
  PyArrayObject *array = (PyArrayObject *)value;
  int axis;
  if (!PyArray_CheckExact(value) || PyArray_TYPE(array) != typenum ||
      PyArray_NDIM(array) != ndim || !PyArray_ISBEHAVED(array))
    return 0;
  for (axis = 0; axis < ndim; ++axis)
    if (!PyArray_STRIDES(array)[axis] && PyArray_DIMS(array)[axis] >= 2)
      return 0;
  return 1;
}

#endif
