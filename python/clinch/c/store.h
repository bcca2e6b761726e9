/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
static void clinch_store(PyObject *value, PyObject *place) {
  if (place && !PyErr_Occurred())
    PyArray_CopyObject((PyArrayObject *)place, value);
  Py_XDECREF(place);
}
