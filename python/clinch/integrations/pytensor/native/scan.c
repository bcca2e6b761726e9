/* The loop of `Scan`, for all loops; it is compiled once.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#include <numpy/arrayobject.h>
#include <stdlib.h>
#include <string.h>

/* A view that is moved from row to row, as long as nobody else holds it. */
typedef struct {
  PyArrayObject *view;
  char *data;
} Slot;

typedef struct {
  const Loop *loop;
  PyObject **inputs, **outputs;
  npy_intp steps;
  npy_intp *position, *stored; /* of each output */
  Slot *slots;                 /* of inner inputs, then of inner outputs */
} State;

void *clinch_begin(void) {
  import_array();
  return NULL;
}

static PyArrayObject *array(PyObject *o) { return (PyArrayObject *)o; }

static npy_intp modulo(npy_intp a, npy_intp b) { return (a % b + b) % b; }

static void setCell(PyObject *cell, PyObject *value) {
  PyObject *old = PyList_GET_ITEM(cell, 0);
  Py_INCREF(value);
  PyList_SET_ITEM(cell, 0, value);
  Py_XDECREF(old);
}

/* Takes `value`; null has an error. */
static int setOutput(PyObject **output, PyObject *value) {
  if (!value)
    return -1;
  Py_XSETREF(*output, value);
  return 0;
}

/* Whole numbers are arrays without dimensions. */
static npy_intp number(PyObject *o) { return PyArray_PyIntAsIntp(o); }

static char *row(PyArrayObject *a, npy_intp index) {
  return PyArray_BYTES(a) + index * PyArray_STRIDE(a, 0);
}

static PyArrayObject *viewOf(PyArrayObject *a, int skip, npy_intp first,
                             npy_intp count) {
  npy_intp shape[NPY_MAXDIMS];
  int dims = PyArray_NDIM(a);
  memcpy(shape, PyArray_DIMS(a), dims * sizeof *shape);
  shape[0] = count;
  Py_INCREF(PyArray_DESCR(a));
  PyObject *view = PyArray_NewFromDescr(
      &PyArray_Type, PyArray_DESCR(a), dims - skip, shape + skip,
      PyArray_STRIDES(a) + skip, row(a, first),
      PyArray_FLAGS(a) & NPY_ARRAY_WRITEABLE, NULL);
  if (!view)
    return NULL;
  Py_INCREF(a);
  if (PyArray_SetBaseObject(array(view), (PyObject *)a) < 0)
    Py_CLEAR(view);
  return array(view);
}

static PyArrayObject *rowOf(PyArrayObject *a, npy_intp index) {
  return viewOf(a, 1, index, 1);
}

static PyArrayObject *rows(PyArrayObject *a, npy_intp first, npy_intp last) {
  return viewOf(a, 0, first, last - first);
}

/* Puts a row of `a` into a cell. */
static int place(PyObject *cell, Slot *slot, PyArrayObject *a, npy_intp index) {
  PyArrayObject *view = slot->view;
  int within = view && PyList_GET_ITEM(cell, 0) == (PyObject *)view;
  if (view && Py_REFCNT(view) == 1 + within &&
      PyArray_DATA(view) == slot->data) {
    slot->data = ((PyArrayObject_fields *)view)->data = row(a, index);
  } else {
    view = rowOf(a, index);
    if (!view)
      return -1;
    Py_XSETREF(slot->view, view);
    slot->data = PyArray_BYTES(view);
    within = 0;
  }
  if (!within)
    setCell(cell, (PyObject *)view);
  return 0;
}

/* Whether a cell has what was put there, at the same place. */
static int isPlaced(PyObject *cell, const Slot *slot) {
  PyObject *value = PyList_GET_ITEM(cell, 0);
  return slot->view && value == (PyObject *)slot->view &&
         PyArray_DATA(array(value)) == slot->data;
}

