// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Python.h>
#include <stdexcept>
#include <vector>

static PyObject *at(PyObject *module, PyObject *index) {
  try {
    return PyLong_FromLong(std::vector<long>(2).at(PyLong_AsLong(index)));
  } catch (const std::exception &error) {
    return PyUnicode_FromString(error.what());
  }
}
static PyMethodDef methods[] = {{"at", at, METH_O, ""}, {}};
static PyModuleDef throwing = {PyModuleDef_HEAD_INIT, "throwing", 0, -1,
                               methods};
PyMODINIT_FUNC PyInit_throwing(void) { return PyModule_Create(&throwing); }
