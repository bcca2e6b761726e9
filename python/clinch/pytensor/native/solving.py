"""Solves general systems of equations with SciPy's LAPACK.

The C does what SciPy does. If a matrix is singular or nearly so, or shapes do not
fit, SciPy is called, which warns and raises as under `perform`.
"""

import numpy as np

from clinch.pytensor.native.asking import Asking
from clinch.pytensor.native.lapack import Lapack


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


#: The item (i, j) of a symmetric matrix of which one half counts.
OF_ONE_HALF = "items[(which == 'L') == (i >= j) ? i + j * size : j + i * size]"


class Solution(Asking, Lapack):
    """What all have in common: copies, the norm, the condition and the result."""

    asked = __name__, "solved_by_scipy"
    #: The item (i, j) of which the norm is taken.
    item_of_norm = "items[i + j * size]"
    #: C text that sets `room`, the number of items in `work`.
    measure = "room = 4 * size;"
    #: Below this condition, in epsilons, SciPy is asked. It is 1 if the condition here
    #: is SciPy's to the bit, else more, and SciPy says whether it is a bad one.
    doubtful = 1

    def c_headers(self, **_):
        return [*super().c_headers(), "<cfloat>", "<cmath>", "<cstdlib>"]

    def c_code(self, node, name, inputs, outputs, sub):
        (a, b), (z,) = inputs, outputs
        lower = int(self.original.lower)
        columns = f"PyArray_DIM({b}, 1)" if node.inputs[1].type.ndim == 2 else "1"
        calls = {k: v.format(name=name, item=self.item) for k, v in self.calls.items()}
        measure = self.measure.format(name=name, item=self.item)
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
    {self.item} *items = ({self.item} *)PyArray_DATA(factors), length = 0, inverse = 0;
    npy_intp room;
    {measure}
    {self.item} *work = ({self.item} *)malloc(room * sizeof({self.item}));
    for (npy_intp j = 0; j != size; ++j) {{
      {self.item} sum = 0;
      for (npy_intp i = 0; i != size; ++i)
        sum += std::fabs({self.item_of_norm});
      length = sum > length || sum != sum ? sum : length;
    }}
    if (places && work) {{
      {calls["factors"]}
      if (!status)
        {calls["condition"]}
      if (!status && inverse >= {self.doubtful} * {epsilon})
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


class General(Solution):
    """`Solve` of any matrix."""

    calls = _GENERAL
    routine, parameters = "getrf", "int *, int *, T *, int *, int *, int *"
    more = {
        "gecon": "char *, int *, T *, int *, T *, T *, T *, int *, int *",
        "getrs": "char *, int *, int *, T *, int *, int *, T *, int *, int *",
    }


class Positive(Solution):
    """`Solve` of a matrix that is positive definite."""

    calls = _POSITIVE
    routine, parameters = "potrf", "char *, int *, T *, int *, int *"
    more = {
        "pocon": "char *, int *, T *, int *, T *, T *, T *, int *, int *",
        "potrs": "char *, int *, int *, T *, int *, T *, int *, int *",
    }
    item_of_norm = OF_ONE_HALF
