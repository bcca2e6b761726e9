/* What every assembled text calls.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef CLINCH_THUNK_H
#define CLINCH_THUNK_H

#include <Python.h>

/* Puts an output's object into its cell, a list of one. If Python code that a
   block ran has changed the length of the list, nothing is written, and the
   runtime says so when it reads the cell. Returns -1 if there is no object:
   `missing` is the message where no exception says why, NULL where one does. */
static __inline__ int clinch_put(PyObject *cell, PyObject *object,
                                 const char *missing) {
  PyObject *old;
  if (!object) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_RuntimeError, missing);
    return -1;
  }
  if (PyList_GET_SIZE(cell) != 1)
    return 0;
  old = PyList_GET_ITEM(cell, 0);
  Py_INCREF(object);
  PyList_SET_ITEM(cell, 0, object);
  Py_XDECREF(old);
  return 0;
}

/* The entry points, and the struct that they need, of a thunk in C that keeps
   nothing from run to run. */
#define CLINCH_ENTRIES                                                         \
  const size_t clinch_state_size = sizeof(struct clinch_state);                \
  int clinch_init(void *memory, PyObject *const *cells) {                      \
    ((struct clinch_state *)memory)->clinch_cells = cells;                     \
    return 0;                                                                  \
  }                                                                            \
  int clinch_run(void *memory) {                                               \
    return clinch_ladder((struct clinch_state *)memory);                       \
  }                                                                            \
  void clinch_cleanup(void *memory) { (void)memory; }

/* Called once for loaded code whose init code is import_array(). */
#define CLINCH_IMPORTS_ARRAYS                                                  \
  int clinch_module_init(void) { return _import_array(); }

#endif
