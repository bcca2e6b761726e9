/* What vectors of integers pick, read and changed.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */

/* Where what vectors of integers pick begins, in bytes. */
typedef struct {
  npy_intp count, *at, few[ClinchFew];
  npy_intp width, along; /* of each: its items, and the bytes between them */
} ClinchPicked;

/* Adds the places along one axis; whether all are within it. */
static inline int clinchAddPlaces(npy_intp *at, npy_intp count, npy_intp size,
                                  npy_intp step, PyArrayObject *index) {
  PyArrayObject *places = (PyArrayObject *)PyArray_FromArray(
      index, PyArray_DescrFromType(NPY_INTP), NPY_ARRAY_CARRAY_RO);
  const npy_intp *from = places ? (npy_intp *)PyArray_DATA(places) : NULL;
  int outside = !places;
  if (!places)
    PyErr_Clear(); /* `perform` runs out of memory again, and says so. */
  for (npy_intp k = 0; places && k < count; ++k) {
    npy_intp place = from[k] < 0 ? from[k] + size : from[k];
    outside |= (npy_uintp)place >= (npy_uintp)size;
    at[k] += place * step;
  }
  Py_XDECREF(places);
  return !outside;
}

static inline void clinchFree(ClinchPicked *p) {
  if (p->at != p->few)
    free(p->at);
}

/* Finds what is picked; 0 where `perform` is to say what is wrong. */
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

/* `x[i, j, ...]`; 0 where `perform` must take them, and less with an error. */
static inline int clinchTake(PyArrayObject *x, int axes,
                             PyArrayObject *const *indices, PyArrayObject **z) {
  int rows = PyArray_NDIM(x) > axes;
  npy_intp sizes[] = {PyArray_DIM(indices[0], 0),
                      rows ? PyArray_DIM(x, axes) : 1};
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

/* `whole[i, j, ...] = y`, or `+= y`, one after another, where that fits;
   whether it did. */
static inline int clinchPutInto(PyArrayObject *whole, int axes,
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
  int dims = PyArray_NDIM(y);
  int fits = !dims || (PyArray_DIM(y, 0) == p.count &&
                       (dims == 1 || PyArray_DIM(y, 1) == p.width));
  npy_intp step = dims ? PyArray_STRIDE(y, 0) : 0;
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

/* The same with a copy of `x`, or with `x`; 0 where `perform` must do it. */
static inline int clinchPut(PyArrayObject *x, int inPlace, int axes,
                            PyArrayObject *const *indices, PyArrayObject *y,
                            int adds, PyArrayObject **z) {
  PyArrayObject *whole = inPlace
                             ? (PyArrayObject *)Py_NewRef((PyObject *)x)
                             : (PyArrayObject *)PyArray_NewCopy(x, NPY_CORDER);
  if (!whole)
    return -1;
  if (!clinchPutInto(whole, axes, indices, y, adds)) {
    Py_DECREF(whole);
    return 0;
  }
  Py_XSETREF(*z, whole);
  return 1;
}
