"""Gives functions that are only compiled code a C function, by its address.

Its caller needs no Python: the C function takes the GIL, because arrays are Python
objects, copies the given doubles into arrays, runs the thunk, and copies the
results out. nutpie has C functions of the same kind, also of a function of which some
Ops run in Python.
"""

import copyreg
import ctypes
import threading

import numpy as np

import clinch
from clinch.pytensor.machine import GraphMachine
from clinch.pytensor.versions import find

Function = find(
    "pytensor.compile.executor:Function", "pytensor.compile.function.types:Function"
)

_TEXT = r"""
#include <numpy/arrayobject.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A thread that waits for its turn releases the GIL, because the thread whose turn it
   is may need it. */
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

typedef struct {
  PyObject *run;
  pthread_mutex_t *turn;
  int64_t inputs, outputs;
  const int64_t *dims;     /* of inputs: none; or one, for one of them */
  PyObject *const *given;  /* lists of one */
  PyObject *const *made;
} Call;

extern const Call clinch_target;

void *clinch_begin(void) {
  import_array();
  return NULL;
}

static int isFree(PyObject *value, int dims, npy_intp length) {
  PyArrayObject *a = (PyArrayObject *)value;
  return PyArray_CheckExact(value) && Py_REFCNT(value) == 1 &&
         PyArray_TYPE(a) == NPY_DOUBLE && PyArray_IS_C_CONTIGUOUS(a) &&
         PyArray_ISWRITEABLE(a) && PyArray_NDIM(a) == dims &&
         (!dims || PyArray_DIM(a, 0) == length);
}

static int put(PyObject *cell, int dims, npy_intp length, const double *x) {
  PyObject *value = PyList_GET_ITEM(cell, 0);
  if (!value || !isFree(value, dims, length)) {
    PyObject *fresh = PyArray_EMPTY(dims, &length, NPY_DOUBLE, 0);
    if (!fresh)
      return -1;
    PyList_SET_ITEM(cell, 0, fresh);
    Py_XDECREF(value);
    value = fresh;
  }
  memcpy(PyArray_DATA((PyArrayObject *)value), x, length * sizeof(double));
  return 0;
}

/* All inputs one behind another; a vector has what the others leave. */
static int putAll(const Call *call, const double *x, uint64_t size) {
  int64_t numbers = 0, vectors = 0;
  for (int64_t i = 0; i != call->inputs; ++i)
    call->dims[i] ? ++vectors : ++numbers;
  int64_t rest = (int64_t)size - numbers;
  if (rest < 0 || (rest && !vectors))
    return -1;
  for (int64_t i = 0; i != call->inputs; ++i) {
    npy_intp length = call->dims[i] ? rest : 1;
    if (put(call->given[i], (int)call->dims[i], length, x) < 0)
      return -1;
    x += length;
  }
  return 0;
}

static int64_t takeAll(const Call *call, double *made, uint64_t room) {
  uint64_t count = 0;
  for (int pass = 0; pass != 2; ++pass) {
    count = 0;
    for (int64_t i = 0; i != call->outputs; ++i) {
      PyArrayObject *a = (PyArrayObject *)PyList_GET_ITEM(call->made[i], 0);
      uint64_t size = (uint64_t)PyArray_SIZE(a);
      if (pass) {
        PyObject *whole = PyArray_FROM_OTF((PyObject *)a, NPY_DOUBLE,
                                           NPY_ARRAY_CARRAY_RO);
        if (!whole)
          return -1;
        memcpy(made + count, PyArray_DATA((PyArrayObject *)whole),
               size * sizeof(double));
        Py_DECREF(whole);
      }
      count += size;
    }
    if (count > room)
      return -1;
  }
  return (int64_t)count;
}

int64_t clinch_entry(const double *x, uint64_t size, double *made, uint64_t room) {
  const Call *call = &clinch_target;
  PyGILState_STATE state = enter(call->turn);
  int64_t written = -1;
  if (putAll(call, x, size) == 0) {
    PyObject *done = PyObject_CallNoArgs(call->run);
    if (done)
      written = takeAll(call, made, room);
    Py_XDECREF(done);
  }
  if (written < 0)
    PyErr_Clear();
  leave(call->turn, state);
  return written;
}

/* As SciPy calls it. */
double clinch_number(int size, double *x) {
  double made;
  return clinch_entry(x, (uint64_t)size, &made, 1) == 1 ? made : NAN;
}

/* As nutpie calls them: the outputs of the first are a number and its gradient. */
enum { Fine = 0, Failed = 1, GradientNotFinite = 3, NotFinite = 4 };

int64_t clinch_logp(uint64_t size, const double *x, double *gradient, double *logp,
                    const void *unused) {
  double *made = (double *)malloc((size + 1) * sizeof(double));
  if (!made || clinch_entry(x, size, made, size + 1) != (int64_t)size + 1) {
    free(made);
    return Failed;
  }
  *logp = made[0];
  memcpy(gradient, made + 1, size * sizeof(double));
  free(made);
  for (uint64_t i = 0; i != size; ++i)
    if (!isfinite(gradient[i]))
      return GradientNotFinite;
  return isfinite(*logp) ? Fine : NotFinite;
}

int64_t clinch_expand(uint64_t size, uint64_t expanded, const double *x, double *out,
                      const void *unused) {
  return clinch_entry(x, size, out, expanded) == (int64_t)expanded ? Fine : Failed;
}
"""


