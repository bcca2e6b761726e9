// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>

static PyObject *size(PyObject *module, PyObject *array) {
  return PyLong_FromLong(PyArray_SIZE((PyArrayObject *)array));
}
static PyMethodDef methods[] = {{"size", size, METH_O, ""}, {0}};
static PyModuleDef array = {PyModuleDef_HEAD_INIT, "array", 0, -1, methods};
PyMODINIT_FUNC PyInit_array_of_numpy(void) {
  import_array();
  return PyModule_Create(&array);
}
