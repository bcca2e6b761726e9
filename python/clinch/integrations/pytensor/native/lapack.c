/* Linear algebra by SciPy's LAPACK, in the steps of SciPy.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#include <math.h>
#include <numpy/arrayobject.h>
#include <string.h>

typedef void ClinchPotrf(char *, int *, void *, int *, int *);
typedef void ClinchTrtrs(char *, char *, char *, int *, int *, void *, int *,
                         void *, int *, int *);

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

static inline PyArrayObject *clinchInColumns(PyArrayObject *a, int inPlace) {
  if (inPlace && PyArray_IS_F_CONTIGUOUS(a))
    return (PyArrayObject *)Py_NewRef((PyObject *)a);
  npy_intp rows = PyArray_DIM(a, 0), many = rows ? PyArray_SIZE(a) / rows : 0;
  PyArrayObject *made =
      (PyArrayObject *)PyArray_NewLikeArray(a, NPY_FORTRANORDER, NULL, 0);
  const double *from = (const double *)PyArray_DATA(a);
  double *to = made ? (double *)PyArray_DATA(made) : NULL;
  /* NumPy takes one column after another, which is slow for short ones. */
  if (to && rows <= 16 && PyArray_TYPE(a) == NPY_DOUBLE &&
      PyArray_IS_C_CONTIGUOUS(a))
    for (npy_intp k = 0; k < rows; ++k)
      for (npy_intp j = 0; j < many; ++j)
        to[j * rows + k] = from[k * many + j];
  else if (to && PyArray_CopyInto(made, a) < 0)
    Py_CLEAR(made);
  return made;
}

/* Takes `made`, which may be null with an error, and is NaN where LAPACK has
   found nothing. */
static inline int clinchGive(PyArrayObject **z, PyArrayObject *made,
                             int status) {
  if (!made)
    return -1;
  Py_XSETREF(*z, made);
  for (npy_intp i = status ? PyArray_SIZE(made) : 0; i-- != 0;)
    if (PyArray_TYPE(made) == NPY_FLOAT)
      ((float *)PyArray_DATA(made))[i] = NPY_NANF;
    else
      ((double *)PyArray_DATA(made))[i] = NPY_NAN;
  return 1;
}

/* `Cholesky`. */
static inline int clinchCholesky(void *routine, PyArrayObject *x,
                                 PyArrayObject **z, int lower, int inPlace) {
  npy_intp rows = PyArray_DIM(x, 0), item = PyArray_ITEMSIZE(x);
  if (rows != PyArray_DIM(x, 1) || !rows)
    return 0;
  /* What lies in C's order is its transpose in Fortran's: no copy is needed. */
  int transposed = inPlace && PyArray_IS_C_CONTIGUOUS(x);
  PyArrayObject *made = transposed ? (PyArrayObject *)Py_NewRef((PyObject *)x)
                                   : clinchInColumns(x, inPlace);
  int size = (int)rows, status = 0;
  if (made) {
    lower = transposed ? !lower : lower;
    char which = lower ? 'L' : 'U', *column = PyArray_BYTES(made);
    ((ClinchPotrf *)routine)(&which, &size, column, &size, &status);
    for (npy_intp j = 0; j != rows; ++j, column += rows * item)
      if (lower)
        memset(column, 0, j * item);
      else
        memset(column + (j + 1) * item, 0, (rows - j - 1) * item);
  }
  return clinchGive(z, made, status);
}

/* Whether `a` is square, and has as many rows as `b`, of which there is one. */
static inline int clinchFit(PyArrayObject *a, PyArrayObject *b) {
  return PyArray_DIM(a, 0) == PyArray_DIM(a, 1) &&
         PyArray_DIM(a, 0) == PyArray_DIM(b, 0) && PyArray_SIZE(b) != 0;
}

static inline int clinchCount(PyArrayObject *b) {
  return PyArray_NDIM(b) == 2 ? (int)PyArray_DIM(b, 1) : 1;
}

/* `SolveTriangular`. */
static inline int clinchSolveTriangular(void *routine, PyArrayObject *a,
                                        PyArrayObject *b, PyArrayObject **z,
                                        int lower, int isUnit, int inPlace) {
  if (!clinchFit(a, b))
    return 0;
  /* As columns: what does not lie so is its transpose, or a copy of it. */
  int inColumns = PyArray_IS_F_CONTIGUOUS(a);
  PyArrayObject *matrix = a;
  if (inColumns || PyArray_IS_C_CONTIGUOUS(a))
    Py_INCREF(matrix);
  else
    matrix = (PyArrayObject *)PyArray_NewCopy(a, NPY_CORDER);
  PyArrayObject *made = matrix ? clinchInColumns(b, inPlace) : NULL;
  int size = (int)PyArray_DIM(a, 0), count = clinchCount(b), status = 0;
  char which = (inColumns ? lower : !lower) ? 'L' : 'U';
  char turned = inColumns ? 'N' : 'T', unit = isUnit ? 'U' : 'N';
  if (made)
    ((ClinchTrtrs *)routine)(&which, &turned, &unit, &size, &count,
                             PyArray_DATA(matrix), &size, PyArray_DATA(made),
                             &size, &status);
  Py_XDECREF(matrix);
  return clinchGive(z, made, status);
}
