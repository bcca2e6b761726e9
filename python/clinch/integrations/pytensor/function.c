/* Calls a thunk with doubles, for callers without Python.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#include <math.h>
#include <numpy/arrayobject.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A thread that waits for its turn releases the GIL, because the thread whose
   turn it is may need it. */
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
  const int64_t *dims;    /* of inputs: none; or one, for one of them */
  PyObject *const *given; /* lists of one */
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
        PyObject *whole =
            PyArray_FROM_OTF((PyObject *)a, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO);
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

int64_t clinch_entry(const double *x, uint64_t size, double *made,
                     uint64_t room) {
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

/* As nutpie calls them: the outputs of the first are a number and its gradient.
 */
enum { Fine = 0, Failed = 1, GradientNotFinite = 3, NotFinite = 4 };

int64_t clinch_logp(uint64_t size, const double *x, double *gradient,
                    double *logp, const void *unused) {
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

int64_t clinch_expand(uint64_t size, uint64_t expanded, const double *x,
                      double *out, const void *unused) {
  return clinch_entry(x, size, out, expanded) == (int64_t)expanded ? Fine
                                                                   : Failed;
}
