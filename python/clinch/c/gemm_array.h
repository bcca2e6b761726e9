/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef CLINCH_GEMM_ARRAY
#define CLINCH_GEMM_ARRAY
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
#endif
