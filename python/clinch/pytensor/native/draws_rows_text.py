"""The C text that draws vectors, and that turns what is drawn by NumPy's operators."""

ROWS = r"""
static double addUpTo(const double *items, npy_intp count) {
  double sum = 0;
  for (npy_intp i = 0; i < count; ++i)
    sum += items[i];
  return sum;
}

/* NumPy breaks a stick where all numbers are so small that their gamma numbers may
   all be 0. */
static void breakStick(State *s, const double *alphas, double *to) {
  double rest = 1, sum = 0;
  npy_intp last = s->items - 1, j;
  /* What will be read before it is written: the sums from the right. */
  for (j = last; j >= 0; --j)
    to[j] = sum += alphas[j];
  if (!(sum > 0))
    return;
  for (j = 0; j != last && to[j] != 0; ++j) {
    double share = ((TwoOf *)s->of->other)(s->bits, alphas[j], to[j + 1]);
    to[j] = rest * share;
    rest *= 1. - share;
  }
  memset(to + j, 0, (last - j) * sizeof *to);
  to[last] = rest;
}

static void drawShares(State *s, const double *alphas, double *to) {
  int small = 1;
  for (npy_intp j = 0; j != s->items; ++j)
    small &= alphas[j] < 0.1;
  if (small) {
    breakStick(s, alphas, to);
    return;
  }
  double sum = 0;
  for (npy_intp j = 0; j != s->items; ++j) {
    to[j] = ((OneOf *)s->of->draw)(s->bits, alphas[j]);
    sum = sum + to[j];
  }
  double inverse = 1. / sum;
  for (npy_intp j = 0; j != s->items; ++j)
    to[j] = to[j] * inverse;
}

typedef void MultinomialOf(bitgen_t *, int64_t, int64_t *, double *, npy_intp,
                           binomial_t *);

static void drawRow(State *s, const char *const *at, npy_intp n, void *to) {
  if (s->of->how == Dirichlet) {
    drawShares(s, (const double *)at[0], (double *)to + n * s->items);
    return;
  }
  int64_t *row = (int64_t *)to + n * s->items;
  memset(row, 0, s->items * sizeof *row);
  ((MultinomialOf *)s->of->draw)(s->bits, *(const int64_t *)at[0], row,
                                 (double *)at[1], s->items, &s->binomial);
}

/* Takes `value`, which may be a number; null has an error. */
static PyObject *asArray(PyObject *value) {
  PyObject *made = value ? PyArray_FROM_OTF(value, NPY_DOUBLE, NPY_ARRAY_CARRAY) : NULL;
  Py_XDECREF(value);
  return made;
}

/* SciPy's `ppf(drawn) * scale + loc`; takes `drawn`. */
static PyObject *turn(const Draw *d, PyObject *drawn, PyObject **parameters) {
  PyObject *turned = PyObject_CallOneArg(d->turn, drawn);
  Py_DECREF(drawn);
  PyObject *scaled = turned ? PyNumber_Multiply(turned, parameters[1]) : NULL;
  Py_XDECREF(turned);
  PyObject *moved = scaled ? PyNumber_Add(scaled, parameters[0]) : NULL;
  Py_XDECREF(scaled);
  return asArray(moved);
}

static PyObject *inverseOf(PyObject *value) {
  PyObject *one = PyLong_FromLong(1);
  PyObject *made = one ? PyNumber_TrueDivide(one, value) : NULL;
  Py_XDECREF(one);
  return made;
}

/* As NumPy warns of a division by zero, and Python raises its error for a float;
   takes `drawn`. */
static PyObject *invert(PyObject *drawn, int isFloat) {
  if (isFloat) {
    double value = *(double *)PyArray_DATA((PyArrayObject *)drawn);
    Py_SETREF(drawn, PyFloat_FromDouble(value));
  }
  PyObject *inverse = drawn ? inverseOf(drawn) : NULL;
  Py_XDECREF(drawn);
  return asArray(inverse);
}
"""