/* Whether `value` is like a row of `a`, and both are contiguous. */
static int isLikeRow(PyArrayObject *a, PyObject *value) {
  PyArrayObject *from = array(value);
  int dims = PyArray_NDIM(a) - 1;
  if (!PyArray_CheckExact(value) || PyArray_DESCR(from) != PyArray_DESCR(a) ||
      PyDataType_REFCHK(PyArray_DESCR(a)) || !PyArray_ISWRITEABLE(a) ||
      !PyArray_IS_C_CONTIGUOUS(from) || PyArray_NDIM(from) != dims ||
      !PyArray_CompareLists(PyArray_DIMS(from), PyArray_DIMS(a) + 1, dims))
    return 0;
  npy_intp along = PyArray_ITEMSIZE(a);
  for (int axis = dims; axis; along *= PyArray_DIM(a, axis), --axis)
    if (PyArray_STRIDE(a, axis) != along)
      return 0;
  return 1;
}

static int setRow(PyObject *of, npy_intp index, PyObject *value) {
  PyArrayObject *a = array(of);
  if (index < 0 || index >= PyArray_DIM(a, 0)) {
    PyErr_Format(PyExc_IndexError,
                 "index %zd is out of bounds for axis 0 with size %zd", index,
                 PyArray_DIM(a, 0));
    return -1;
  }
  if (isLikeRow(a, value)) {
    memmove(row(a, index), PyArray_DATA(array(value)),
            PyArray_NBYTES(array(value)));
    return 0;
  }
  PyArrayObject *to = rowOf(a, index);
  int failed = !to || PyArray_CopyObject(to, value) < 0;
  Py_XDECREF(to);
  return failed ? -1 : 0;
}

static int isLike(PyObject *made, PyArrayObject *given, int first) {
  return made && PyArray_NDIM(array(made)) == PyArray_NDIM(given) &&
         PyArray_DESCR(array(made)) == PyArray_DESCR(given) &&
         PyArray_ISWRITEABLE(array(made)) &&
         PyArray_CompareLists(PyArray_DIMS(array(made)) + first,
                              PyArray_DIMS(given) + first,
                              PyArray_NDIM(given) - first);
}

/* Memory for an output, with its first values. */
static int beginOutput(State *s, int k) {
  const Loop *l = s->loop;
  PyArrayObject *given = array(s->inputs[1 + l->sequences + k]);
  s->stored[k] = PyArray_DIM(given, 0);
  if (l->inPlace[k])
    return setOutput(&s->outputs[k], Py_NewRef((PyObject *)given));
  if (!isLike(s->outputs[k], given, 0))
    return setOutput(&s->outputs[k], PyArray_NewCopy(given, NPY_CORDER));
  npy_intp count = -l->minTaps[k];
  if (k < l->mitMots || count > s->stored[k])
    return PyArray_CopyInto(array(s->outputs[k]), given);
  PyArrayObject *to = rows(array(s->outputs[k]), 0, count);
  PyArrayObject *from = to ? rows(given, 0, count) : NULL;
  int failed = !from || PyArray_CopyInto(to, from) < 0;
  Py_XDECREF(to);
  Py_XDECREF(from);
  return failed ? -1 : 0;
}

static int tapped(const Loop *l) {
  return l->mitMots + l->mitSots + l->sitSots;
}

/* States are any objects, such as generators; only the last of each is kept. */
static PyObject **givenStates(const State *s) {
  return s->inputs + 1 + s->loop->sequences + tapped(s->loop);
}

static PyObject **madeStates(const State *s) {
  return s->outputs + tapped(s->loop) + s->loop->nitSots;
}

