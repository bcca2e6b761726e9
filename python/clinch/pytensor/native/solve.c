/* Systems of equations, in the steps of SciPy.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#include <float.h>

typedef void ClinchCon(char *, int *, void *, int *, void *, void *, void *,
                       int *, int *);
typedef void ClinchGetrs(char *, int *, int *, void *, int *, int *, void *,
                         int *, int *);

typedef struct {
  const ClinchLapack *of;
  int isPositive; /* definite, so that one half of the matrix counts */
  int size, count, status;
  char which;
  PyArrayObject *factors, *right; /* copies in columns */
  int *places;                    /* twice as many as rows */
  void *work;
  ClinchNumber norm, inverse; /* of the matrix; of its condition */
} ClinchSystem;

/* The largest sum of a column, added in the type of the matrix. */
static inline void clinchTakeNorm(ClinchSystem *s) {
  int isFloat = clinchIsFloat(s->factors), isLower = s->which == 'L';
  double largest = 0;
  for (npy_intp j = 0; j != s->size; ++j) {
    double sum = 0;
    for (npy_intp i = 0; i != s->size; ++i) {
      int isOther = s->isPositive && isLower != (i >= j);
      sum += fabs(
          clinchGet(s->factors, isOther ? j + i * s->size : i + j * s->size));
      sum = isFloat ? (float)sum : sum;
    }
    largest = sum > largest || sum != sum ? sum : largest;
  }
  if (isFloat)
    s->norm.f = (float)largest;
  else
    s->norm.d = largest;
}

/* Whether SciPy need not warn that the matrix is nearly singular. */
static inline int clinchIsSound(const ClinchSystem *s) {
  return clinchIsFloat(s->factors) ? s->inverse.f >= FLT_EPSILON
                                   : s->inverse.d >= DBL_EPSILON;
}

/* Factors, condition and solution; whether all is well. */
static inline int clinchSolveSystem(ClinchSystem *s) {
  char how = s->isPositive ? s->which : '1', turned = 'N';
  int *n = &s->size;
  void *items = PyArray_DATA(s->factors), *made = PyArray_DATA(s->right);
  void *const *f = s->of->routines;
  clinchTakeNorm(s);
  if (s->isPositive)
    ((ClinchPotrf *)f[0])(&how, n, items, n, &s->status);
  else
    ((ClinchGetrf *)f[0])(n, n, items, n, s->places, &s->status);
  if (s->status)
    return 0;
  ((ClinchCon *)f[1])(&how, n, items, n, &s->norm, &s->inverse, s->work,
                      s->places + s->size, &s->status);
  if (s->status || !clinchIsSound(s))
    return 0;
  if (s->isPositive)
    ((ClinchPotrs *)f[2])(&how, n, &s->count, items, n, made, n, &s->status);
  else
    ((ClinchGetrs *)f[2])(&turned, n, &s->count, items, n, s->places, made, n,
                          &s->status);
  return !s->status;
}

/* `Solve`. SciPy is asked for what is singular, or nearly so, or does not fit,
   and for all other assumptions than that a matrix is positive definite. */
static inline int clinchSolve(const ClinchLapack *l, PyArrayObject *a,
                              PyArrayObject *b, PyArrayObject **z,
                              int isPositive, const char *assumed, int lower) {
  ClinchSystem s;
  memset(&s, 0, sizeof s);
  s.of = l;
  s.isPositive = isPositive;
  s.size = (int)PyArray_DIM(a, 0);
  s.count = clinchCount(b);
  s.which = lower ? 'L' : 'U';
  PyArrayObject *made = NULL;
  int isSolved = 0;
  if (l->routines[0] && clinchIsSquare(a) && s.size == PyArray_DIM(b, 0) &&
      s.size > 1 && s.count) {
    s.factors = clinchInColumns(a, 0);
    s.right = s.factors ? clinchInColumns(b, 0) : NULL;
    s.places = (int *)malloc(2 * s.size * sizeof(int));
    s.work = malloc(4 * s.size * PyArray_ITEMSIZE(a));
    isSolved = s.right && s.places && s.work && clinchSolveSystem(&s);
  }
  if (isSolved)
    made = (PyArrayObject *)PyArray_NewCopy(s.right, NPY_CORDER);
  else if (!PyErr_Occurred())
    made = (PyArrayObject *)PyObject_CallFunction(l->ask, "OOsi", a, b, assumed,
                                                  lower);
  Py_XDECREF(s.factors);
  Py_XDECREF(s.right);
  free(s.places);
  free(s.work);
  return clinchGive(z, made);
}
