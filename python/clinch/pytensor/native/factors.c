/* Factors, and what is computed by them, in the steps of SciPy and NumPy.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */

typedef void ClinchTrtrs(char *, char *, char *, int *, int *, void *, int *,
                         void *, int *, int *);
typedef void ClinchGesv(int *, int *, void *, int *, int *, void *, int *,
                        int *);

/* `Cholesky`. */
static inline int clinchCholesky(const ClinchLapack *l, PyArrayObject *x,
                                 PyArrayObject **z, int lower, int inPlace) {
  npy_intp rows = PyArray_DIM(x, 0), columns = PyArray_DIM(x, 1);
  if (rows != columns && rows * columns != 0) {
    PyErr_Format(PyExc_ValueError,
                 "Input array is expected to be square but has the shape: "
                 "(%zd, %zd).",
                 rows, columns);
    return -1;
  }
  /* What lies in C's order is its transpose in Fortran's: no copy is needed. */
  int transposed = inPlace && PyArray_IS_C_CONTIGUOUS(x);
  PyArrayObject *made = transposed ? (PyArrayObject *)Py_NewRef((PyObject *)x)
                                   : clinchInColumns(x, inPlace);
  if (made && rows * columns != 0) {
    lower = transposed ? !lower : lower;
    char which = lower ? 'L' : 'U';
    int size = (int)rows, status = 0;
    ((ClinchPotrf *)l->routines[0])(&which, &size, PyArray_DATA(made), &size,
                                    &status);
    if (status)
      clinchFill(made, NPY_NAN);
    for (npy_intp j = 0; j != rows && !status; ++j)
      for (npy_intp i = lower ? 0 : j + 1; i < (lower ? j : rows); ++i)
        clinchSet(made, i + j * rows, 0);
  }
  return clinchGive(z, made);
}

/* Whether `a` is square, and has as many rows as `b`; the texts are
 * `perform`'s. */
static inline int clinchFit(PyArrayObject *a, PyArrayObject *b,
                            const char *noSquare, const char *noFit) {
  if (!clinchIsSquare(a)) {
    PyErr_SetString(PyExc_ValueError, noSquare);
    return 0;
  }
  if (PyArray_DIM(a, 0) == PyArray_DIM(b, 0))
    return 1;
  PyObject *left = PyObject_GetAttrString((PyObject *)a, "shape");
  PyObject *right = PyObject_GetAttrString((PyObject *)b, "shape");
  if (left && right)
    PyErr_Format(PyExc_ValueError, noFit, left, right);
  Py_XDECREF(left);
  Py_XDECREF(right);
  return 0;
}

/* `SolveTriangular`. */
static inline int clinchSolveTriangular(const ClinchLapack *l, PyArrayObject *a,
                                        PyArrayObject *b, PyArrayObject **z,
                                        int lower, int isUnit, int inPlace) {
  if (!clinchFit(a, b, "expected square matrix",
                 "shapes of a %S and b %S are incompatible"))
    return -1;
  /* As columns: what does not lie so is its transpose, or a copy of it. */
  int inColumns = PyArray_IS_F_CONTIGUOUS(a);
  PyArrayObject *matrix = a;
  if (inColumns || PyArray_IS_C_CONTIGUOUS(a))
    Py_INCREF(matrix);
  else
    matrix = (PyArrayObject *)PyArray_NewCopy(a, NPY_CORDER);
  PyArrayObject *made = matrix ? clinchInColumns(b, inPlace) : NULL;
  if (made && PyArray_SIZE(made) != 0) {
    int size = (int)PyArray_DIM(a, 0), count = clinchCount(b), status = 0;
    char which = (inColumns ? lower : !lower) ? 'L' : 'U';
    char turned = inColumns ? 'N' : 'T', unit = isUnit ? 'U' : 'N';
    ((ClinchTrtrs *)l->routines[0])(&which, &turned, &unit, &size, &count,
                                    PyArray_DATA(matrix), &size,
                                    PyArray_DATA(made), &size, &status);
    if (status)
      clinchFill(made, NPY_NAN);
  }
  Py_XDECREF(matrix);
  return clinchGive(z, made);
}

