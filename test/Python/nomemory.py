"""Allocations that fail when told to: Python's objects, and NumPy's data."""

import contextlib
import functools

import _testcapi
import clinch

_HANDLER = r"""
#include <stdlib.h>
static long until = -1;
static int refused(void)
{
  return until >= 0 && until-- == 0;
}
static void *get(void *context, size_t size)
{
  return refused() ? NULL : malloc(size);
}
static void *get_zeros(void *context, size_t count, size_t size)
{
  return refused() ? NULL : calloc(count, size);
}
static void *resize(void *context, void *data, size_t size)
{
  return refused() ? NULL : realloc(data, size);
}
static void give(void *context, void *data, size_t size)
{
  free(data);
}
static struct {
  char name[127];
  unsigned char version;
  void *context;
  void *(*get)(void *, size_t);
  void *(*get_zeros)(void *, size_t, size_t);
  void *(*resize)(void *, void *, size_t);
  void (*give)(void *, void *, size_t);
} handler = {"clinch_test", 1, NULL, get, get_zeros, resize, give};

/* PyDataMem_SetHandler, which NumPy's headers hide from older targets. */
PyObject *use(PyObject *old)
{
  import_array();
  PyObject *new_one = PyCapsule_New(&handler, "mem_handler", NULL);
  return ((PyObject * (*)(PyObject *)) PyArray_API[304])(
      old == Py_None ? new_one : old);
}
void refuse(long after) { until = after; }
"""


@functools.cache
def _handler():
    made = clinch.compile(_HANDLER, python=True)
    return made["PyObject *use(PyObject *)"], made["void refuse(long)"]


@contextlib.contextmanager
def objects(allocation):
    """While it lasts, that allocation of Python's (from 0) fails."""
    _testcapi.set_nomemory(allocation, allocation + 1)
    try:
        yield
    finally:
        _testcapi.remove_mem_hooks()


@contextlib.contextmanager
def arrays(allocation):
    """While it lasts, that allocation of an array's data (from 0) fails."""
    use, refuse = _handler()
    before = use(None)
    refuse(allocation)
    try:
        yield
    finally:
        refuse(-1)
        use(before)
