/* Parts of arrays, joins and sums: loops over small arrays, for which NumPy's
   functions take long to begin, and NumPy's functions for what no loop takes.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#include <numpy/arrayobject.h>
#include <stdlib.h>
#include <string.h>

/* Up to so many items a loop is quicker. */
enum { ClinchFew = 500 };

/* Whether two arrays may share memory: whether the bytes between their first
   and last items do. */
static inline int clinchMayShare(PyArrayObject *a, PyArrayObject *b) {
  char *low[2], *high[2];
  PyArrayObject *arrays[2] = {a, b};
  for (int i = 0; i < 2; ++i) {
    low[i] = PyArray_BYTES(arrays[i]);
    high[i] = low[i] + PyArray_ITEMSIZE(arrays[i]);
    for (int axis = 0; axis < PyArray_NDIM(arrays[i]); ++axis) {
      npy_intp last = PyArray_DIM(arrays[i], axis) - 1;
      if (last < 0)
        return 0;
      npy_intp way = last * PyArray_STRIDE(arrays[i], axis);
      if (way < 0)
        low[i] += way;
      else
        high[i] += way;
    }
  }
  return low[0] < high[1] && low[1] < high[0];
}

/* Memory for a result: that of `*z` if it fits, else of a new array. */
static inline char *clinchPlace(PyArrayObject **z, int dims, npy_intp *sizes,
                                int type) {
  if (!*z || PyArray_NDIM(*z) != dims || !PyArray_ISCARRAY(*z) ||
      !PyArray_CompareLists(PyArray_DIMS(*z), sizes, dims)) {
    PyArrayObject *made = (PyArrayObject *)PyArray_SimpleNew(dims, sizes, type);
    if (!made)
      return NULL;
    Py_XSETREF(*z, made);
  }
  return PyArray_BYTES(*z);
}

/* Runs `copy` for the size of an item, which is then a constant. */
#define CLINCH_BY_SIZE(size, copy)                                             \
  switch (size) {                                                              \
  case 1:                                                                      \
    copy(1);                                                                   \
    break;                                                                     \
  case 2:                                                                      \
    copy(2);                                                                   \
    break;                                                                     \
  case 4:                                                                      \
    copy(4);                                                                   \
    break;                                                                     \
  case 8:                                                                      \
    copy(8);                                                                   \
    break;                                                                     \
  default:                                                                     \
    copy(16);                                                                  \
  }

/* Where what vectors of integers pick begins, in bytes. */
typedef struct {
  npy_intp count, *at, few[ClinchFew];
  npy_intp width, along; /* of each: its items, and the bytes between them */
} ClinchPicked;

#define CLINCH_ADD_PLACES(type)                                                \
  for (npy_intp k = 0; k < count; ++k) {                                       \
    npy_intp place = (npy_intp) * (const type *)(from + k * along);            \
    place += place < 0 ? size : 0;                                             \
    outside |= (npy_uintp)place >= (npy_uintp)size;                            \
    at[k] += place * step;                                                     \
  }

/* Adds the places along one axis; whether all are within it. */
static inline int clinchAddPlaces(npy_intp *at, npy_intp count, npy_intp size,
                                  npy_intp step, PyArrayObject *index) {
  const char *from = PyArray_BYTES(index);
  npy_intp along = PyArray_STRIDE(index, 0);
  int outside = 0, isUnsigned = PyArray_ISUNSIGNED(index);
  switch (PyArray_ITEMSIZE(index)) {
  case 1:
    if (isUnsigned)
      CLINCH_ADD_PLACES(npy_uint8)
    else
      CLINCH_ADD_PLACES(npy_int8)
    break;
  case 2:
    if (isUnsigned)
      CLINCH_ADD_PLACES(npy_uint16)
    else
      CLINCH_ADD_PLACES(npy_int16)
    break;
  case 4:
    if (isUnsigned)
      CLINCH_ADD_PLACES(npy_uint32)
    else
      CLINCH_ADD_PLACES(npy_int32)
    break;
  default:
    CLINCH_ADD_PLACES(npy_int64)
  }
  return !outside;
}

static inline void clinchFree(ClinchPicked *p) {
  if (p->at != p->few)
    free(p->at);
}