/* `CholeskySolve`. */
static inline int clinchSolveByFactor(const ClinchLapack *l, PyArrayObject *c,
                                      PyArrayObject *b, PyArrayObject **z,
                                      int lower, int inPlace) {
  if (!clinchFit(c, b, "The factored matrix c is not square.",
                 "incompatible dimensions (%S and %S)"))
    return -1;
  PyArrayObject *factor = clinchInColumns(c, 1);
  PyArrayObject *made = factor ? clinchInColumns(b, inPlace) : NULL;
  if (made && PyArray_SIZE(made) != 0) {
    int size = (int)PyArray_DIM(c, 0), count = clinchCount(b), status = 0;
    char which = lower ? 'L' : 'U';
    ((ClinchPotrs *)l->routines[0])(&which, &size, &count, PyArray_DATA(factor),
                                    &size, PyArray_DATA(made), &size, &status);
    if (status)
      clinchFill(made, NPY_NAN);
  }
  Py_XDECREF(factor);
  return clinchGive(z, made);
}

/* A copy of a matrix in columns, and the places of its rows. */
typedef struct {
  int rows, columns, status;
  npy_intp many;
  PyArrayObject *made, *pivots;
  int *places;
} ClinchLU;

static inline int clinchBeginLU(ClinchLU *f, PyArrayObject *x) {
  f->rows = (int)PyArray_DIM(x, 0);
  f->columns = (int)PyArray_DIM(x, 1);
  f->status = 0;
  f->many = f->rows < f->columns ? f->rows : f->columns;
  f->made = clinchInColumns(x, 0);
  f->pivots =
      f->made ? (PyArrayObject *)PyArray_EMPTY(1, &f->many, NPY_INT, 0) : NULL;
  if (!f->pivots) {
    Py_XDECREF(f->made);
    return -1;
  }
  f->places = (int *)PyArray_DATA(f->pivots);
  return 0;
}

static inline void clinchEndLU(ClinchLU *f) {
  Py_DECREF(f->made);
  Py_DECREF(f->pivots);
}

/* `LUFactor`. */
static inline int clinchFactorLU(const ClinchLapack *l, PyArrayObject *x,
                                 PyArrayObject **z, PyArrayObject **pivots) {
  ClinchLU f;
  if (clinchBeginLU(&f, x) < 0)
    return -1;
  if (PyArray_SIZE(f.made) != 0) {
    ((ClinchGetrf *)l->routines[0])(&f.rows, &f.columns, PyArray_DATA(f.made),
                                    &f.rows, f.places, &f.status);
    for (npy_intp i = 0; i != f.many; ++i)
      --f.places[i];
    if (f.status)
      clinchFill(f.made, NPY_NAN);
  }
  Py_XSETREF(*z, f.made);
  Py_XSETREF(*pivots, f.pivots);
  return 0;
}

static inline void clinchRaiseLinAlgError(const char *wrong) {
  PyObject *module = PyImport_ImportModule("numpy.linalg");
  PyObject *error =
      module ? PyObject_GetAttrString(module, "LinAlgError") : NULL;
  if (error)
    PyErr_SetString(error, wrong);
  Py_XDECREF(error);
  Py_XDECREF(module);
}

/* `MatrixInverse`. */
static inline int clinchInvert(const ClinchLapack *l, PyArrayObject *x,
                               PyArrayObject **z) {
  ClinchLU f;
  if (!clinchIsSquare(x)) {
    clinchRaiseLinAlgError("Last 2 dimensions of the array must be square");
    return -1;
  }
  if (clinchBeginLU(&f, x) < 0)
    return -1;
  PyArrayObject *made =
      (PyArrayObject *)PyArray_ZEROS(2, PyArray_DIMS(x), PyArray_TYPE(x), 1);
  for (npy_intp i = 0; made && i != f.rows; ++i)
    clinchSet(made, i * f.rows + i, 1);
  if (made && f.rows)
    ((ClinchGesv *)l->routines[0])(&f.rows, &f.rows, PyArray_DATA(f.made),
                                   &f.rows, f.places, PyArray_DATA(made),
                                   &f.rows, &f.status);
  if (f.status) {
    clinchRaiseLinAlgError("Singular matrix");
    Py_CLEAR(made);
  }
  clinchEndLU(&f);
  return clinchGive(z, made);
}

static inline int clinchGiveNumber(PyArrayObject **z, PyArrayObject *like,
                                   double value) {
  PyArrayObject *made =
      (PyArrayObject *)PyArray_EMPTY(0, NULL, PyArray_TYPE(like), 0);
  if (made)
    clinchSet(made, 0, value);
  return clinchGive(z, made);
}

