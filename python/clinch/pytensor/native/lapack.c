/* What all linear algebra by SciPy's LAPACK has in common.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#include <math.h>
#include <numpy/arrayobject.h>
#include <stdlib.h>
#include <string.h>

enum { ClinchMostRoutines = 3 };

/* What an Op keeps: functions of LAPACK, and what is called where something is
   wrong, for it warns and raises as `perform` does. */
typedef struct {
  void *routines[ClinchMostRoutines];
  PyObject *ask;
} ClinchLapack;

/* An address that SciPy exports; null has an error. */
static inline void *clinchRoutine(const char *name) {
  PyObject *module = PyImport_ImportModule("scipy.linalg.cython_lapack");
  PyObject *all =
      module ? PyObject_GetAttrString(module, "__pyx_capi__") : NULL;
  PyObject *found = all ? PyMapping_GetItemString(all, name) : NULL;
  void *address =
      found ? PyCapsule_GetPointer(found, PyCapsule_GetName(found)) : NULL;
  Py_XDECREF(found);
  Py_XDECREF(all);
  Py_XDECREF(module);
  return address;
}

static inline int clinchFind(ClinchLapack *l, int count,
                             const char *const *names, const char *module,
                             const char *ask) {
  memset(l, 0, sizeof *l);
  for (int i = 0; i != count; ++i)
    if (!(l->routines[i] = clinchRoutine(names[i])))
      return -1;
  if (!ask)
    return 0;
  PyObject *from = PyImport_ImportModule(module);
  l->ask = from ? PyObject_GetAttrString(from, ask) : NULL;
  Py_XDECREF(from);
  return l->ask ? 0 : -1;
}

/* Those that several Ops call. */
typedef void ClinchPotrf(char *, int *, void *, int *, int *);
typedef void ClinchPotrs(char *, int *, int *, void *, int *, void *, int *,
                         int *);
typedef void ClinchGetrf(int *, int *, void *, int *, int *, int *);

/* A number of the matrix's type, as LAPACK takes it by address. */
typedef union {
  float f;
  double d;
} ClinchNumber;

static inline int clinchIsFloat(PyArrayObject *a) {
  return PyArray_TYPE(a) == NPY_FLOAT;
}

static inline double clinchGet(PyArrayObject *a, npy_intp i) {
  return clinchIsFloat(a) ? ((const float *)PyArray_DATA(a))[i]
                          : ((const double *)PyArray_DATA(a))[i];
}

static inline void clinchSet(PyArrayObject *a, npy_intp i, double value) {
  if (clinchIsFloat(a))
    ((float *)PyArray_DATA(a))[i] = (float)value;
  else
    ((double *)PyArray_DATA(a))[i] = value;
}

static inline void clinchFill(PyArrayObject *a, double value) {
  npy_intp count = PyArray_SIZE(a);
  for (npy_intp i = 0; i != count; ++i)
    clinchSet(a, i, value);
}

static inline PyArrayObject *clinchInColumns(PyArrayObject *a, int inPlace) {
  if (!inPlace || !PyArray_IS_F_CONTIGUOUS(a))
    return (PyArrayObject *)PyArray_NewCopy(a, NPY_FORTRANORDER);
  Py_INCREF(a);
  return a;
}

static inline int clinchCount(PyArrayObject *b) {
  return PyArray_NDIM(b) == 2 ? (int)PyArray_DIM(b, 1) : 1;
}

static inline int clinchIsSquare(PyArrayObject *a) {
  return PyArray_DIM(a, 0) == PyArray_DIM(a, 1);
}

/* Takes `made`, which may be null with an error. */
static inline int clinchGive(PyArrayObject **z, PyArrayObject *made) {
  if (!made)
    return -1;
  Py_XSETREF(*z, made);
  return 0;
}
