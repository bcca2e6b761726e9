/* Draws random numbers, for all distributions; it is compiled once.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#include <math.h>
#include <numpy/arrayobject.h>
#include <numpy/random/distributions.h>
#include <string.h>

enum How {
  One,
  Two,
  Uniform,
  HalfNormal,
  Moved,
  Triangular,
  Count,
  Binomial,
  Bernoulli,
  Integers,
  Categorical,
  Failures,
  Drawn,
  Asked
};
enum Rule { Any, NotNegative, Positive, Share, ShareNotNone, Rate };
enum { MaxParameters = 3 };

typedef double OneOf(bitgen_t *, double);
typedef double TwoOf(bitgen_t *, double, double);
typedef double ThreeOf(bitgen_t *, double, double, double);
typedef double NoneOf(bitgen_t *);
typedef int64_t CountOf(bitgen_t *, double);
typedef int64_t FailuresOf(bitgen_t *, double, double);
typedef int64_t DrawnOf(bitgen_t *, int64_t, int64_t, int64_t);
typedef int64_t BinomialOf(bitgen_t *, double, int64_t, binomial_t *);
typedef uint64_t IntegerOf(bitgen_t *, uint64_t, uint64_t, uint64_t, bool);

typedef struct {
  int dims;
  npy_intp sizes[NPY_MAXDIMS];
  npy_intp total;
} Shape;

typedef struct {
  const Draw *of;
  bitgen_t *bits;
  Shape shape;
  PyArrayObject *given[MaxParameters];
  npy_intp steps[MaxParameters][NPY_MAXDIMS]; /* in bytes */
  npy_intp items; /* of a parameter that is a vector */
  binomial_t binomial;
} State;

void *clinch_begin(void) {
  import_array();
  return NULL;
}

static int isWhole(const Draw *d, int i) {
  switch ((enum How)d->how) {
  case Integers:
  case Drawn:
    return 1;
  case Binomial:
    return i == 0;
  default:
    return 0;
  }
}

static int isFine(enum Rule rule, double v) {
  switch (rule) {
  case NotNegative:
    return !signbit(v);
  case Positive:
    return v > 0;
  case Share:
    return v >= 0 && v <= 1;
  case ShareNotNone:
    return v > 0 && v <= 1;
  case Rate:
    return !signbit(v) && v < 9e18;
  default:
    return 1;
  }
}

static int areFine(const Draw *d, PyArrayObject *a, int i) {
  npy_intp size = PyArray_SIZE(a);
  if (isWhole(d, i)) {
    const npy_int64 *items = (const npy_int64 *)PyArray_DATA(a);
    for (npy_intp j = 0; j != size; ++j)
      if (d->rules[i] == NotNegative && items[j] < 0)
        return 0;
    return 1;
  }
  const double *items = (const double *)PyArray_DATA(a);
  for (npy_intp j = 0; j != size; ++j)
    if (!isFine((enum Rule)d->rules[i], items[j]))
      return 0;
  return 1;
}

/* Parameters one behind another, as NumPy's functions take them. */
static int take(State *s, PyObject **parameters) {
  for (int i = 0; i != s->of->count; ++i) {
    int type = isWhole(s->of, i) ? NPY_INT64 : NPY_DOUBLE;
    s->given[i] = (PyArrayObject *)PyArray_FROM_OTF(parameters[i], type,
                                                    NPY_ARRAY_CARRAY_RO);
    if (!s->given[i] || !areFine(s->of, s->given[i], i))
      return 0;
  }
  return 1;
}

/* How many dimensions of a parameter stand beside one another's. */
static int batchOf(const State *s, int i) {
  return PyArray_NDIM(s->given[i]) - (s->of->how == Categorical);
}

static int broadcast(const State *s, Shape *shape) {
  shape->dims = 0;
  for (int i = 0; i != s->of->count; ++i)
    if (batchOf(s, i) > shape->dims)
      shape->dims = batchOf(s, i);
  for (int d = 0; d != shape->dims; ++d)
    shape->sizes[d] = 1;
  for (int i = 0; i != s->of->count; ++i) {
    int first = shape->dims - batchOf(s, i);
    for (int d = first; d != shape->dims; ++d) {
      npy_intp size = PyArray_DIM(s->given[i], d - first);
      if (size != 1 && shape->sizes[d] != 1 && size != shape->sizes[d])
        return 0;
      if (size != 1)
        shape->sizes[d] = size;
    }
  }
  return 1;
}

static int readSize(PyObject *size, Shape *shape) {
  PyArrayObject *a =
      (PyArrayObject *)PyArray_FROM_OTF(size, NPY_INT64, NPY_ARRAY_CARRAY_RO);
  int known = a && PyArray_NDIM(a) == 1 && PyArray_DIM(a, 0) < NPY_MAXDIMS;
  shape->dims = known ? (int)PyArray_DIM(a, 0) : 0;
  for (int d = 0; d != shape->dims; ++d)
    shape->sizes[d] = ((const npy_int64 *)PyArray_DATA(a))[d];
  Py_XDECREF(a);
  return known;
}