/* Finds what is picked; 0 where NumPy is to say what is wrong. */
static inline int clinchPick(ClinchPicked *p, PyArrayObject *x, int axes,
                             PyArrayObject *const *indices) {
  int rows = PyArray_NDIM(x) > axes;
  p->count = PyArray_DIM(indices[0], 0);
  p->width = rows ? PyArray_DIM(x, axes) : 1;
  p->along = rows ? PyArray_STRIDE(x, axes) : 0;
  p->at = p->few;
  if (p->count > ClinchFew)
    p->at = (npy_intp *)malloc(p->count * sizeof *p->at);
  if (!p->at)
    return 0;
  memset(p->at, 0, p->count * sizeof *p->at);
  for (int i = 0; i < axes; ++i)
    if (PyArray_DIM(indices[i], 0) != p->count ||
        !clinchAddPlaces(p->at, p->count, PyArray_DIM(x, i),
                         PyArray_STRIDE(x, i), indices[i])) {
      clinchFree(p);
      return 0;
    }
  return 1;
}

#define CLINCH_TAKE(size)                                                      \
  for (npy_intp k = 0; k < p.count; ++k)                                       \
    for (npy_intp j = 0; j < p.width; ++j, to += size)                         \
  memcpy(to, from + p.at[k] + j * p.along, size)

/* `x[i, j, ...]` of at most so many items, -1 for any number; 0 where NumPy is
   to take them, and less with an error. */
static inline int clinchTake(PyArrayObject *x, int axes,
                             PyArrayObject *const *indices, npy_intp most,
                             PyArrayObject **z) {
  int rows = PyArray_NDIM(x) > axes;
  npy_intp sizes[] = {PyArray_DIM(indices[0], 0),
                      rows ? PyArray_DIM(x, axes) : 1};
  if (most >= 0 && sizes[0] * sizes[1] > most)
    return 0;
  ClinchPicked p;
  if (!clinchPick(&p, x, axes, indices))
    return 0;
  char *to = clinchPlace(z, rows ? 2 : 1, sizes, PyArray_TYPE(x));
  const char *from = PyArray_BYTES(x);
  if (to) {
    CLINCH_BY_SIZE(PyArray_ITEMSIZE(x), CLINCH_TAKE)
  }
  clinchFree(&p);
  return to ? 1 : -1;
}

#define CLINCH_PUT(size)                                                       \
  for (npy_intp k = 0; k < p.count; ++k)                                       \
    for (npy_intp j = 0; j < p.width; ++j)                                     \
  memcpy(to + p.at[k] + j * p.along, from + k * step + j * next, size)

#define CLINCH_ADD(type)                                                       \
  for (npy_intp k = 0; k < p.count; ++k)                                       \
    for (npy_intp j = 0; j < p.width; ++j)                                     \
  *(type *)(to + p.at[k] + j * p.along) +=                                     \
      *(const type *)(from + k * step + j * next)

/* Whether `y` has a value for all that is picked. */
static inline int clinchFitsPicked(const ClinchPicked *p, PyArrayObject *y) {
  if (PyArray_NDIM(y) == 1)
    return PyArray_DIM(y, 0) == p->count || PyArray_DIM(y, 0) == 1;
  return PyArray_NDIM(y) == 0 ||
         (PyArray_DIM(y, 0) == p->count && PyArray_DIM(y, 1) == p->width);
}

/* `whole[i, j, ...] = y`, or `+= y`, one after another; whether a loop did it.
 */
static inline int clinchPut(PyArrayObject *whole, int axes,
                            PyArrayObject *const *indices, PyArrayObject *y,
                            int adds) {
  if (!PyArray_ISWRITEABLE(whole) || clinchMayShare(whole, y))
    return 0;
  for (int i = 0; i < axes; ++i)
    if (clinchMayShare(whole, indices[i]))
      return 0;
  ClinchPicked p;
  if (!clinchPick(&p, whole, axes, indices))
    return 0;
  int fits = clinchFitsPicked(&p, y), dims = PyArray_NDIM(y);
  npy_intp step = dims && PyArray_DIM(y, 0) != 1 ? PyArray_STRIDE(y, 0) : 0;
  npy_intp next = dims == 2 ? PyArray_STRIDE(y, 1) : 0;
  char *to = PyArray_BYTES(whole);
  const char *from = PyArray_BYTES(y);
  if (fits && !adds) {
    CLINCH_BY_SIZE(PyArray_ITEMSIZE(whole), CLINCH_PUT)
  } else if (fits && PyArray_TYPE(whole) == NPY_FLOAT) {
    CLINCH_ADD(float);
  } else if (fits) {
    CLINCH_ADD(double);
  }
  clinchFree(&p);
  return fits;
}

