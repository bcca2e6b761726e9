/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#include <numpy/arrayobject.h>
extern PyObject *clinch_target;
void *clinch_init(void) {
  import_array();
  return NULL;
}
static PyObject *clinch_view(void *data, int dims, const npy_intp *shape,
                             const npy_intp *strides, int typenum, int flags) {
  return PyArray_New(&PyArray_Type, dims, (npy_intp *)shape, typenum,
                     (npy_intp *)strides, data, 0, flags, NULL);
}
/* What the target makes of these, which are given away. */
static PyObject *clinch_call(PyObject **arguments, int count) {
  PyObject *result = NULL;
  int whole = 1;
  for (int k = 0; k < count; ++k)
    whole = whole && arguments[k];
  if (whole)
    result = PyObject_Vectorcall(clinch_target, arguments, (size_t)count, NULL);
  for (int k = 0; k < count; ++k)
    Py_XDECREF(arguments[k]);
  return result;
}