/* `SLogDet`, from the logarithms of the factors. */
static inline int clinchSLogDet(const ClinchLapack *l, PyArrayObject *x,
                                PyArrayObject **sign, PyArrayObject **logdet) {
  if (!clinchIsSquare(x)) {
    PyObject *told = Py_BuildValue("(sO)", "Failed to compute determinant", x);
    if (told)
      PyErr_SetObject(PyExc_ValueError, told);
    Py_XDECREF(told);
    return -1;
  }
  ClinchLU f;
  if (clinchBeginLU(&f, x) < 0)
    return -1;
  if (f.rows)
    ((ClinchGetrf *)l->routines[0])(&f.rows, &f.rows, PyArray_DATA(f.made),
                                    &f.rows, f.places, &f.status);
  /* By address, so that they are libm's, as NumPy's are, and no vector's. */
  double (*volatile ofDouble)(double) = log;
  float (*volatile ofFloat)(float) = logf;
  double turned = f.status ? 0 : 1, sum = f.status ? -NPY_INFINITY : 0;
  for (npy_intp i = 0; i != f.rows && !f.status; ++i) {
    double factor = clinchGet(f.made, i * f.rows + i);
    turned = (f.places[i] != i + 1) != (factor < 0) ? -turned : turned;
    if (clinchIsFloat(x))
      sum = (float)sum + ofFloat((float)fabs(factor));
    else
      sum += ofDouble(factor < 0 ? -factor : factor);
  }
  clinchEndLU(&f);
  return clinchGiveNumber(sign, x, turned) < 0
             ? -1
             : clinchGiveNumber(logdet, x, sum);
}

/* `Det`. */
static inline int clinchDet(const ClinchLapack *l, PyArrayObject *x,
                            PyArrayObject **z) {
  PyArrayObject *sign = NULL, *logdet = NULL;
  int failed = clinchSLogDet(l, x, &sign, &logdet);
  if (!failed) {
    double (*volatile ofDouble)(double) = exp;
    float (*volatile ofFloat)(float) = expf;
    double size = clinchGet(logdet, 0);
    size = clinchIsFloat(x) ? ofFloat((float)size) : ofDouble(size);
    failed = clinchGiveNumber(z, x, clinchGet(sign, 0) * size);
  }
  Py_XDECREF(sign);
  Py_XDECREF(logdet);
  return failed;
}

/* The order of rows after they have changed places one after another. */
static inline int clinchExchange(PyArrayObject *x, npy_int64 *there) {
  npy_intp count = PyArray_DIM(x, 0);
  for (npy_intp i = 0; i != count; ++i)
    there[i] = i;
  for (npy_intp i = 0; i != count; ++i) {
    npy_int64 other = *(npy_int32 *)PyArray_GETPTR1(x, i);
    other += other < 0 ? count : 0;
    if (other < 0 || other >= count) {
      PyErr_Format(PyExc_IndexError,
                   "index %zd is out of bounds for axis 0 with size %zd",
                   (Py_ssize_t)other, (Py_ssize_t)count);
      return -1;
    }
    npy_int64 kept = there[i];
    there[i] = there[other];
    there[other] = kept;
  }
  return 0;
}

/* `PivotToPermutations`. */
static inline int clinchPermute(const ClinchLapack *unused, PyArrayObject *x,
                                PyArrayObject **z, int inverse) {
  npy_intp count = PyArray_DIM(x, 0);
  PyArrayObject *places =
      (PyArrayObject *)PyArray_EMPTY(1, &count, NPY_INT64, 0);
  PyArrayObject *turned =
      places ? (PyArrayObject *)PyArray_EMPTY(1, &count, NPY_INT64, 0) : NULL;
  (void)unused;
  int failed =
      !turned || clinchExchange(x, (npy_int64 *)PyArray_DATA(places)) < 0;
  for (npy_intp i = 0; !failed && i != count; ++i)
    ((npy_int64 *)PyArray_DATA(
        turned))[((npy_int64 *)PyArray_DATA(places))[i]] = i;
  PyArrayObject *made = inverse ? places : turned;
  Py_XDECREF(inverse ? turned : places);
  if (failed) {
    Py_XDECREF(made);
    return -1;
  }
  return clinchGive(z, made);
}
