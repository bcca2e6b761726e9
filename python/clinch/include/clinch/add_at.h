/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef CLINCH_ADD_AT
#define CLINCH_ADD_AT
/* x[key] += y, where a key may name an item more than once. */
static inline int clinch_add_at(PyObject *x, PyObject *key, PyObject *y) {
  PyObject *numpy = PyImport_ImportModule("numpy");
  PyObject *add = numpy ? PyObject_GetAttrString(numpy, "add") : NULL;
  PyObject *done =
      add ? PyObject_CallMethod(add, "at", "OOO", x, key, y) : NULL;
  Py_XDECREF(numpy);
  Py_XDECREF(add);
  Py_XDECREF(done);
  return done ? 0 : -1;
}
#endif
