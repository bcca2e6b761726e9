"""Eigenvalues of symmetric matrices, as the `perform` of each version computes them.

Since PyTensor 3.0 it calls a function of LAPACK through SciPy; before, one of NumPy,
which is called here without NumPy's Python code. If something goes wrong,
`perform`'s function is called, which raises the error.
"""

import numpy as np
from numpy.linalg import _umath_linalg

from clinch.pytensor.native.asking import Asking
from clinch.pytensor.native.lapack import DTYPES, Lapack, dtype_of
from clinch.pytensor.native.op import NativeOp


def by_numpy(x, which):
    return tuple(np.linalg.eigh(x, which))


def by_scipy(x, which):
    import scipy.linalg

    return scipy.linalg.eigh(x, lower=which == "L", driver="evr")


#: Stores the results in the tuple `both`; if it is null, the Python function makes it.
_TAKEN = """
  if (!both)
    both = PyObject_CallFunction(ask_{name}, "Os", {x}, "{which}");
  if (!both)
    {fail}
  PyObject *values = PyArray_FROM_OTF(PyTuple_GetItem(both, 0), {number},
                                      NPY_ARRAY_FORCECAST);
  PyObject *vectors = PyArray_FROM_OTF(PyTuple_GetItem(both, 1), {number},
                                       NPY_ARRAY_FORCECAST);
  Py_DECREF(both);
  if (!values || !vectors) {{
    Py_XDECREF(values);
    Py_XDECREF(vectors);
    {fail}
  }}
  Py_XDECREF({w});
  Py_XDECREF({v});
  {w} = (PyArrayObject *)values;
  {v} = (PyArrayObject *)vectors;
"""


class _Eigen(Asking):
    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (w, v) = inputs, outputs
        fail, number = sub["fail"], node.outputs[0].type.numpy_dtype.num
        how = {"name": name, "x": x, "which": self.which, "fail": fail}
        _, item, _ = node.inputs[0].type.dtype_specs()
        made = _FINE.format(x=x, item=item) + self.made(name, x, fail)
        return f"{{{made}{_TAKEN.format(w=w, v=v, number=number, **how)}}}"


#: Not `fine`: NumPy and SciPy raise different errors for a matrix that is not finite.
_FINE = """
  PyObject *both = nullptr;
  npy_intp rows = PyArray_DIM({x}, 0);
  bool fine = rows && rows == PyArray_DIM({x}, 1);
  for (npy_intp i = 0; fine && i != rows; ++i)
    for (npy_intp j = 0; fine && j != rows; ++j)
      fine = std::isfinite(*({item} *)PyArray_GETPTR2({x}, i, j));
"""

_BY_NUMPY = """
  PyObject *given = PyArray_FROM_OTF((PyObject *){x}, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO);
  if (!given)
    {fail}
  if (fine)
    both = PyObject_CallOneArg(eigh_{name}, given);
  Py_DECREF(given);
  if (fine && !both)
    {fail}
"""


class ByNumpy(_Eigen, NativeOp):
    """`Eigh` until PyTensor 2.38, which always computes with doubles."""

    asked = __name__, "by_numpy"

    @property
    def which(self):
        return self.original.UPLO

    def c_headers(self, **_):
        return [*super().c_headers(), "<cmath>"]

    def c_support_code_struct(self, node, name):
        return super().c_support_code_struct(node, name) + f"PyObject *eigh_{name};"

    def c_init_code_struct(self, node, name, sub):
        half = "lo" if self.which == "L" else "up"
        return super().c_init_code_struct(node, name, sub) + f"""
  eigh_{name} = nullptr;
  {{
    PyObject *module = PyImport_ImportModule("{_umath_linalg.__name__}");
    eigh_{name} = module ? PyObject_GetAttrString(module, "eigh_{half}") : nullptr;
    Py_XDECREF(module);
  }}
  if (!eigh_{name})
    {sub["fail"]}
"""

    def c_cleanup_code_struct(self, node, name):
        return super().c_cleanup_code_struct(node, name) + f"Py_XDECREF(eigh_{name});"

    def made(self, name, x, fail):
        return _BY_NUMPY.format(name=name, x=x, fail=fail)


#: Called twice: the first call asks how much workspace it needs.
_BY_SCIPY = """
  int size = (int)rows, found = 0, first = 1, status = 1;
  npy_intp shape[] = {{size, size}};
  if (fine) {{
    PyArrayObject *given = (PyArrayObject *)PyArray_NewCopy({x}, NPY_FORTRANORDER);
    PyArrayObject *values = (PyArrayObject *)PyArray_ZEROS(1, shape, {number}, 0);
    PyArrayObject *vectors = (PyArrayObject *)PyArray_ZEROS(2, shape, {number}, 1);
    int *places = (int *)malloc(2 * size * sizeof(int));
    char job = 'V', range = 'A', which = '{which}';
    {item} low = 0, high = 1, precise = 0, room = 0, *work = &room;
    int few = 1, *more = &few, length = -1, lengthOfMore = -1;
    for (int pass = 0; pass != 2 && given && values && vectors && places && work && more;
         ++pass) {{
      lapack_{name}(&job, &range, &which, &size, ({item} *)PyArray_DATA(given), &size,
                    &low, &high, &first, &size, &precise, &found,
                    ({item} *)PyArray_DATA(values), ({item} *)PyArray_DATA(vectors),
                    &size, places, work, &length, more, &lengthOfMore, &status);
      if (pass == 1 || status)
        break;
      length = (int){room};
      lengthOfMore = few;
      work = ({item} *)malloc(length * sizeof({item}));
      more = (int *)malloc(lengthOfMore * sizeof(int));
      status = 1;
    }}
    if (work != &room)
      free(work);
    if (more != &few)
      free(more);
    free(places);
    if (!status)
      both = PyTuple_Pack(2, values, vectors);
    Py_XDECREF(given);
    Py_XDECREF(values);
    Py_XDECREF(vectors);
    if (PyErr_Occurred())
      {fail}
  }}
"""


class ByScipy(_Eigen, Lapack):
    """`Eigh` since PyTensor 3.0."""

    asked = __name__, "by_scipy"
    routine = "syevr"
    parameters = (
        "char *, char *, char *, int *, T *, int *, T *, T *, int *, int *, T *, int *, "
        "T *, T *, int *, int *, T *, int *, int *, int *, int *"
    )

    @property
    def which(self):
        return "L" if self.original.lower else "U"

    def c_headers(self, **_):
        return [*super().c_headers(), "<cmath>", "<cstdlib>"]

    def made(self, name, x, fail):
        # As in SciPy, because a float may be less than the integer.
        room = "std::nextafter(room, INFINITY)" if self.item == "float" else "room"
        number = "NPY_FLOAT" if self.item == "float" else "NPY_DOUBLE"
        return _BY_SCIPY.format(
            name=name, x=x, fail=fail, item=self.item, room=room, number=number,
            which=self.which,
        )


def for_eigen(node):
    op, dtype = node.op, dtype_of((*node.inputs, *node.outputs))
    known = set(op.__props__)
    if dtype not in DTYPES or len(node.inputs) != 1:
        return None
    if known == {"UPLO"}:
        there = all(hasattr(_umath_linalg, f"eigh_{half}") for half in ("lo", "up"))
        return ByNumpy(op) if there else None
    if known == {"lower", "overwrite_a", "overwrite_b", "driver"} and op.driver == "evr":
        return ByScipy(op, dtype)
    return None
