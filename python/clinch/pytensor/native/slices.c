/* The part of an array that numbers and slices choose, changed.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */

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