/* The shape of what is drawn; 0 where parameters and size do not fit. */
static int measure(State *s, PyObject *size) {
  Shape wanted, *shape = &s->shape;
  if (!broadcast(s, &wanted))
    return 0;
  if (size == Py_None)
    *shape = wanted;
  else if (!readSize(size, shape) || wanted.dims > shape->dims)
    return 0;
  int first = shape->dims - wanted.dims;
  shape->total = 1;
  for (int d = 0; d != shape->dims; ++d) {
    npy_intp must = d < first ? 1 : wanted.sizes[d - first];
    if (must != 1 && must != shape->sizes[d])
      return 0;
    /* NumPy and PyTensor say each in its way that there is nothing to draw. */
    if (shape->sizes[d] <= 0 || shape->total > NPY_MAX_INTP / shape->sizes[d])
      return 0;
    shape->total *= shape->sizes[d];
  }
  for (int i = 0; i != s->of->count; ++i) {
    int batch = batchOf(s, i), start = shape->dims - batch;
    for (int d = 0; d != shape->dims; ++d) {
      int fixed = d < start || PyArray_DIM(s->given[i], d - start) == 1;
      s->steps[i][d] = fixed ? 0 : PyArray_STRIDE(s->given[i], d - start);
    }
  }
  return 1;
}

/* `searchsorted` of NumPy among the sums of shares. */
static npy_int64 choose(State *s, const double *shares) {
  double drawn = ((TwoOf *)s->of->draw)(s->bits, 0.0, 1.0), sum = 0;
  npy_intp i = 0;
  for (; i != s->items; ++i) {
    sum = i ? sum + shares[i] : shares[i];
    if (sum >= drawn)
      break;
  }
  return i;
}

static double drawReal(State *s, const char *const *at) {
  const Draw *d = s->of;
  double a = *(const double *)at[0];
  double b = d->count > 1 ? *(const double *)at[1] : 0;
  double c = d->count > 2 ? *(const double *)at[2] : 0;
  switch ((enum How)d->how) {
  case One:
    return ((OneOf *)d->draw)(s->bits, a);
  case Uniform:
    return ((TwoOf *)d->draw)(s->bits, a, b - a);
  case HalfNormal:
    return fabs(((NoneOf *)d->draw)(s->bits)) * b + a;
  case Moved:
    return ((OneOf *)d->draw)(s->bits, a) * c + b;
  case Triangular:
    return ((ThreeOf *)d->draw)(s->bits, a, b, c);
  default:
    return ((TwoOf *)d->draw)(s->bits, a, b);
  }
}

static npy_int64 drawWhole(State *s, const char *const *at) {
  const Draw *d = s->of;
  switch ((enum How)d->how) {
  case Binomial:
    return ((BinomialOf *)d->draw)(s->bits, *(const double *)at[1],
                                   *(const npy_int64 *)at[0], &s->binomial);
  case Bernoulli:
    return ((BinomialOf *)d->draw)(s->bits, *(const double *)at[0], 1,
                                   &s->binomial);
  case Integers: {
    npy_uint64 low = *(const npy_uint64 *)at[0],
               high = *(const npy_uint64 *)at[1];
    return (npy_int64)((IntegerOf *)d->draw)(s->bits, low, high - 1 - low, 0,
                                             false);
  }
  case Categorical:
    return choose(s, (const double *)at[0]);
  case Failures:
    return ((FailuresOf *)d->draw)(s->bits, *(const double *)at[0],
                                   *(const double *)at[1]);
  case Drawn:
    return ((DrawnOf *)d->draw)(s->bits, *(const npy_int64 *)at[0],
                                *(const npy_int64 *)at[1],
                                *(const npy_int64 *)at[2]);
  default:
    return ((CountOf *)d->draw)(s->bits, *(const double *)at[0]);
  }
}

/* Whether parameters must fit one another. */
static int mustFit(const Draw *d) {
  switch ((enum How)d->how) {
  case Uniform:
  case Integers:
  case Triangular:
  case Failures:
  case Drawn:
    return 1;
  default:
    return 0;
  }
}

static int fit(const State *s, const char *const *at) {
  const npy_int64 *first = (const npy_int64 *)at[0];
  double a = *(const double *)at[0], b = *(const double *)at[1];
  switch ((enum How)s->of->how) {
  case Integers:
    return *first < *(const npy_int64 *)at[1];
  case Triangular:
    return a <= b && b <= *(const double *)at[2] && a < *(const double *)at[2];
  case Failures:
    /* The largest rate that NumPy's function for Poisson's distribution takes.
     */
    return (1 - b) / b * (a + 10 * sqrt(a)) < 9.2e18;
  case Drawn: {
    npy_int64 most = 1000000000, bad = *(const npy_int64 *)at[1];
    return *first < most && bad < most &&
           *first + bad >= *(const npy_int64 *)at[2];
  }
  default:
    return isfinite(b - a) && !signbit(b - a);
  }
}

