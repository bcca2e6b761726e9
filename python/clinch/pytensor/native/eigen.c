/* Eigenvalues of symmetric matrices, in the steps of SciPy.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */

typedef void ClinchSyevr(char *, char *, char *, int *, void *, int *, void *,
                         void *, int *, int *, void *, int *, void *, void *,
                         int *, int *, void *, int *, int *, int *, int *);

typedef struct {
  const ClinchLapack *of;
  int size, lower, wantsVectors;
  PyArrayObject *a, *values, *vectors; /* a copy in columns; what is made */
} ClinchEigen;

/* Called twice: the first call asks how much workspace it needs. */
static inline int clinchSyevr(ClinchEigen *e) {
  char job = e->wantsVectors ? 'V' : 'N', range = 'A',
       which = e->lower ? 'L' : 'U';
  ClinchNumber low = {0}, high = {0}, precise = {0}, room = {0};
  int one = 1, found = 0, few = 1, length = -1, ints = -1, status = 1;
  void *work = &room, *made = e->vectors ? PyArray_DATA(e->vectors) : &room;
  int *more = &few, *places = (int *)malloc(2 * e->size * sizeof(int));
  for (int pass = 0; pass != 2 && places && work && more; ++pass) {
    ((ClinchSyevr *)e->of->routines[0])(
        &job, &range, &which, &e->size, PyArray_DATA(e->a), &e->size, &low,
        &high, &one, &e->size, &precise, &found, PyArray_DATA(e->values), made,
        &e->size, places, work, &length, more, &ints, &status);
    if (pass == 1 || status)
      break;
    /* As in SciPy, because a float may be less than the integer. */
    length =
        clinchIsFloat(e->a) ? (int)nextafterf(room.f, INFINITY) : (int)room.d;
    ints = few;
    work = malloc(length * PyArray_ITEMSIZE(e->a));
    more = (int *)malloc(ints * sizeof(int));
    status = 1;
  }
  if (work != &room)
    free(work);
  if (more != &few)
    free(more);
  free(places);
  return status;
}

/* NumPy and SciPy raise different errors for a matrix that is not finite. */
static inline int clinchIsFine(PyArrayObject *a, npy_intp rows) {
  if (!rows || PyArray_DIM(a, 0) != rows || PyArray_DIM(a, 1) != rows)
    return 0;
  for (npy_intp i = 0; i != rows; ++i)
    for (npy_intp j = 0; j != rows; ++j) {
      void *at = PyArray_GETPTR2(a, i, j);
      if (!isfinite(clinchIsFloat(a) ? *(float *)at : *(double *)at))
        return 0;
    }
  return 1;
}

/* 0 where LAPACK has found the values. */
static inline int clinchFindValues(ClinchEigen *e, PyArrayObject *a) {
  npy_intp shape[] = {e->size, e->size};
  int type = PyArray_TYPE(a);
  e->a = clinchInColumns(a, 0);
  e->values = (PyArrayObject *)PyArray_ZEROS(1, shape, type, 0);
  if (e->wantsVectors)
    e->vectors = (PyArrayObject *)PyArray_ZEROS(2, shape, type, 1);
  return PyErr_Occurred() ? -1 : clinchSyevr(e);
}

/* What SciPy or NumPy gives: values, and vectors if they are wanted. */
static inline int clinchAskForValues(ClinchEigen *e, PyArrayObject *a,
                                     PyArrayObject *b) {
  int type = PyArray_TYPE(a);
  Py_CLEAR(e->values);
  Py_CLEAR(e->vectors);
  PyObject *both = PyObject_CallFunction(e->of->ask, b ? "iiOO" : "iiO",
                                         e->lower, e->wantsVectors, a, b);
  PyObject *values = both && e->wantsVectors ? PyTuple_GetItem(both, 0) : both;
  if (values)
    e->values =
        (PyArrayObject *)PyArray_FROM_OTF(values, type, NPY_ARRAY_FORCECAST);
  if (e->values && e->wantsVectors)
    e->vectors = (PyArrayObject *)PyArray_FROM_OTF(PyTuple_GetItem(both, 1),
                                                   type, NPY_ARRAY_FORCECAST);
  Py_XDECREF(both);
  return PyErr_Occurred() ? -1 : 0;
}

/* `Eigh` and `Eigvalsh`. Without a routine of LAPACK all is asked for, as what
   is of pairs of matrices is. */
static inline int clinchEigen(const ClinchLapack *l, PyArrayObject *a,
                              PyArrayObject *b, PyArrayObject **values,
                              PyArrayObject **vectors, int lower) {
  npy_intp rows = PyArray_DIM(a, 0);
  ClinchEigen e = {l, (int)rows, lower, vectors != NULL, NULL, NULL, NULL};
  int failed = 1;
  if (l->routines[0] && clinchIsFine(a, rows))
    failed = clinchFindValues(&e, a);
  if (failed && !PyErr_Occurred())
    failed = clinchAskForValues(&e, a, b);
  Py_XDECREF(e.a);
  if (failed) {
    Py_XDECREF(e.values);
    Py_XDECREF(e.vectors);
    return -1;
  }
  if (vectors)
    Py_XSETREF(*vectors, e.vectors);
  return clinchGive(values, e.values);
}
