"""Eigenvalues of one symmetric matrix, and of a pair of them, with SciPy's LAPACK.

These are `Eigvalsh`, and `Eigh` of two matrices since PyTensor 3.0. If something goes
wrong, SciPy is called, which raises the error.
"""

from clinch.pytensor.native.asking import Asking
from clinch.pytensor.native.lapack import DTYPES, Lapack, dtype_of


def by_scipy(lower, vectors, *matrices):
    import scipy.linalg

    how = {"lower": bool(lower), "eigvals_only": not vectors}
    return scipy.linalg.eigh(*matrices, **how)


_WHOLE = """{{
  int rows = (int)PyArray_DIM({a}, 0), status = 1;
  npy_intp shape[] = {{rows, rows}};
  bool fine = rows && {square};
  for (npy_intp i = 0; fine && i != rows; ++i)
    for (npy_intp j = 0; fine && j != rows; ++j)
      fine = {finite};
  PyArrayObject *values = nullptr, *first = nullptr, *second = nullptr;
  if (fine) {{
    char job = {vectors} ? 'V' : 'N', which = {lower} ? 'L' : 'U';
    first = (PyArrayObject *)PyArray_NewCopy({a}, NPY_FORTRANORDER);
    second = (PyArrayObject *)PyArray_NewCopy({b}, NPY_FORTRANORDER);
    values = (PyArrayObject *)PyArray_ZEROS(1, shape, PyArray_TYPE({a}), 0);
    if (first && second && values) {{
      {item} *items = ({item} *)PyArray_DATA(first);
      {item} *found = ({item} *)PyArray_DATA(values);
      {call}
    }}
  }}
  bool failed = PyErr_Occurred();
  if (!failed && status) {{
    Py_CLEAR(values);
    Py_CLEAR(first);
    PyObject *both = PyObject_CallFunction(ask_{name}, "ii{given}", {lower}, {vectors},
                                           {matrices});
    if (both && {vectors}) {{
      values = (PyArrayObject *)PyArray_FROM_O(PyTuple_GetItem(both, 0));
      first = (PyArrayObject *)PyArray_FROM_O(PyTuple_GetItem(both, 1));
    }} else if (both) {{
      values = (PyArrayObject *)PyArray_FROM_O(both);
    }}
    failed = !values || ({vectors} && !first);
    Py_XDECREF(both);
  }}
  Py_XDECREF(second);
  if (failed) {{
    Py_XDECREF(values);
    Py_XDECREF(first);
    {fail}
  }}
  Py_XSETREF({w}, values);
  {kept}
}}"""


class _Eigen(Asking, Lapack):
    asked = __name__, "by_scipy"

    def c_headers(self, **_):
        return [*super().c_headers(), "<cmath>", "<cstdlib>"]

    def c_code(self, node, name, inputs, outputs, sub):
        a, b = inputs[0], inputs[-1]
        item, vectors = self.item, len(outputs) == 2
        number = f"({item} *)PyArray_GETPTR2({{x}}, i, j)"
        finite = (f"std::isfinite(*{number.format(x=x)})" for x in dict.fromkeys(inputs))
        sizes = (f"PyArray_DIM({x}, {d}) == rows" for x in dict.fromkeys(inputs) for d in (0, 1))
        keep = f"Py_XSETREF({outputs[-1]}, first);" if vectors else "Py_XDECREF(first);"
        return _WHOLE.format(
            a=a, b=b, w=outputs[0], item=item, name=name, fail=sub["fail"], kept=keep,
            square=" && ".join(sizes), finite=" && ".join(finite),
            vectors=int(vectors), lower=int(self.original.lower), given="O" * len(inputs),
            matrices=", ".join(inputs), call=self.call.format(name=name, item=item),
        )  # fmt: skip


class Values(_Eigen):
    """The eigenvalues of one matrix."""

    routine = "syevr"
    parameters = (
        "char *, char *, char *, int *, T *, int *, T *, T *, int *, int *, T *, int *, "
        "T *, T *, int *, int *, T *, int *, int *, int *, int *"
    )
    #: Called twice: the first call asks how much workspace it needs.
    call = """
      char range = 'A';
      {item} low = 0, high = 1, precise = 0, room = 0, none = 0, *work = &room;
      int one = 1, made = 0, no_places = 0, few = 1, *more = &few, length = -1, ints = -1;
      for (int pass = 0; pass != 2 && work && more; ++pass) {{
        lapack_{name}(&job, &range, &which, &rows, items, &rows, &low, &high, &one, &rows,
                      &precise, &made, found, &none, &one, &no_places, work, &length,
                      more, &ints, &status);
        if (pass == 1 || status)
          break;
        length = (int)std::ceil(room);
        ints = few;
        work = ({item} *)malloc(length * sizeof({item}));
        more = (int *)malloc(ints * sizeof(int));
        status = 1;
      }}
      if (work != &room)
        free(work);
      if (more != &few)
        free(more);"""


class Pairs(_Eigen):
    """The eigenvalues of one matrix with regard to another, and their vectors."""

    routine = "sygvd"
    parameters = (
        "int *, char *, char *, int *, T *, int *, T *, int *, T *, T *, int *, int *, "
        "int *, int *"
    )
    #: As much workspace as SciPy gives, on which LAPACK's steps depend.
    call = """
      int kind = 1, length = job == 'V' ? 1 + 6 * rows + 2 * rows * rows : 2 * rows + 1;
      int ints = job == 'V' ? 3 + 5 * rows : 1;
      {item} *work = ({item} *)malloc(length * sizeof({item}));
      int *more = (int *)malloc(ints * sizeof(int));
      if (work && more)
        lapack_{name}(&kind, &job, &which, &rows, items, &rows,
                      ({item} *)PyArray_DATA(second), &rows, found, work, &length, more,
                      &ints, &status);
      free(work);
      free(more);"""


_KNOWN = (
    {"lower"},
    {"lower", "overwrite_a", "overwrite_b"},
    {"lower", "overwrite_a", "overwrite_b", "driver"},
)


def for_eigen_pairs(node):
    dtype = dtype_of((*node.inputs, *node.outputs))
    if dtype not in DTYPES or set(node.op.__props__) not in _KNOWN:
        return None
    return (Pairs if len(node.inputs) == 2 else Values)(node.op, dtype)
