#section support_code_apply
static int APPLY_SPECIFIC(check)(PyArrayObject *x) {
  return PyArray_NDIM(x) == 1;
}

#section code
if (!APPLY_SPECIFIC(check)(INPUT_0)) {
  PyErr_SetString(PyExc_ValueError, "a vector is needed");
}
npy_intp length = INPUT_0->dimensions[0];
Py_XDECREF(OUTPUT_0);
OUTPUT_0 = (PyArrayObject *)PyArray_EMPTY(1, &length, NPY_DOUBLE, 0);
if (!OUTPUT_0)
  FAIL
PyArray_CopyInto(OUTPUT_0, INPUT_0);
if (!PyArray_CHKFLAGS(INPUT_0, NPY_ALIGNED)) {
  PyErr_SetString(PyExc_ValueError, "not aligned");
  FAIL
}
