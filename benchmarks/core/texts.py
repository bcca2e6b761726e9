"""The texts that are measured; UNIQUE makes each a new one."""

HEADERS = """\
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>
"""

# What the block uses of Python.h, for compilers that are given no headers.
MINIMAL = """\
typedef long Py_ssize_t;
typedef struct _typeobject PyTypeObject;
typedef struct _object { Py_ssize_t ob_refcnt; PyTypeObject *ob_type; } PyObject;
extern char PyFloat_Type[];
extern PyObject *PyExc_TypeError;
double PyFloat_AsDouble(PyObject *);
PyObject *PyFloat_FromDouble(double);
int PyType_IsSubtype(PyTypeObject *, PyTypeObject *);
void PyErr_SetString(PyObject *, const char *);
#define PyFloat_Check(o) (((PyObject *)(o))->ob_type \\
    == (PyTypeObject *)PyFloat_Type || PyType_IsSubtype( \\
    ((PyObject *)(o))->ob_type, (PyTypeObject *)PyFloat_Type))
"""

BLOCK = """\
%(extern)sint block(PyObject *py_V1, PyObject *py_V2, PyObject **out) {
  int failure = 0;
  {
    double V1;
    {
      if (!PyFloat_Check(py_V1)) {
        PyErr_SetString(PyExc_TypeError, "not a float (UNIQUE)");
        {failure = 1; goto label_1;}
      }
      V1 = PyFloat_AsDouble(py_V1);
    }
    {
      double V2;
      {
        if (!PyFloat_Check(py_V2)) {
          PyErr_SetString(PyExc_TypeError, "not a float (UNIQUE)");
          {failure = 2; goto label_2;}
        }
        V2 = PyFloat_AsDouble(py_V2);
      }
      {
        double V3;
        {
          V3 = V1 + V2;
          if (V3 != V3) {failure = 3; goto label_3;}
          *out = PyFloat_FromDouble(V3);
        }
        label_3:;
      }
      label_2:;
    }
    label_1:;
  }
  return failure;
}
"""

LOOP = """\
#include <math.h>
%(extern)svoid loop(const double *x, const double *y, const double *z,
                    double *out, long n) {
  for (long i = 0; i < n; ++i)
    out[i] = tanh(x[i] * y[i] + exp(-z[i]));
}
"""


def _extern(language):
    return {"extern": 'extern "C" ' if language == "c++" else ""}


def block(language, headers=True):
    """The small block: two PyFloat checks, an addition, labels to fail to."""
    prefix = HEADERS if headers else MINIMAL
    return prefix + BLOCK % _extern(language)


def loop(language="c"):
    return LOOP % _extern(language)
