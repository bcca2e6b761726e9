/* What blocks of small arrays, and fused loops, do with their arrays.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */

/* The items of an input whose shape is known, one behind another: its own, or
   those of a copy. NULL if its shape is another, or it goes backwards in memory
   and must not. */
static inline const void *clinchItems(PyArrayObject *x, int dims,
                                      const npy_intp *sizes, int isForward,
                                      PyArrayObject **copy) {
  if (PyArray_NDIM(x) != dims)
    return NULL;
  for (int axis = 0; axis < dims; ++axis)
    if (PyArray_DIM(x, axis) != sizes[axis] ||
        (isForward && PyArray_STRIDE(x, axis) < 0 && sizes[axis] != 1))
      return NULL;
  if (!PyArray_ISCARRAY_RO(x))
    x = *copy = (PyArrayObject *)PyArray_GETCONTIGUOUS(x);
  return x ? PyArray_DATA(x) : NULL;
}

/* Lets `call` compute the outputs from the inputs, one Op after another. */
static inline int clinchOneByOne(PyObject *call, int inputs,
                                 PyArrayObject *const *given, int outputs,
                                 PyArrayObject **made) {
  PyObject *all = PyTuple_New(inputs);
  for (int i = 0; all && i < inputs; ++i) {
    Py_INCREF(given[i]);
    PyTuple_SET_ITEM(all, i, (PyObject *)given[i]);
  }
  PyObject *found = all ? PyObject_Call(call, all, NULL) : NULL;
  int failed = !found;
  Py_XDECREF(all);
  for (int i = 0; i < outputs && !failed; ++i) {
    PyObject *value = PyArray_FROM_O(PyTuple_GetItem(found, i));
    failed = !value;
    if (value)
      Py_XSETREF(made[i], (PyArrayObject *)value);
  }
  Py_XDECREF(found);
  return failed ? -1 : 0;
}