class _Call(ctypes.Structure):
    """The struct `Call` of the C text."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("run", "turn")),
        *((name, ctypes.c_int64) for name in ("inputs", "outputs")),
        ("dims", ctypes.POINTER(ctypes.c_int64)),
        *((name, ctypes.POINTER(ctypes.c_void_p)) for name in ("given", "made")),
    )


class Compiled:
    """The C functions of a function. They run a copy, which has its own state."""

    def __init__(self, function):
        self.dims = _check(function)
        own = function.copy()
        run = own.vm.run if isinstance(own.vm, GraphMachine) else own.vm
        given = [c.storage for c in own.input_storage[: len(self.dims)]]
        made, turn = [c.storage for c in own.output_storage], np.zeros(16, "uint64")
        call = _Call(
            id(run),
            turn.ctypes.data,
            len(given),
            len(made),
            (ctypes.c_int64 * len(given))(*self.dims),
            (ctypes.c_void_p * len(given))(*map(id, given)),
            (ctypes.c_void_p * len(made))(*map(id, made)),
        )
        # Equal texts share their variables, unless linked with different symbols.
        target = {"clinch_target": ctypes.addressof(call)}
        self.text = clinch.compile(_TEXT, "function.c", python=True, symbols=target)
        ctypes.PYFUNCTYPE(ctypes.c_void_p)(self.text.lookup("clinch_begin"))()
        self.kept = own, run, given, made, turn, call

    def lookup(self, name):
        """Returns the address of one of them."""
        return self.text.lookup(name)


def ops_in_python(function):
    """Returns the sorted names of a function's Ops that run in Python."""
    steps = getattr(function.vm, "steps", None)
    if steps is None:
        return sorted({str(node.op) for node in function.maker.fgraph.apply_nodes})
    return sorted({str(node.op) for s in steps if not s.compiled for node in s.nodes})


def _check_alone(function):
    """Raises TypeError for a function of which something runs in Python."""
    if not isinstance(function.vm, GraphMachine):
        what = ops_in_python(function)
        why = f": in Python there run {', '.join(what)}" if what else ""
        raise TypeError(f"The function is not compiled code alone{why}.")


def _check(function):
    """Returns the rank of each input; raises TypeError for what is not of doubles."""
    inputs = [i.variable for i in function.maker.inputs if not i.shared]
    wrong = [v for v in (*inputs, *_outputs(function)) if _dtype(v) != "float64"]
    if wrong:
        raise TypeError(
            f"A C function takes and gives doubles; {wrong[0]} is {wrong[0].type}."
        )
    dims = [v.type.ndim for v in inputs]
    if any(n > 1 for n in dims) or sum(dims) > 1:
        raise TypeError("A C function takes numbers, and at most one vector.")
    return dims


def _outputs(function):
    return [o.variable for o in function.maker.outputs]


def _dtype(variable):
    return getattr(variable.type, "dtype", None)


_lock = threading.Lock()


class ClinchFunction(Function):
    """A function that our linkers made."""

    _compiled = None

    def __reduce_ex__(self, protocol):
        return copyreg.dispatch_table[Function](self)

    @property
    def c_address(self):
        """The address of a C function that computes the same:

            int64_t f(const double *x, uint64_t size, double *made, uint64_t room)

        `x` has the inputs, numbers and at most one vector, one after another; `made`
        gets the outputs in the same way. It returns the number of doubles written, or
        -1 if the sizes do not fit or an Op failed. TypeError for a function that is
        not compiled code alone, from doubles to doubles. All threads may call it as
        long as this function exists.
        """
        return self._c_function().lookup("clinch_entry")

    def low_level_callable(self):
        """Returns a `scipy.LowLevelCallable`, `double (int, double *)`, of a function
        from numbers, or a vector, to one number; it returns NaN if an Op fails."""
        import scipy

        outputs = _outputs(self)
        if len(outputs) != 1 or outputs[0].type.ndim:
            raise TypeError("SciPy calls a function of one number.")
        kind = ctypes.CFUNCTYPE(
            ctypes.c_double, ctypes.c_int, ctypes.POINTER(ctypes.c_double)
        )
        called = kind(self._c_function().lookup("clinch_number"))
        called.kept = self._compiled
        return scipy.LowLevelCallable(called)

    def _c_function(self):
        with _lock:  # Only one thread compiles it.
            if self._compiled is None:
                _check_alone(self)
                self._compiled = Compiled(self)
        return self._compiled
