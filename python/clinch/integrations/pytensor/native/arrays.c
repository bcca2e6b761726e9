/* What our C for arrays has in common: their memory, and the way to Python.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#include <numpy/arrayobject.h>
#include <stdlib.h>
#include <string.h>

/* Up to so many items a loop is quicker. */
enum { ClinchFew = 500 };

/* Whether two arrays may share memory: whether the bytes between their first
   and last items do. */
static inline int clinchMayShare(PyArrayObject *a, PyArrayObject *b) {
  char *low[2], *high[2];
  PyArrayObject *arrays[2] = {a, b};
  for (int i = 0; i < 2; ++i) {
    low[i] = PyArray_BYTES(arrays[i]);
    high[i] = low[i] + PyArray_ITEMSIZE(arrays[i]);
    for (int axis = 0; axis < PyArray_NDIM(arrays[i]); ++axis) {
      npy_intp last = PyArray_DIM(arrays[i], axis) - 1;
      if (last < 0)
        return 0;
      npy_intp way = last * PyArray_STRIDE(arrays[i], axis);
      if (way < 0)
        low[i] += way;
      else
        high[i] += way;
    }
  }
  return low[0] < high[1] && low[1] < high[0];
}

/* Memory for a result: that of `*z` if it fits, else of a new array. */
static inline char *clinchPlace(PyArrayObject **z, int dims, npy_intp *sizes,
                                int type) {
  if (!*z || PyArray_NDIM(*z) != dims || !PyArray_ISCARRAY(*z) ||
      !PyArray_CompareLists(PyArray_DIMS(*z), sizes, dims)) {
    PyArrayObject *made = (PyArrayObject *)PyArray_SimpleNew(dims, sizes, type);
    if (!made)
      return NULL;
    Py_XSETREF(*z, made);
  }
  return PyArray_BYTES(*z);
}

/* Runs `copy` for the size of an item, which is then a constant. */
#define CLINCH_BY_SIZE(size, copy)                                             \
  switch (size) {                                                              \
  case 1:                                                                      \
    copy(1);                                                                   \
    break;                                                                     \
  case 2:                                                                      \
    copy(2);                                                                   \
    break;                                                                     \
  case 4:                                                                      \
    copy(4);                                                                   \
    break;                                                                     \
  case 8:                                                                      \
    copy(8);                                                                   \
    break;                                                                     \
  default:                                                                     \
    copy(16);                                                                  \
  }

/* Lets `call` compute the outputs from the inputs. */
static inline int clinchAsk(PyObject *call, int inputs, void *given,
                            int outputs, void *made) {
  PyObject *found =
      PyObject_Vectorcall(call, (PyObject **)given, (size_t)inputs, NULL);
  for (int i = 0; found && i < outputs; ++i)
    Py_XSETREF(((PyObject **)made)[i], Py_NewRef(PyTuple_GET_ITEM(found, i)));
  Py_XDECREF(found);
  return found ? 1 : -1;
}
