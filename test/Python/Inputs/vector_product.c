#section support_code
static bool same_length(PyArrayObject *a, PyArrayObject *b) {
  return PyArray_DIMS(a)[0] == PyArray_DIMS(b)[0];
}

#section support_code_apply
static void APPLY_SPECIFIC(multiply)(DTYPE_INPUT_0 *x, int x_step,
                                     DTYPE_INPUT_1 *y, int y_step,
                                     DTYPE_OUTPUT_0 *z, int z_step, int n) {
  for (int i = 0; i < n; i++)
    z[i * z_step] = x[i * x_step] * y[i * y_step];
}

int APPLY_SPECIFIC(vector_product)(PyArrayObject *x, PyArrayObject *y,
                                   PyArrayObject **z) {
  if (!same_length(x, y)) {
    PyErr_Format(PyExc_ValueError, "lengths %i and %i differ",
                 (int)PyArray_DIMS(x)[0], (int)PyArray_DIMS(y)[0]);
    return 1;
  }
  if (*z == NULL || !same_length(x, *z)) {
    Py_XDECREF(*z);
    *z = (PyArrayObject *)PyArray_EMPTY(1, PyArray_DIMS(x), TYPENUM_OUTPUT_0,
                                        0);
    if (!*z)
      return 1;
  }
  APPLY_SPECIFIC(multiply)(
      (DTYPE_INPUT_0 *)PyArray_DATA(x),
      PyArray_STRIDES(x)[0] / ITEMSIZE_INPUT_0,
      (DTYPE_INPUT_1 *)PyArray_DATA(y),
      PyArray_STRIDES(y)[0] / ITEMSIZE_INPUT_1,
      (DTYPE_OUTPUT_0 *)PyArray_DATA(*z),
      PyArray_STRIDES(*z)[0] / ITEMSIZE_OUTPUT_0, PyArray_DIMS(x)[0]);
  return 0;
}
