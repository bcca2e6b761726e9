"""C functions that call a compiled Function, for hosts that want a pointer.

The text finds the Function's Python object in `clinch_target`; its array
arguments are views of the caller's memory.
"""

import ctypes

from .compiled_text import compile

_SUPPORT = r"""
#include <numpy/arrayobject.h>
extern PyObject *clinch_target;
void *clinch_init(void) {
  import_array();
  return NULL;
}
static PyObject *clinch_view(void *data, int dims, const npy_intp *shape,
                             const npy_intp *strides, int typenum,
                             int flags) {
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
"""


def compile_calling(text, target, name, tier=None):
    """Returns a CompiledText whose functions call `target` and keep it alive."""
    # Equal texts share their variables in a process unless they are linked with
    # different symbols, so each gets a cell of its own.
    cell = ctypes.c_void_p(id(target))
    made = compile(_SUPPORT + text, name, python=True, tier=tier,
                   symbols={"clinch_target": ctypes.addressof(cell)})
    ctypes.PYFUNCTYPE(ctypes.c_void_p)(made.lookup("clinch_init"))()
    made.target = cell, target
    return made
