/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef CLINCH_GEMM
#define CLINCH_GEMM
#ifdef __cplusplus
extern "C" {
#endif
typedef void clinch_gemm_of_blas(const char *ta, const char *tb, const int *m,
                                 const int *n, const int *k, const void *alpha,
                                 const void *a, const int *lda, const void *b,
                                 const int *ldb, const void *beta, void *c,
                                 const int *ldc);
#ifdef __cplusplus
}
#endif

/* BLAS takes matrices with contiguous rows or contiguous columns; others are
   copied in C order. BLAS is column-major, so a matrix in C order is its
   transpose there. */
static inline PyArrayObject *clinch_gemm_array(PyArrayObject *a, int *lead,
                                               char *trans) {
  npy_intp size = PyArray_ITEMSIZE(a), rows = PyArray_DIM(a, 0),
           columns = PyArray_DIM(a, 1), s0 = PyArray_STRIDE(a, 0),
           s1 = PyArray_STRIDE(a, 1);
  int rows_are_straight = s1 == size && s0 >= size * columns && s0 % size == 0;
  int columns_are_straight = s0 == size && s1 >= size * rows && s1 % size == 0;
  if (rows == 1)
    rows_are_straight = s1 == size;
  if (columns == 1 && s0 == size)
    columns_are_straight = 1;
  if (!rows_are_straight && !columns_are_straight) {
    a = (PyArrayObject *)PyArray_NewCopy(a, NPY_CORDER);
    if (!a)
      return NULL;
    rows_are_straight = 1;
    s0 = PyArray_STRIDE(a, 0);
  } else {
    Py_INCREF(a);
  }
  *trans = rows_are_straight ? 'N' : 'T';
  npy_intp step = rows_are_straight ? s0 / size : s1 / size;
  npy_intp least = rows_are_straight ? columns : rows;
  *lead = (int)(step > least ? step : least > 1 ? least : 1);
  return a;
}

/* The product of two matrices of one dtype, into `c`, which is NULL or an array
   to use again. Returns that array or another one, or NULL. The reference to
   `c` is given away. */
static inline PyArrayObject *clinch_gemm(clinch_gemm_of_blas *gemm,
                                         PyArrayObject *x, PyArrayObject *y,
                                         PyArrayObject *c) {
  static const float single[] = {1, 0, 0, 0};
  static const double twice[] = {1, 0, 0, 0};
  int typenum = PyArray_TYPE(x);
  int is_single = typenum == NPY_FLOAT || typenum == NPY_CFLOAT;
  const void *one = is_single ? (const void *)single : twice;
  const void *zero = is_single ? (const void *)(single + 2) : twice + 2;
  npy_intp dims[2] = {PyArray_DIM(x, 0), PyArray_DIM(y, 1)};
  npy_intp inner = PyArray_DIM(x, 1);
  if (dims[0] > INT_MAX || dims[1] > INT_MAX || inner > INT_MAX) {
    Py_XDECREF(c);
    return clinch_array_of(
        PyNumber_MatrixMultiply((PyObject *)x, (PyObject *)y), typenum, 2);
  }
  if (!c || PyArray_DIM(c, 0) != dims[0] || PyArray_DIM(c, 1) != dims[1] ||
      !PyArray_IS_C_CONTIGUOUS(c) || !PyArray_ISWRITEABLE(c) ||
      !PyArray_ISALIGNED(c)) {
    Py_XDECREF(c);
    c = (PyArrayObject *)PyArray_EMPTY(2, dims, typenum, 0);
  }
  if (!c)
    return NULL;
  if (!inner || !dims[0] || !dims[1]) {
    memset(PyArray_DATA(c), 0, (size_t)PyArray_NBYTES(c));
    return c;
  }
  char ta, tb;
  int lda, ldb, m = (int)dims[0], n = (int)dims[1], k = (int)inner;
  PyArrayObject *a = clinch_gemm_array(x, &lda, &ta);
  PyArrayObject *b = a ? clinch_gemm_array(y, &ldb, &tb) : NULL;
  if (b) {
    Py_BEGIN_ALLOW_THREADS;
    gemm(&tb, &ta, &n, &m, &k, one, PyArray_DATA(b), &ldb, PyArray_DATA(a),
         &lda, zero, PyArray_DATA(c), &n);
    Py_END_ALLOW_THREADS;
  } else {
    Py_CLEAR(c);
  }
  Py_XDECREF(a);
  Py_XDECREF(b);
  return c;
}
#endif
