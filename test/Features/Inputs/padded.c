#section support_code
#include <stdio.h>

static int padded(PyArrayObject *a, PyArrayObject *b, PyArrayObject *c,
                  PyArrayObject **y, PyArrayObject **z)
{
  printf("inputs %d %d %d, outputs %d %d\n", a != NULL, b != NULL, c != NULL,
         y != NULL, z != NULL);
  Py_XDECREF(*y);
  *y = (PyArrayObject *)PyArray_NewCopy(a, NPY_CORDER);
  if (!*y)
    return 1;
  if (b)
    for (npy_intp i = 0; i < PyArray_DIMS(a)[0]; i++)
      *(double *)PyArray_GETPTR1(*y, i) += *(double *)PyArray_GETPTR1(b, i);
  return 0;
}