/* A copy of `x`, in the memory of `z` if it fits. */
static inline PyArrayObject *clinchCopy(PyArrayObject *x, PyArrayObject *y,
                                        PyArrayObject *z) {
  if (!z || !PyArray_ISCARRAY(z) || !PyArray_ISCARRAY_RO(x) ||
      !PyArray_SAMESHAPE(z, x) || clinchMayShare(z, x) || clinchMayShare(z, y))
    return (PyArrayObject *)PyArray_NewCopy(x, NPY_KEEPORDER);
  memcpy(PyArray_DATA(z), PyArray_DATA(x), PyArray_NBYTES(x));
  Py_INCREF(z);
  return z;
}

/* An index of one axis: a number, or a slice, of which `has` says what is
 * given. */
typedef struct {
  int isSlice, has; /* 1: the first; 2: the last */
  npy_intp first, last, step;
} ClinchIndex;

enum { ClinchMostAxes = 3 };

/* The part of an array that indices choose. */
typedef struct {
  char *data;
  int axes;
  npy_intp sizes[ClinchMostAxes], along[ClinchMostAxes];
} ClinchPart;

static inline int clinchFindPart(ClinchPart *p, PyArrayObject *whole, int count,
                                 const ClinchIndex *indices) {
  p->data = PyArray_BYTES(whole);
  p->axes = 0;
  for (int axis = 0; axis < PyArray_NDIM(whole); ++axis) {
    npy_intp size = PyArray_DIM(whole, axis);
    npy_intp along = PyArray_STRIDE(whole, axis);
    ClinchIndex index = {1, 0, 0, 0, 1};
    if (axis < count)
      index = indices[axis];
    if (!index.isSlice) {
      index.first += index.first < 0 ? size : 0;
      if (index.first < 0 || index.first >= size) {
        PyErr_SetString(PyExc_IndexError, "index out of bounds");
        return -1;
      }
      p->data += index.first * along;
      continue;
    }
    if (!index.step) {
      PyErr_SetString(PyExc_ValueError, "slice step cannot be zero");
      return -1;
    }
    int back = index.step < 0;
    Py_ssize_t first = back ? NPY_MAX_INTP : 0;
    Py_ssize_t last = back ? NPY_MIN_INTP : NPY_MAX_INTP;
    first = index.has & 1 ? index.first : first;
    last = index.has & 2 ? index.last : last;
    p->sizes[p->axes] = PySlice_AdjustIndices(size, &first, &last, index.step);
    p->data += first * along;
    p->along[p->axes++] = index.step * along;
  }
  return 0;
}

#define CLINCH_EACH(change)                                                    \
  for (npy_intp i = 0; i < n[0]; ++i)                                          \
    for (npy_intp j = 0; j < n[1]; ++j)                                        \
      for (npy_intp k = 0; k < n[2]; ++k) {                                    \
        char *to = p->data + i * along[0] + j * along[1] + k * along[2];       \
        const char *from =                                                     \
            PyArray_BYTES(y) + i * step[0] + j * step[1] + k * step[2];        \
        change;                                                                \
      }
#define CLINCH_SET_EACH(size) CLINCH_EACH(memcpy(to, from, size))

/* A number of any real type but float16, as NumPy makes a double of it. */
static inline double clinchReal(const char *at, int type) {
  switch (type) {
  case NPY_DOUBLE:
    return *(const npy_double *)at;
  case NPY_FLOAT:
    return *(const npy_float *)at;
  case NPY_BOOL:
  case NPY_UINT8:
    return *(const npy_uint8 *)at;
  case NPY_INT8:
    return *(const npy_int8 *)at;
  case NPY_INT16:
    return *(const npy_int16 *)at;
  case NPY_UINT16:
    return *(const npy_uint16 *)at;
  case NPY_INT32:
    return *(const npy_int32 *)at;
  case NPY_UINT32:
    return *(const npy_uint32 *)at;
  case NPY_INT64:
    return (double)*(const npy_int64 *)at;
  default:
    return (double)*(const npy_uint64 *)at;
  }
}

