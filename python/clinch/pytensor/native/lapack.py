"""Linear algebra with SciPy's LAPACK, called by address.

SciPy exports the addresses in `scipy.linalg.cython_lapack`. Arrays are passed as
SciPy's own wrappers pass them, so results are the same bits.
"""

from clinch.pytensor.native import linalg
from clinch.pytensor.native.op import NativeOp, are_tensors

#: The supported dtypes, and the first letter of LAPACK's names for them.
DTYPES = {"float32": "s", "float64": "d"}


class Lapack(NativeOp):
    """An Op that calls a function as `lapack_NAME`, and others by their own names."""

    routine = parameters = ""
    #: Other functions: name -> parameters.
    more = {}

    def __init__(self, original, dtype):
        super().__init__(original)
        self.item = {"float32": "float", "float64": "double"}[dtype]
        self.letter = DTYPES[dtype]

    def _functions(self):
        """Yields each function's name in the text, its LAPACK name and parameters."""
        yield "lapack", self.routine, self.parameters
        for routine, parameters in self.more.items():
            yield routine, routine, parameters

    def c_support_code_struct(self, node, name):
        return "\n".join(
            f"void (*{own}_{name})({parameters.replace('T *', f'{self.item} *')});"
            for own, _, parameters in self._functions()
        )

    def c_init_code_struct(self, node, name, sub):
        return "".join(
            _ADDRESS.format(
                own=f"{own}_{name}", name=self.letter + routine, fail=sub["fail"]
            )
            for own, routine, _ in self._functions()
        )


_ADDRESS = """
  {{
    PyObject *module = PyImport_ImportModule("scipy.linalg.cython_lapack");
    PyObject *all = module ? PyObject_GetAttrString(module, "__pyx_capi__") : nullptr;
    PyObject *found = all ? PyMapping_GetItemString(all, "{name}") : nullptr;
    void *address =
        found ? PyCapsule_GetPointer(found, PyCapsule_GetName(found)) : nullptr;
    Py_XDECREF(found);
    Py_XDECREF(all);
    Py_XDECREF(module);
    {own} = reinterpret_cast<decltype({own})>(address);
  }}
  if (!{own})
    {fail}
"""


class Factored(Lapack):
    """`Cholesky`."""

    routine, parameters = "potrf", "char *, int *, T *, int *, int *"

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        lower = int(self.original.lower)
        overwrite = int(self.original.overwrite_a)
        return f"""{{
  npy_intp rows = PyArray_DIM({x}, 0), columns = PyArray_DIM({x}, 1);
  if (rows != columns && rows * columns != 0) {{
    PyErr_Format(PyExc_ValueError,
                 "Input array is expected to be square but has the shape: "
                 "(%zd, %zd).", rows, columns);
    {sub["fail"]}
  }}
  // What lies in C's order is its transpose in Fortran's: no copy is needed.
  int transposed = {overwrite} && PyArray_IS_C_CONTIGUOUS({x});
  PyArrayObject *made;
  if (transposed || ({overwrite} && PyArray_IS_F_CONTIGUOUS({x}))) {{
    made = {x};
    Py_INCREF(made);
  }} else {{
    made = (PyArrayObject *)PyArray_NewCopy({x}, NPY_FORTRANORDER);
    if (!made)
      {sub["fail"]}
  }}
  int lower = transposed ? !{lower} : {lower};
  int size = (int)rows, status = 0;
  {self.item} *items = ({self.item} *)PyArray_DATA(made);
  if (rows * columns != 0) {{
    char which = lower ? 'L' : 'U';
    lapack_{name}(&which, &size, items, &size, &status);
    for (npy_intp j = 0; j != rows; ++j) {{
      npy_intp first = status ? 0 : lower ? 0 : j + 1;
      npy_intp last = status ? rows : lower ? j : rows;
      for (npy_intp i = first; i < last; ++i)
        items[i + j * rows] = status ? NPY_NAN : 0;
    }}
  }}
  Py_XDECREF({z});
  {z} = made;
}}"""


class Solved(Lapack):
    """`SolveTriangular`."""

    routine = "trtrs"
    parameters = "char *, char *, char *, int *, int *, T *, int *, T *, int *, int *"

    def c_code(self, node, name, inputs, outputs, sub):
        (a, b), (z,) = inputs, outputs
        lower, unit = int(self.original.lower), int(self.original.unit_diagonal)
        in_place = int(self.original.overwrite_b)
        columns = f"PyArray_DIM({b}, 1)" if node.inputs[1].type.ndim == 2 else "1"
        return f"""{{
  npy_intp rows = PyArray_DIM({a}, 0);
  if (rows != PyArray_DIM({a}, 1)) {{
    PyErr_SetString(PyExc_ValueError, "expected square matrix");
    {sub["fail"]}
  }}
  if (rows != PyArray_DIM({b}, 0)) {{
    PyObject *left = PyObject_GetAttrString((PyObject *){a}, "shape");
    PyObject *right = PyObject_GetAttrString((PyObject *){b}, "shape");
    if (left && right)
      PyErr_Format(PyExc_ValueError, "shapes of a %S and b %S are incompatible",
                   left, right);
    Py_XDECREF(left);
    Py_XDECREF(right);
    {sub["fail"]}
  }}
  // As columns: what does not lie so is its transpose, or a copy of it.
  int inColumns = PyArray_IS_F_CONTIGUOUS({a});
  PyArrayObject *matrix = {a};
  if (inColumns || PyArray_IS_C_CONTIGUOUS({a}))
    Py_INCREF(matrix);
  else
    matrix = (PyArrayObject *)PyArray_NewCopy({a}, NPY_CORDER);
  PyArrayObject *made = {b};
  if ({in_place} && PyArray_IS_F_CONTIGUOUS({b}))
    Py_INCREF(made);
  else
    made = (PyArrayObject *)PyArray_NewCopy({b}, NPY_FORTRANORDER);
  if (!matrix || !made) {{
    Py_XDECREF(matrix);
    Py_XDECREF(made);
    {sub["fail"]}
  }}
  int size = (int)rows, count = (int){columns}, status = 0;
  {self.item} *items = ({self.item} *)PyArray_DATA(made);
  if (PyArray_SIZE(made) != 0) {{
    char which = (inColumns ? {lower} : !{lower}) ? 'L' : 'U';
    char turned = inColumns ? 'N' : 'T', unit = {unit} ? 'U' : 'N';
    lapack_{name}(&which, &turned, &unit, &size, &count,
                  ({self.item} *)PyArray_DATA(matrix), &size, items, &size, &status);
    if (status)
      for (npy_intp i = 0; i != rows * count; ++i)
        items[i] = NPY_NAN;
  }}
  Py_DECREF(matrix);
  Py_XDECREF({z});
  {z} = made;
}}"""


def dtype_of(variables):
    """Returns the dtype that all variables have, or None."""
    if not are_tensors(*variables):
        return None
    dtypes = {v.type.dtype for v in variables}
    return dtypes.pop() if len(dtypes) == 1 else None


def for_lapack(node):
    dtype = dtype_of((*node.inputs, *node.outputs))
    if dtype not in DTYPES:
        return None
    if isinstance(node.op, linalg.Cholesky):
        known, make = {"lower", "overwrite_a"}, Factored
    else:
        known, make = {"unit_diagonal", "lower", "b_ndim", "overwrite_b"}, Solved
    # In other versions of PyTensor the Op may do more than this C.
    return make(node.op, dtype) if set(node.op.__props__) == known else None