static int begin(State *s) {
  const Loop *l = s->loop;
  s->steps = number(s->inputs[0]);
  if (s->steps < 0) {
    if (!PyErr_Occurred())
      PyErr_Format(PyExc_IndexError,
                   "Scan was asked to run for negative number of step %zd",
                   s->steps);
    return -1;
  }
  for (int k = 0; k != l->sequences; ++k) {
    PyArrayObject *a = array(s->inputs[1 + k]);
    if (PyArray_DIM(a, 0) >= s->steps)
      continue;
    PyObject *shape = PyObject_GetAttrString((PyObject *)a, "shape");
    if (shape)
      PyErr_Format(PyExc_ValueError,
                   "Sequence %d has shape %S but the Scan's required number of "
                   "steps is %zd",
                   k, shape, s->steps);
    Py_XDECREF(shape);
    return -1;
  }
  int count = tapped(l);
  for (int k = 0; k != count; ++k)
    if (beginOutput(s, k) < 0)
      return -1;
  PyObject **lengths = givenStates(s) + l->states;
  for (int k = 0; k != l->nitSots; ++k)
    if ((s->stored[count + k] = number(lengths[k])) < 0 && PyErr_Occurred())
      return -1;
  for (int k = 0; k != count + l->nitSots && s->steps; ++k) {
    if (s->stored[k] <= 0) {
      PyErr_SetString(PyExc_ZeroDivisionError, "integer modulo by zero");
      return -1;
    }
    s->position[k] = modulo(-l->minTaps[k], s->stored[k]);
  }
  return 0;
}

/* Where there is no step, outputs without first values are empty, and states
   are the given ones. */
static int beEmpty(State *s) {
  const Loop *l = s->loop;
  npy_intp none[NPY_MAXDIMS] = {0};
  for (int k = tapped(l); k != tapped(l) + l->nitSots; ++k)
    if (setOutput(&s->outputs[k],
                  PyArray_EMPTY(l->dims[k], none, l->types[k], 0)) < 0)
      return -1;
  for (int k = 0; k != l->states; ++k)
    Py_XSETREF(madeStates(s)[k], Py_NewRef(givenStates(s)[k]));
  return 0;
}

static Slot *slotOfOutput(State *s, int j) {
  return s->slots + s->loop->innerInputs + j;
}

/* Where the next row of an output may be written at once. */
static int isFree(const State *s, int k) {
  const Loop *l = s->loop;
  if (s->stored[k] == 1 || !s->outputs[k])
    return 0;
  for (int t = l->tapsBegin[k]; t != l->tapsBegin[k + 1]; ++t)
    if (modulo(l->taps[t], s->stored[k]) == 0)
      return 0;
  return 1;
}

static int giveOutputs(State *s, npy_intp i) {
  const Loop *l = s->loop;
  for (int j = 0; j != l->mitMotOuts; ++j)
    setCell(l->outCells[j], Py_None);
  int j = l->mitMotOuts, last = tapped(l) + l->nitSots;
  for (int k = l->mitMots; k != last; ++k, ++j) {
    if ((k >= tapped(l) && i == 0) || !isFree(s, k))
      setCell(l->outCells[j], Py_None);
    else if (place(l->outCells[j], slotOfOutput(s, j), array(s->outputs[k]),
                   s->position[k]) < 0)
      return -1;
  }
  for (int more = l->states + l->isWhile; more; --more, ++j)
    setCell(l->outCells[j], Py_None);
  return 0;
}

static int giveInputs(State *s, npy_intp i) {
  const Loop *l = s->loop;
  for (int k = 0; k != l->sequences; ++k)
    if (place(l->inCells[k], s->slots + k, array(s->inputs[1 + k]), i) < 0)
      return -1;
  int cell = l->sequences;
  for (int k = 0; k != tapped(l); ++k)
    for (int t = l->tapsBegin[k]; t != l->tapsBegin[k + 1]; ++t, ++cell)
      if (place(l->inCells[cell], s->slots + cell, array(s->outputs[k]),
                modulo(s->position[k] + l->taps[t], s->stored[k])) < 0)
        return -1;
  PyObject **states = i ? madeStates(s) : givenStates(s);
  for (int k = 0; k != l->states; ++k, ++cell)
    setCell(l->inCells[cell], states[k]);
  return 0;
}

