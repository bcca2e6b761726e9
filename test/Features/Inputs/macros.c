#section support_code
#include <stdio.h>
#section code
{
  PARAMS_TYPE *params_again = PARAMS;
  npy_intp length = 2;
  printf("DTYPE_INPUT_0 %d, ITEMSIZE_INPUT_0 %d, TYPENUM_INPUT_0 %d\n",
         (int)sizeof(DTYPE_INPUT_0), ITEMSIZE_INPUT_0,
         TYPENUM_INPUT_0 == PyArray_TYPE(INPUT_0));
  printf("DTYPE_INPUT_1 %d, ITEMSIZE_INPUT_1 %d, TYPENUM_INPUT_1 %d\n",
         (int)sizeof(DTYPE_INPUT_1), ITEMSIZE_INPUT_1,
         TYPENUM_INPUT_1 == PyArray_TYPE(INPUT_1));
  printf("DTYPE_OUTPUT_0 %d, ITEMSIZE_OUTPUT_0 %d, TYPENUM_OUTPUT_0 %d\n",
         (int)sizeof(DTYPE_OUTPUT_0), ITEMSIZE_OUTPUT_0,
         TYPENUM_OUTPUT_0 == NPY_FLOAT64);
  printf("PARAMS power %d, PARAMS_TYPE %d, DTYPE_PARAM_power %d, "
         "DTYPE_PARAM_table %d\n",
         (int)PARAMS->power, params_again->power == PARAMS->power,
         (int)sizeof(DTYPE_PARAM_power), (int)sizeof(DTYPE_PARAM_table));
  Py_XDECREF(OUTPUT_0);
  OUTPUT_0 = (PyArrayObject *)PyArray_EMPTY(1, &length, TYPENUM_OUTPUT_0, 0);
  if (!OUTPUT_0) {
    FAIL;
  }
  ((DTYPE_OUTPUT_0 *)PyArray_DATA(OUTPUT_0))[0] = PyArray_DIMS(INPUT_0)[0];
  ((DTYPE_OUTPUT_0 *)PyArray_DATA(OUTPUT_0))[1] = PyArray_DIMS(INPUT_1)[0];
}
