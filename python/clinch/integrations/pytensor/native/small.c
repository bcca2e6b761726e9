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