/* Goes through all places in C's order, and draws; without memory for that it
   returns 0 where parameters do not fit. */
static int walk(State *s, void *to) {
  const Shape *shape = &s->shape;
  npy_intp place[NPY_MAXDIMS] = {0};
  const char *at[MaxParameters] = {NULL};
  for (int i = 0; i != s->of->count; ++i)
    at[i] = PyArray_BYTES(s->given[i]);
  int whole = s->of->how >= Count;
  for (npy_intp n = 0; n != shape->total; ++n) {
    if (!to && !fit(s, at))
      return 0;
    if (to && whole)
      ((npy_int64 *)to)[n] = drawWhole(s, at);
    else if (to)
      ((double *)to)[n] = drawReal(s, at);
    for (int d = shape->dims - 1; d >= 0; --d) {
      npy_intp moved = ++place[d] != shape->sizes[d] ? 1 : 1 - shape->sizes[d];
      for (int i = 0; i != s->of->count; ++i)
        at[i] += moved * s->steps[i][d];
      if (place[d] != shape->sizes[d])
        break;
      place[d] = 0;
    }
  }
  return 1;
}

/* Another thread may draw from the same generator. */
static int lockAndWalk(State *s, PyObject *bits, void *to) {
  PyObject *capsule = PyObject_GetAttrString(bits, "capsule");
  PyObject *lock = capsule ? PyObject_GetAttrString(bits, "lock") : NULL;
  PyObject *held = NULL, *left = NULL;
  if (lock) {
    s->bits = (bitgen_t *)PyCapsule_GetPointer(capsule, "BitGenerator");
    held = s->bits ? PyObject_CallMethod(lock, "acquire", NULL) : NULL;
  }
  if (held) {
    walk(s, to);
    left = PyObject_CallMethod(lock, "release", NULL);
  }
  int failed = !left;
  Py_XDECREF(left);
  Py_XDECREF(held);
  Py_XDECREF(lock);
  Py_XDECREF(capsule);
  return failed ? -1 : 0;
}

/* Numbers as NumPy's functions draw them. */
static PyObject *drawAll(State *s, PyObject *generator, int type) {
  PyObject *made = PyArray_EMPTY(s->shape.dims, s->shape.sizes, type, 0);
  PyObject *bits =
      made ? PyObject_GetAttrString(generator, "bit_generator") : NULL;
  int failed =
      !bits || lockAndWalk(s, bits, PyArray_DATA((PyArrayObject *)made));
  Py_XDECREF(bits);
  if (failed)
    Py_CLEAR(made);
  return made;
}

/* What is drawn; null without an error where NumPy is to say what is wrong. */
static PyObject *draw(State *s, PyObject *generator, PyObject *size,
                      PyObject **parameters) {
  const Draw *d = s->of;
  if (d->how == Asked || !take(s, parameters) || !measure(s, size))
    return NULL;
  PyArrayObject *last = s->given[d->count - 1];
  s->items =
      d->how == Categorical ? PyArray_DIM(last, PyArray_NDIM(last) - 1) : 1;
  if (mustFit(d) && !walk(s, NULL))
    return NULL;
  int type = d->how >= Count ? NPY_INT64 : NPY_DOUBLE;
  PyObject *made = drawAll(s, generator, type);
  if (made && type != d->type)
    Py_SETREF(made, PyArray_Cast((PyArrayObject *)made, d->type));
  return made;
}

static PyObject *ask(const Draw *d, PyObject *generator, PyObject *size,
                     PyObject **parameters) {
  PyObject *all[MaxParameters + 2] = {generator, size};
  memcpy(all + 2, parameters, d->count * sizeof *all);
  return PyObject_Vectorcall(d->ask, all, d->count + 2, NULL);
}

int clinch_draw(const Draw *d, PyObject *generator, PyObject *size,
                PyObject **parameters, PyObject **next, PyObject **made) {
  PyObject *own =
      d->copy ? PyObject_CallOneArg(d->copy, generator) : Py_NewRef(generator);
  if (!own)
    return -1;
  State s = {.of = d};
  PyObject *drawn = draw(&s, own, size, parameters);
  for (int i = 0; i != d->count; ++i)
    Py_XDECREF(s.given[i]);
  if (!drawn && !PyErr_Occurred())
    drawn = ask(d, own, size, parameters);
  if (!drawn) {
    Py_DECREF(own);
    return -1;
  }
  Py_XSETREF(*next, own);
  Py_XSETREF(*made, drawn);
  return 0;
}