/* Changes a part of few items by a loop; whether it did. */
static inline int clinchChangeFew(PyArrayObject *whole, const ClinchPart *p,
                                  PyArrayObject *y, int adds) {
  npy_intp n[] = {1, 1, 1}, along[] = {0, 0, 0}, step[] = {0, 0, 0};
  double items = 1;
  if (!PyArray_ISWRITEABLE(whole) || clinchMayShare(whole, y))
    return 0;
  for (int axis = 0; axis < p->axes; ++axis) {
    int place = ClinchMostAxes - p->axes + axis;
    int ofY = axis - p->axes + PyArray_NDIM(y);
    n[place] = p->sizes[axis];
    along[place] = p->along[axis];
    items *= p->sizes[axis];
    if (ofY < 0 || PyArray_DIM(y, ofY) == 1)
      continue;
    if (PyArray_DIM(y, ofY) != p->sizes[axis])
      return 0;
    step[place] = PyArray_STRIDE(y, ofY);
  }
  if (items > ClinchFew)
    return 0;
  int type = PyArray_TYPE(y), isFloat = PyArray_TYPE(whole) == NPY_FLOAT;
  if (!adds && PyArray_TYPE(whole) == type) {
    CLINCH_BY_SIZE(PyArray_ITEMSIZE(whole), CLINCH_SET_EACH)
  } else if (isFloat) {
    CLINCH_EACH(float value = (float)clinchReal(from, type);
                *(float *)to = adds ? *(float *)to + value : value)
  } else {
    CLINCH_EACH(double value = clinchReal(from, type);
                *(double *)to = adds ? *(double *)to + value : value)
  }
  return 1;
}

/* `whole[a, b:c:d, ...] = y`, or `+= y`; `whole` is of the same type, or of
 * floats. */
static inline int clinchChangePart(PyArrayObject *whole, int count,
                                   const ClinchIndex *indices, PyArrayObject *y,
                                   int adds) {
  ClinchPart p;
  if (clinchFindPart(&p, whole, count, indices) < 0)
    return -1;
  if (clinchChangeFew(whole, &p, y, adds))
    return 0;
  Py_INCREF(PyArray_DESCR(whole));
  PyArrayObject *view = (PyArrayObject *)PyArray_NewFromDescr(
      &PyArray_Type, PyArray_DESCR(whole), p.axes, p.sizes, p.along, p.data,
      PyArray_FLAGS(whole), NULL);
  if (!view)
    return -1;
  int failed;
  if (adds) {
    PyObject *sum = PyNumber_InPlaceAdd((PyObject *)view, (PyObject *)y);
    failed = !sum;
    Py_XDECREF(sum);
  } else {
    failed = PyArray_CopyInto(view, y) < 0;
  }
  Py_DECREF(view);
  return failed ? -1 : 0;
}

#define CLINCH_JOIN(size)                                                      \
  for (npy_intp k = 0; k < count; ++k)                                         \
  memcpy(to + k * size, from + k * along, size)

/* `Join` of vectors of one type. */
static inline int clinchJoin(int parts, PyArrayObject *const *part,
                             PyArrayObject **z) {
  npy_intp total = 0, size = PyArray_ITEMSIZE(part[0]);
  int shares = 0;
  for (int i = 0; i < parts; ++i) {
    total += PyArray_DIM(part[i], 0);
    shares = shares || (*z && clinchMayShare(*z, part[i]));
  }
  if (shares)
    Py_CLEAR(*z);
  char *to = clinchPlace(z, 1, &total, PyArray_TYPE(part[0]));
  for (int i = 0; to && i < parts; ++i) {
    npy_intp count = PyArray_DIM(part[i], 0),
             along = PyArray_STRIDE(part[i], 0);
    const char *from = PyArray_BYTES(part[i]);
    if (along == size)
      memcpy(to, from, count * size);
    else
      CLINCH_BY_SIZE(size, CLINCH_JOIN)
    to += count * size;
  }
  return to ? 0 : -1;
}

static inline double clinchItem(const char *at, int isFloat) {
  return isFloat ? *(const float *)at : *(const double *)at;
}

static inline void clinchSetItem(char *at, int isFloat, double value) {
  if (isFloat)
    *(float *)at = (float)value;
  else
    *(double *)at = value;
}

