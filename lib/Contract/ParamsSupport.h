// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C functions for parameters.

#pragma once

namespace clinch {

/// clinch_params_item returns the item of a mapping, or the attribute of any
/// other object, as a new reference. clinch_params_failed adds a note that
/// names the parameter that could not be read.
inline constexpr const char *ParamsSupport = R"c(
static PyObject *clinch_params_item(PyObject *values, const char *name) {
  PyObject *item;
  if (!PyMapping_Check(values))
    return PyObject_GetAttrString(values, name);
  item = PyMapping_GetItemString(values, name);
  if (item || !PyErr_ExceptionMatches(PyExc_LookupError))
    return item;
  PyErr_Clear();
  PyErr_Format(PyExc_KeyError, "there is no parameter `%s`", name);
  return NULL;
}
static int clinch_params_failed(const char *name) {
  PyObject *type, *value, *trace, *note, *done = NULL;
  if (!PyErr_Occurred())
    PyErr_SetString(PyExc_RuntimeError, "a parameter cannot be read");
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  note = PyUnicode_FromFormat("while the parameter `%s` was read", name);
  if (note && value)
    done = PyObject_CallMethod(value, "add_note", "O", note);
  PyErr_Clear();
  Py_XDECREF(done);
  Py_XDECREF(note);
  PyErr_Restore(type, value, trace);
  return -1;
}
)c";

} // namespace clinch
