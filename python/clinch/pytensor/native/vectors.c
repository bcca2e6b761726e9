/* Joins, sums, sorts and the like of whole vectors.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */

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