/* `Sum` of a vector, in the order in which its items are in memory, in floats
   or in doubles. */
static inline int clinchSum(PyArrayObject *x, int inFloats, int type,
                            PyArrayObject **z) {
  char *to = clinchPlace(z, 0, NULL, type), *at = PyArray_BYTES(x);
  npy_intp count = PyArray_DIM(x, 0), along = PyArray_STRIDE(x, 0);
  int isFloat = PyArray_TYPE(x) == NPY_FLOAT;
  if (!to)
    return -1;
  if (along < 0 && count) {
    at += (count - 1) * along;
    along = -along;
  }
  float floats = 0;
  double doubles = 0;
  if (inFloats)
    for (npy_intp k = 0; k < count; ++k, at += along)
      floats = floats + (float)clinchItem(at, isFloat);
  else
    for (npy_intp k = 0; k < count; ++k, at += along)
      doubles = doubles + clinchItem(at, isFloat);
  clinchSetItem(to, type == NPY_FLOAT, inFloats ? floats : doubles);
  return 0;
}

/* `CumOp` of a vector: as in its own type, for a double holds the exact product
   of two floats. */
static inline int clinchCumulate(PyArrayObject *x, int adds,
                                 PyArrayObject **z) {
  npy_intp count = PyArray_DIM(x, 0), along = PyArray_STRIDE(x, 0);
  npy_intp size = PyArray_ITEMSIZE(x);
  int isFloat = PyArray_TYPE(x) == NPY_FLOAT;
  if (*z && clinchMayShare(x, *z))
    Py_CLEAR(*z);
  char *to = clinchPlace(z, 1, &count, PyArray_TYPE(x));
  if (!to)
    return -1;
  double made = adds ? 0 : 1;
  for (npy_intp k = 0; k < count; ++k) {
    double item = clinchItem(PyArray_BYTES(x) + k * along, isFloat);
    made = !k ? item : adds ? made + item : made * item;
    made = isFloat ? (float)made : made;
    clinchSetItem(to + k * size, isFloat, made);
  }
  return 0;
}

/* `Eye`, of sizes and a diagonal that are arrays without dimensions. */
static inline int clinchEye(PyArrayObject *rows, PyArrayObject *columns,
                            PyArrayObject *diagonal, int type,
                            PyArrayObject **z) {
  npy_intp sizes[] = {PyArray_PyIntAsIntp((PyObject *)rows),
                      PyArray_PyIntAsIntp((PyObject *)columns)};
  npy_intp k = PyArray_PyIntAsIntp((PyObject *)diagonal);
  if (sizes[0] < 0 || sizes[1] < 0) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_ValueError, "negative dimensions are not allowed");
    return -1;
  }
  PyErr_Clear(); /* -1 is a diagonal. */
  PyArrayObject *made = (PyArrayObject *)PyArray_ZEROS(2, sizes, type, 0);
  PyObject *one = made ? PyLong_FromLong(1) : NULL;
  int failed = !one;
  for (npy_intp i = k < 0 ? -k : 0; !failed && i < sizes[0] && i + k < sizes[1];
       ++i)
    failed =
        PyArray_SETITEM(made, (char *)PyArray_GETPTR2(made, i, i + k), one) < 0;
  Py_XDECREF(one);
  if (failed) {
    Py_XDECREF(made);
    return -1;
  }
  Py_XSETREF(*z, made);
  return 0;
}

/* `SortOp` and `ArgSortOp`, by NumPy's own functions; the axis may be an array.
 */
static inline int clinchSort(PyArrayObject *x, PyArrayObject *axis, int along,
                             NPY_SORTKIND kind, int gives, PyArrayObject **z) {
  if (axis) {
    along = (int)PyArray_PyIntAsIntp((PyObject *)axis);
    if (PyErr_Occurred())
      return -1;
  }
  PyArrayObject *made;
  if (gives) {
    made = (PyArrayObject *)PyArray_ArgSort(x, along, kind);
  } else {
    made = (PyArrayObject *)PyArray_NewCopy(x, NPY_KEEPORDER);
    if (made && PyArray_Sort(made, along, kind) < 0)
      Py_CLEAR(made);
  }
  if (!made)
    return -1;
  Py_XSETREF(*z, made);
  return 0;
}