static void explain(const Loop *l) {
  PyObject *type, *error, *trace;
  PyErr_Fetch(&type, &error, &trace);
  PyErr_NormalizeException(&type, &error, &trace);
  if (trace)
    PyException_SetTraceback(error, trace);
  PyObject *none = PyObject_CallOneArg(l->explain, error);
  Py_XDECREF(none);
  Py_XDECREF(type);
  Py_XDECREF(error);
  Py_XDECREF(trace);
}

static int makeStep(State *s) {
  const Loop *l = s->loop;
  PyObject *done = PyObject_CallNoArgs(l->step);
  if (!done) {
    if (l->explain)
      explain(l);
    return -1;
  }
  Py_DECREF(done);
  /* All are read before the first is written. */
  PyObject *values[l->updates + 1];
  for (int k = 0; k != l->updates; ++k)
    values[k] = Py_NewRef(PyList_GET_ITEM(l->updateFrom[k], 0));
  for (int k = 0; k != l->updates; ++k) {
    setCell(l->updateTo[k], values[k]);
    Py_DECREF(values[k]);
  }
  return 0;
}

static int takeMitMots(State *s) {
  const Loop *l = s->loop;
  for (int k = 0; k != l->mitMots; ++k)
    for (int t = l->outTapsBegin[k]; t != l->outTapsBegin[k + 1]; ++t) {
      int input = l->outTapInput[t];
      PyObject *cell = input < 0 ? l->outCells[t] : l->inCells[input];
      if (input >= 0 && isPlaced(cell, s->slots + input))
        continue;
      if (setRow(s->outputs[k], l->outTaps[t] + s->position[k],
                 PyList_GET_ITEM(cell, 0)) < 0)
        return -1;
    }
  return 0;
}

/* Memory for an output whose shape its first value tells. */
static int beginNitSot(State *s, int k, PyObject *value) {
  PyArrayObject *first = array(PyArray_FROM_O(value));
  if (!first)
    return -1;
  npy_intp shape[NPY_MAXDIMS];
  int dims = PyArray_NDIM(first), type = s->loop->types[k];
  shape[0] = s->stored[k];
  memcpy(shape + 1, PyArray_DIMS(first), dims * sizeof *shape);
  Py_DECREF(first);
  PyObject *made = s->outputs[k];
  if (made && PyArray_NDIM(array(made)) == dims + 1 &&
      PyArray_TYPE(array(made)) == type && PyArray_ISWRITEABLE(array(made)) &&
      PyArray_CompareLists(PyArray_DIMS(array(made)), shape, dims + 1))
    return 0;
  return setOutput(&s->outputs[k], PyArray_EMPTY(dims + 1, shape, type, 0));
}

static int takeOutputs(State *s, npy_intp i) {
  const Loop *l = s->loop;
  if (takeMitMots(s) < 0)
    return -1;
  int j = l->mitMotOuts, last = tapped(l) + l->nitSots;
  for (int k = l->mitMots; k != last; ++k, ++j) {
    PyObject *value = PyList_GET_ITEM(l->outCells[j], 0);
    if (k >= tapped(l) && i == 0 && beginNitSot(s, k, value) < 0)
      return -1;
    if (!isPlaced(l->outCells[j], slotOfOutput(s, j)) &&
        setRow(s->outputs[k], s->position[k], value) < 0)
      return -1;
  }
  for (int k = 0; k != l->states; ++k, ++j)
    Py_XSETREF(madeStates(s)[k], Py_NewRef(PyList_GET_ITEM(l->outCells[j], 0)));
  for (int k = 0; k != last; ++k)
    s->position[k] = (s->position[k] + 1) % s->stored[k];
  return 0;
}

static int repeat(State *s, npy_intp *made) {
  const Loop *l = s->loop;
  int more = 1;
  for (*made = 0; *made < s->steps && more; ++*made) {
    if (giveOutputs(s, *made) < 0 || giveInputs(s, *made) < 0 ||
        makeStep(s) < 0)
      return -1;
    if (l->isWhile) {
      PyObject *last = PyList_GET_ITEM(l->outCells[l->innerOutputs - 1], 0);
      int ends = PyObject_IsTrue(last);
      if (ends < 0)
        return -1;
      more = !ends;
    }
    if (takeOutputs(s, *made) < 0)
      return -1;
  }
  return 0;
}

