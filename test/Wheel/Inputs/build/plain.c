// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Python.h>
#include <dlfcn.h>
#include <math.h>

static PyObject *cosine(PyObject *module, PyObject *x) {
  return PyFloat_FromDouble(cos(PyFloat_AsDouble(x)));
}
static PyMethodDef methods[] = {{"cosine", cosine, METH_O, ""}, {0}};
static PyModuleDef plain = {PyModuleDef_HEAD_INIT, "plain", 0, -1, methods};
PyMODINIT_FUNC PyInit_plain(void) { return PyModule_Create(&plain); }
