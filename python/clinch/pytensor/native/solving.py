"""Solves general systems of equations with SciPy's LAPACK.

The C does what SciPy does. If a matrix is singular or nearly so, or shapes do not
fit, SciPy is called, which warns and raises as under `perform`.
"""

import numpy as np

from clinch.pytensor.native.asking import Asking
from clinch.pytensor.native.lapack import DTYPES, Lapack, dtype_of


def solved_by_scipy(a, b, assumed, lower):
    """Does what `Solve.perform` does."""
    import scipy.linalg

    how = {"lower": bool(lower), "check_finite": False, "assume_a": assumed}
    try:
        return np.ascontiguousarray(scipy.linalg.solve(a, b, **how))
    except np.linalg.LinAlgError:
        # In the shape of `b`; `perform` uses that of `a`, which is never a vector.
        return np.full(b.shape, np.nan, dtype=a.dtype)


#: The calls that SciPy makes for each assumption: factors, condition, solution.
_GENERAL = {
    "factors": "lapack_{name}(&size, &size, items, &size, places, &status);",
    "condition": "gecon_{name}(&norm, &size, items, &size, &length, &inverse, work, "
    "places + size, &status);",
    "solution": "getrs_{name}(&turned, &size, &count, items, &size, places, "
    "({item} *)PyArray_DATA(right), &size, &status);",
}
_POSITIVE = {
    "factors": "lapack_{name}(&which, &size, items, &size, &status);",
    "condition": "pocon_{name}(&which, &size, items, &size, &length, &inverse, work, "
    "places + size, &status);",
    "solution": "potrs_{name}(&which, &size, &count, items, &size, "
    "({item} *)PyArray_DATA(right), &size, &status);",
}


class _Solution(Asking, Lapack):
    asked = __name__, "solved_by_scipy"
    #: A C condition: whether the norm reads item (i, j), and not (j, i).
    half = "true"

    def c_headers(self, **_):
        return [*super().c_headers(), "<cfloat>", "<cmath>", "<cstdlib>"]

    def c_code(self, node, name, inputs, outputs, sub):
        (a, b), (z,) = inputs, outputs
        lower = int(self.original.lower)
        columns = f"PyArray_DIM({b}, 1)" if node.inputs[1].type.ndim == 2 else "1"
        calls = {k: v.format(name=name, item=self.item) for k, v in self.calls.items()}
        epsilon = "FLT_EPSILON" if self.item == "float" else "DBL_EPSILON"
        return f"""{{
  int size = (int)PyArray_DIM({a}, 0), count = (int){columns}, status = 1;
  char norm = '1', turned = 'N', which = {lower} ? 'L' : 'U';
  PyArrayObject *factors = nullptr, *right = nullptr, *made = nullptr;
  if (size == PyArray_DIM({a}, 1) && size == PyArray_DIM({b}, 0) && size > 1 && count) {{
    factors = (PyArrayObject *)PyArray_NewCopy({a}, NPY_FORTRANORDER);
    right = (PyArrayObject *)PyArray_NewCopy({b}, NPY_FORTRANORDER);
    if (!factors || !right) {{
      Py_XDECREF(factors);
      Py_XDECREF(right);
      {sub["fail"]}
    }}
    int *places = (int *)malloc(2 * size * sizeof(int));
    {self.item} *work = ({self.item} *)malloc(4 * size * sizeof({self.item}));
    {self.item} *items = ({self.item} *)PyArray_DATA(factors), length = 0, inverse = 0;
    for (npy_intp j = 0; j != size; ++j) {{
      {self.item} sum = 0;
      for (npy_intp i = 0; i != size; ++i)
        sum += std::fabs(items[{self.half} ? i + j * size : j + i * size]);
      length = sum > length || sum != sum ? sum : length;
    }}
    if (places && work) {{
      {calls["factors"]}
      if (!status)
        {calls["condition"]}
      if (!status && inverse >= {epsilon})
        {calls["solution"]}
      else
        status = 1;
    }}
    free(places);
    free(work);
  }}
  if (status)
    made = (PyArrayObject *)PyObject_CallFunction(ask_{name}, "OOsi", {a}, {b},
                                                  "{self.original.assume_a}", {lower});
  else
    made = (PyArrayObject *)PyArray_NewCopy(right, NPY_CORDER);
  Py_XDECREF(factors);
  Py_XDECREF(right);
  if (!made)
    {sub["fail"]}
  Py_XDECREF({z});
  {z} = made;
}}"""


class General(_Solution):
    """`Solve` of any matrix."""

    calls = _GENERAL
    routine, parameters = "getrf", "int *, int *, T *, int *, int *, int *"
    more = {
        "gecon": "char *, int *, T *, int *, T *, T *, T *, int *, int *",
        "getrs": "char *, int *, int *, T *, int *, int *, T *, int *, int *",
    }


class Positive(_Solution):
    """`Solve` of a matrix that is positive definite."""

    calls = _POSITIVE
    routine, parameters = "potrf", "char *, int *, T *, int *, int *"
    more = {
        "pocon": "char *, int *, T *, int *, T *, T *, T *, int *, int *",
        "potrs": "char *, int *, int *, T *, int *, T *, int *, int *",
    }
    half = "(which == 'L') == (i >= j)"


_SOLUTIONS = {"gen": General, "pos": Positive}


def for_solve(node):
    op, dtype = node.op, dtype_of((*node.inputs, *node.outputs))
    known = {"assume_a", "lower", "b_ndim", "overwrite_a", "overwrite_b"}
    if dtype not in DTYPES or set(op.__props__) != known:
        return None
    make = _SOLUTIONS.get(op.assume_a)
    return make(op, dtype) if make else None
