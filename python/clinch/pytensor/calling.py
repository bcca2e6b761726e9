"""C functions that run PyTensor functions.

The C function runs a function that is only compiled code without any Python: it
takes the GIL, because arrays are Python objects, copies its arguments into the
function's input, runs the thunk, and copies the results out. Threads may call
it; a function has one state, so they take turns.
"""

import ctypes

import numpy as np

import clinch
from clinch.pytensor.machine import GraphMachine

#: How threads take turns. A thread that waits for its turn releases the GIL, because
#: the thread whose turn it is may need it.
TURNS = r"""
#include <numpy/arrayobject.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static PyGILState_STATE enter(pthread_mutex_t *turn) {
  PyGILState_STATE state = PyGILState_Ensure();
  if (pthread_mutex_trylock(turn)) {
    PyThreadState *self = PyEval_SaveThread();
    pthread_mutex_lock(turn);
    PyEval_RestoreThread(self);
  }
  return state;
}

static void leave(pthread_mutex_t *turn, PyGILState_STATE state) {
  pthread_mutex_unlock(turn);
  PyGILState_Release(state);
}
"""

#: The C text that all nutpie models share: `evaluate` runs a function of one vector
#: and copies its outputs, which are doubles, to the caller.
_TEXT = TURNS + r"""
typedef struct {
  PyObject *run;
  double *input;
  uint64_t inputs;
  PyObject *cells[2];   /* of the outputs; the second may be null */
  uint64_t sizes[2];
  pthread_mutex_t *turn;
} Call;

enum { Fine = 0, WrongSize = -1, Failed = 1, GradientNotFinite = 3, NotFinite = 4 };

/* Once, before all else. */
void *clinch_begin(void) {
  import_array();
  return NULL;
}

static int64_t copyOutput(const Call *call, int which, double *to) {
  PyArrayObject *made = (PyArrayObject *)PyList_GET_ITEM(call->cells[which], 0);
  uint64_t size = call->sizes[which];
  if (!made || !PyArray_Check(made) || PyArray_TYPE(made) != NPY_DOUBLE ||
      (uint64_t)PyArray_SIZE(made) != size || PyArray_NDIM(made) > 1)
    return Failed;
  const char *from = PyArray_BYTES(made);
  npy_intp step = PyArray_NDIM(made) ? PyArray_STRIDES(made)[0] : 0;
  if (step == sizeof(double))
    memcpy(to, from, size * sizeof(double));
  else
    for (uint64_t i = 0; i != size; ++i)
      to[i] = *(const double *)(from + (npy_intp)i * step);
  return Fine;
}

static int64_t evaluate(const Call *call, uint64_t size, const double *x,
                        double *first, double *second) {
  if (size != call->inputs)
    return WrongSize;
  PyGILState_STATE state = enter(call->turn);
  memcpy(call->input, x, size * sizeof(double));
  PyObject *done = PyObject_CallNoArgs(call->run);
  int64_t result = done ? Fine : Failed;
  Py_XDECREF(done);
  if (!done)
    PyErr_Clear();
  if (result == Fine)
    result = copyOutput(call, 0, first);
  if (result == Fine && second)
    result = copyOutput(call, 1, second);
  leave(call->turn, state);
  return result;
}

/* As nutpie calls them. */
int64_t clinch_logp(uint64_t size, const double *x, double *gradient,
                    double *logp, const Call *call) {
  int64_t result = evaluate(call, size, x, logp, gradient);
  if (result != Fine)
    return result;
  for (uint64_t i = 0; i != size; ++i)
    if (!isfinite(gradient[i]))
      return GradientNotFinite;
  return isfinite(*logp) ? Fine : NotFinite;
}

int64_t clinch_expand(uint64_t size, uint64_t expanded, const double *x,
                      double *out, const Call *call) {
  if (expanded != call->sizes[0])
    return WrongSize;
  return evaluate(call, size, x, out, NULL);
}
"""


class _Call(ctypes.Structure):
    _fields_ = (
        ("run", ctypes.c_void_p),
        ("input", ctypes.c_void_p),
        ("inputs", ctypes.c_uint64),
        ("cells", ctypes.c_void_p * 2),
        ("sizes", ctypes.c_uint64 * 2),
        ("turn", ctypes.c_void_p),
    )


class CFunction:
    """A C function at `address` that runs a function of one vector of doubles;
    `data` must be its last argument."""

    #: The compiled text, which all instances share.
    _text = None

    def __init__(self, name, function, size, sizes):
        if CFunction._text is None:
            CFunction._text = clinch.compile(
                _TEXT, "calling.c", python=True, flags=["-fno-math-errno"]
            )
            ctypes.PYFUNCTYPE(ctypes.c_void_p)(CFunction._text.lookup("clinch_begin"))()
        self.address = self._text.lookup(name)
        self.function = function
        self.input = np.zeros(size)
        (cell,) = (c for c in function.input_storage if not _is_shared(function, c))
        cell.storage[0] = self.input
        machine = function.vm
        run = machine.run if isinstance(machine, GraphMachine) else machine
        cells = [container.storage for container in function.output_storage]
        turn = np.zeros(16, "uint64")
        self._kept = run, cells, turn, cell
        self._call = _Call(
            id(run),
            self.input.ctypes.data,
            size,
            (ctypes.c_void_p * 2)(*map(id, cells[:2])),
            (ctypes.c_uint64 * 2)(*sizes),
            turn.ctypes.data,
        )
        self.data = ctypes.addressof(self._call)


def _is_shared(function, container):
    position = function.input_storage.index(container)
    return function.maker.inputs[position].shared


def ops_in_python(function):
    """Returns the sorted names of a function's Ops that run in Python."""
    steps = getattr(function.vm, "steps", None)
    if steps is None:
        return sorted({str(node.op) for node in function.maker.fgraph.apply_nodes})
    return sorted({str(node.op) for s in steps if not s.compiled for node in s.nodes})
