// An Op's C file whose code is a function: VectorTimesVector.
// RUN: clinch %s --function="APPLY_SPECIFIC(vector_times_vector)" --inputs=float64[:],float64[:] --outputs=float64[:] --emit=c | FileCheck %s --check-prefix=TEXT
// RUN: clinch %s --function="APPLY_SPECIFIC(vector_times_vector)" --inputs=float64[:],float64[:] --outputs=float64[:] --run "[1.0, 2.0, 3.0]" "[4.0, 5.0, 6.0]" | FileCheck %s
// RUN: clinch %s --function="APPLY_SPECIFIC(vector_times_vector)" --inputs=int32[:],float32[:] --outputs=float64[:] --run="[1, 2], [0.5, 0.25]" | FileCheck %s --check-prefix=MIXED
// RUN: not clinch %s --function="APPLY_SPECIFIC(vector_times_vector)" --inputs=float64[:],float64[:] --outputs=float64[:] --run "[1.0]" "[4.0, 5.0]" 2>&1 | FileCheck %s --check-prefix=FAILS

// TEXT: static bool vector_same_shape(
// TEXT-DAG: #define DTYPE_INPUT_0 npy_float64
// TEXT-DAG: #define TYPENUM_OUTPUT_0 {{NPY_FLOAT64|12}}
// TEXT-DAG: #define ITEMSIZE_INPUT_1 8
// TEXT: { // c_code
// TEXT: vector_times_vector

// CHECK: array([ 4., 10., 18.])
// MIXED: array([0.5, 0.5])
// FAILS: ValueError: Shape mismatch: 1 and 2
// FAILS: Clinch: block {{[0-9]+}}, `c_file_function.c_code` for `node_{{[0-9]+}}`, apply 1 of 1, failed.

#section support_code

static bool vector_same_shape(PyArrayObject *a, PyArrayObject *b)
{
  return PyArray_DIMS(a)[0] == PyArray_DIMS(b)[0];
}

#section support_code_apply

static void APPLY_SPECIFIC(multiply)(
    DTYPE_INPUT_0 *x, npy_intp x_step, DTYPE_INPUT_1 *y, npy_intp y_step,
    DTYPE_OUTPUT_0 *z, npy_intp z_step, npy_intp count)
{
  for (npy_intp i = 0; i < count; i++)
    z[i * z_step] = x[i * x_step] * y[i * y_step];
}

int APPLY_SPECIFIC(vector_times_vector)(PyArrayObject *x, PyArrayObject *y,
                                        PyArrayObject **z)
{
  if (!vector_same_shape(x, y)) {
    PyErr_Format(PyExc_ValueError, "Shape mismatch: %zd and %zd",
                 PyArray_DIMS(x)[0], PyArray_DIMS(y)[0]);
    return 1;
  }
  if (!*z || !vector_same_shape(x, *z)) {
    Py_XDECREF(*z);
    *z = (PyArrayObject *)PyArray_EMPTY(1, PyArray_DIMS(x), TYPENUM_OUTPUT_0,
                                        0);
    if (!*z)
      return 1;
  }
  APPLY_SPECIFIC(multiply)(
      (DTYPE_INPUT_0 *)PyArray_DATA(x), PyArray_STRIDES(x)[0] / ITEMSIZE_INPUT_0,
      (DTYPE_INPUT_1 *)PyArray_DATA(y), PyArray_STRIDES(y)[0] / ITEMSIZE_INPUT_1,
      (DTYPE_OUTPUT_0 *)PyArray_DATA(*z),
      PyArray_STRIDES(*z)[0] / ITEMSIZE_OUTPUT_0, PyArray_DIMS(x)[0]);
  return 0;
}