/* The oldest row of a ring first. */
static int turn(PyArrayObject *a, npy_intp by) {
  npy_intp count = PyArray_DIM(a, 0);
  PyArrayObject *copy = array(PyArray_NewCopy(a, NPY_CORDER));
  PyArrayObject *part[4] = {
      copy ? rows(copy, by, count) : NULL, rows(a, 0, count - by),
      copy ? rows(copy, 0, by) : NULL, rows(a, count - by, count)};
  int failed = 0;
  for (int i = 0; i != 4; ++i)
    failed |= !part[i];
  failed = failed || PyArray_CopyInto(part[1], part[0]) < 0 ||
           PyArray_CopyInto(part[3], part[2]) < 0;
  for (int i = 0; i != 4; ++i)
    Py_XDECREF(part[i]);
  Py_XDECREF(copy);
  return failed ? -1 : 0;
}

/* What no step wrote is zero, and is left out where the loop ended early. */
static int endShort(State *s, int k, npy_intp made) {
  PyArrayObject *a = array(s->outputs[k]), *rest;
  npy_intp count = PyArray_DIM(a, 0), first = made - s->loop->minTaps[k];
  rest = rows(a, first, count);
  PyObject *zero = rest ? PyLong_FromLong(0) : NULL;
  int failed = !zero || PyArray_CopyObject(rest, zero) < 0;
  Py_XDECREF(zero);
  Py_XDECREF(rest);
  if (failed || made >= s->steps)
    return failed ? -1 : 0;
  npy_intp last = count - (s->steps - made);
  return setOutput(&s->outputs[k], (PyObject *)rows(a, 0, last < 0 ? 0 : last));
}

static int end(State *s, npy_intp made) {
  const Loop *l = s->loop;
  for (int k = l->mitMots; k != tapped(l) + l->nitSots; ++k) {
    npy_intp wanted = made - l->minTaps[k], by = s->position[k];
    if (s->stored[k] < wanted && by) {
      if (turn(array(s->outputs[k]), by) < 0)
        return -1;
    } else if (s->stored[k] > wanted && endShort(s, k, made) < 0) {
      return -1;
    }
  }
  return 0;
}

static int loop(State *s) {
  const Loop *l = s->loop;
  if (begin(s) < 0)
    return -1;
  if (!s->steps)
    return beEmpty(s);
  int taken = l->sequences + l->tapsBegin[tapped(l)] + l->states;
  PyObject **others = givenStates(s) + l->states + l->nitSots;
  for (int k = taken; k != l->innerInputs; ++k)
    setCell(l->inCells[k], others[k - taken]);
  npy_intp made;
  return repeat(s, &made) < 0 ? -1 : end(s, made);
}

static void leave(State *s) {
  const Loop *l = s->loop;
  for (int k = 0; k != l->innerInputs; ++k)
    setCell(l->inCells[k], Py_None);
  for (int k = 0; k != l->innerOutputs; ++k)
    setCell(l->outCells[k], Py_None);
  for (int k = 0; k != l->innerInputs + l->innerOutputs; ++k)
    Py_XDECREF(s->slots[k].view);
}

int clinch_scan(const Loop *l, PyObject **inputs, PyObject **outputs) {
  int count = tapped(l) + l->nitSots;
  State s = {l, inputs, outputs, 0, NULL, NULL, NULL};
  npy_intp places[2 * count + 1];
  s.position = places;
  s.stored = places + count;
  s.slots = calloc(l->innerInputs + l->innerOutputs + 1, sizeof(Slot));
  if (!s.slots) {
    PyErr_NoMemory();
    return -1;
  }
  int failed = loop(&s);
  leave(&s);
  free(s.slots);
  if (l->finish && !failed) {
    PyObject *none = PyObject_CallNoArgs(l->finish);
    failed = none ? 0 : -1;
    Py_XDECREF(none);
  }
  return failed;
}
