"""Solutions, factors, inverses and determinants, with SciPy's LAPACK.

`perform` calls SciPy for `CholeskySolve` and `LUFactor`, and NumPy for the others.
NumPy has its own LAPACK; its operations are done here in the same order.
"""

from clinch.pytensor.native import linalg
from clinch.pytensor.native.lapack import DTYPES, Lapack, dtype_of
from clinch.pytensor.native.op import NativeOp, are_tensors

#: Copies {x} to `made`, of `rows` and `columns`, in Fortran order.
_COPY = """
  int rows = (int)PyArray_DIM({x}, 0), columns = (int)PyArray_DIM({x}, 1);
  int status = 0;
  PyArrayObject *made = (PyArrayObject *)PyArray_NewCopy({x}, NPY_FORTRANORDER);
  if (!made)
    {fail}
  {item} *items = ({item} *)PyArray_DATA(made);"""

_PIVOTS = """
  npy_intp many = rows < columns ? rows : columns;
  PyArrayObject *pivots = (PyArrayObject *)PyArray_EMPTY(1, &many, NPY_INT, 0);
  if (!pivots) {{
    Py_DECREF(made);
    {fail}
  }}
  int *places = (int *)PyArray_DATA(pivots);"""


class SolvedByFactor(Lapack):
    """`CholeskySolve`."""

    routine = "potrs"
    parameters = "char *, int *, int *, T *, int *, T *, int *, int *"

    def c_code(self, node, name, inputs, outputs, sub):
        (c, b), (z,) = inputs, outputs
        lower = int(self.original.lower)
        in_place = int(self.original.overwrite_b)
        columns = f"PyArray_DIM({b}, 1)" if node.inputs[1].type.ndim == 2 else "1"
        return f"""{{
  npy_intp rows = PyArray_DIM({c}, 0);
  if (rows != PyArray_DIM({c}, 1)) {{
    PyErr_SetString(PyExc_ValueError, "The factored matrix c is not square.");
    {sub["fail"]}
  }}
  if (rows != PyArray_DIM({b}, 0)) {{
    PyObject *left = PyObject_GetAttrString((PyObject *){c}, "shape");
    PyObject *right = PyObject_GetAttrString((PyObject *){b}, "shape");
    if (left && right)
      PyErr_Format(PyExc_ValueError, "incompatible dimensions (%S and %S)", left, right);
    Py_XDECREF(left);
    Py_XDECREF(right);
    {sub["fail"]}
  }}
  PyArrayObject *factor = {c};
  if (PyArray_IS_F_CONTIGUOUS({c}))
    Py_INCREF(factor);
  else
    factor = (PyArrayObject *)PyArray_NewCopy({c}, NPY_FORTRANORDER);
  PyArrayObject *made = {b};
  if ({in_place} && PyArray_IS_F_CONTIGUOUS({b}))
    Py_INCREF(made);
  else
    made = (PyArrayObject *)PyArray_NewCopy({b}, NPY_FORTRANORDER);
  if (!factor || !made) {{
    Py_XDECREF(factor);
    Py_XDECREF(made);
    {sub["fail"]}
  }}
  int size = (int)rows, count = (int){columns}, status = 0;
  if (PyArray_SIZE(made) != 0) {{
    char which = {lower} ? 'L' : 'U';
    lapack_{name}(&which, &size, &count, ({self.item} *)PyArray_DATA(factor), &size,
                  ({self.item} *)PyArray_DATA(made), &size, &status);
    if (status)
      for (npy_intp i = 0; i != rows * count; ++i)
        (({self.item} *)PyArray_DATA(made))[i] = NPY_NAN;
  }}
  Py_DECREF(factor);
  Py_XDECREF({z});
  {z} = made;
}}"""


class _ByLU(Lapack):
    routine, parameters = "getrf", "int *, int *, T *, int *, int *, int *"


class Factors(_ByLU):
    """`LUFactor`."""

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z, p) = inputs, outputs
        how = {"x": x, "fail": sub["fail"], "item": self.item}
        return f"""{{{_COPY.format(**how)}{_PIVOTS.format(**how)}
  if (PyArray_SIZE(made) != 0) {{
    lapack_{name}(&rows, &columns, items, &rows, places, &status);
    for (npy_intp i = 0; i != many; ++i)
      --places[i];
    if (status)
      for (npy_intp i = 0; i != PyArray_SIZE(made); ++i)
        items[i] = NPY_NAN;
  }}
  Py_XDECREF({z});
  {z} = made;
  Py_XDECREF({p});
  {p} = pivots;
}}"""


class Inverse(Lapack):
    """`MatrixInverse`."""

    routine, parameters = "gesv", "int *, int *, T *, int *, int *, T *, int *, int *"

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        how = {"x": x, "fail": sub["fail"], "item": self.item}
        return f"""{{{_COPY.format(**how)}{_PIVOTS.format(**how)}
  const char *wrong = rows == columns
                          ? nullptr
                          : "Last 2 dimensions of the array must be square";
  npy_intp shape[2] = {{rows, columns}};
  PyArrayObject *inverse =
      (PyArrayObject *)PyArray_ZEROS(2, shape, PyArray_TYPE({x}), 1);
  if (inverse && !wrong && rows) {{
    {self.item} *inverted = ({self.item} *)PyArray_DATA(inverse);
    for (npy_intp i = 0; i != rows; ++i)
      inverted[i * rows + i] = 1;
    lapack_{name}(&rows, &rows, items, &rows, places, inverted, &rows, &status);
    if (status)
      wrong = "Singular matrix";
  }}
  Py_DECREF(made);
  Py_DECREF(pivots);
  if (wrong) {{
    PyObject *module = PyImport_ImportModule("numpy.linalg");
    PyObject *error = module ? PyObject_GetAttrString(module, "LinAlgError") : nullptr;
    if (error)
      PyErr_SetString(error, wrong);
    Py_XDECREF(error);
    Py_XDECREF(module);
    Py_CLEAR(inverse);
  }}
  if (!inverse)
    {sub["fail"]}
  Py_XDECREF({z});
  {z} = inverse;
}}"""


class Determinant(_ByLU):
    """`Det` and `SLogDet`, from the logarithms of the factors, as in NumPy."""

    def c_code(self, node, name, inputs, outputs, sub):
        (x,) = inputs
        fail, item = sub["fail"], self.item
        how = {"x": x, "fail": fail, "item": item}
        letter = "f" if item == "float" else ""
        wanted = ("sign", "size") if len(outputs) == 2 else ("sign * power(size)",)
        results = "".join(
            f"""
  Py_XDECREF({z});
  {z} = (PyArrayObject *)PyArray_EMPTY(0, nullptr, PyArray_TYPE({x}), 0);
  if (!{z})
    {fail}
  *({item} *)PyArray_DATA({z}) = {value};"""
            for z, value in zip(outputs, wanted, strict=True)
        )
        return f"""{{
  if (PyArray_DIM({x}, 0) != PyArray_DIM({x}, 1)) {{
    PyObject *told = Py_BuildValue("(sO)", "Failed to compute determinant", {x});
    if (told)
      PyErr_SetObject(PyExc_ValueError, told);
    Py_XDECREF(told);
    {fail}
  }}{_COPY.format(**how)}{_PIVOTS.format(**how)}
  // By address, so that they are libm's, as NumPy's are, and no vector's.
  {item} (*volatile logarithm)({item}) = log{letter};
  {item} (*volatile power)({item}) = exp{letter};
  {item} sign = 1, size = 0;
  if (rows)
    lapack_{name}(&rows, &rows, items, &rows, places, &status);
  for (npy_intp i = 0; i != rows && !status; ++i) {{
    {item} factor = items[i * rows + i];
    sign = (places[i] != i + 1) != (factor < 0) ? -sign : sign;
    size += logarithm(factor < 0 ? -factor : factor);
  }}
  if (status) {{
    sign = 0;
    size = -NPY_INFINITY;
  }}
  Py_DECREF(made);
  Py_DECREF(pivots);
  (void)power;{results}
}}"""

    def c_headers(self, **_):
        return [*super().c_headers(), "<math.h>"]


class Permutation(NativeOp):
    """`PivotToPermutations`."""

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        inverse = int(self.original.inverse)
        return f"""{{
  npy_intp count = PyArray_DIM({x}, 0);
  PyArrayObject *places = (PyArrayObject *)PyArray_EMPTY(1, &count, NPY_INT64, 0);
  PyArrayObject *turned = (PyArrayObject *)PyArray_EMPTY(1, &count, NPY_INT64, 0);
  npy_int64 *there = places ? (npy_int64 *)PyArray_DATA(places) : nullptr;
  npy_int64 *back = turned ? (npy_int64 *)PyArray_DATA(turned) : nullptr;
  bool within = there && back;
  for (npy_intp i = 0; within && i != count; ++i)
    there[i] = i;
  for (npy_intp i = 0; within && i != count; ++i) {{
    npy_int64 other = *(npy_int32 *)PyArray_GETPTR1({x}, i);
    other += other < 0 ? count : 0;
    if (other < 0 || other >= count) {{
      PyErr_Format(PyExc_IndexError,
                   "index %zd is out of bounds for axis 0 with size %zd",
                   (Py_ssize_t)other, (Py_ssize_t)count);
      within = false;
      break;
    }}
    npy_int64 kept = there[i];
    there[i] = there[other];
    there[other] = kept;
  }}
  for (npy_intp i = 0; within && i != count; ++i)
    back[there[i]] = i;
  if ({inverse}) {{
    PyArrayObject *kept = places;
    places = turned;
    turned = kept;
  }}
  Py_XDECREF(places);
  if (!within) {{
    Py_XDECREF(turned);
    {sub["fail"]}
  }}
  Py_XDECREF({z});
  {z} = turned;
}}"""


_OPS = {
    linalg.CholeskySolve: (SolvedByFactor, {"lower", "b_ndim", "overwrite_b"}),
    linalg.LUFactor: (Factors, {"overwrite_a"}),
    linalg.MatrixInverse: (Inverse, set()),
    linalg.Det: (Determinant, set()),
    linalg.SLogDet: (Determinant, set()),
}


def for_factors(node):
    make, known = _OPS[type(node.op)]
    dtype = dtype_of((*node.inputs, *node.outputs[:1]))
    # In other versions of PyTensor the Op may do more than this C.
    if dtype not in DTYPES or set(node.op.__props__) != known:
        return None
    if make is Factors and node.outputs[1].type.dtype != "int32":
        return None
    return make(node.op, dtype)


def for_permutation(node):
    if not are_tensors(*node.inputs, *node.outputs):
        return None
    types = node.inputs[0].type.dtype, node.outputs[0].type.dtype
    known = set(node.op.__props__) == {"inverse"}
    return Permutation(node.op) if types == ("int32", "int64") and known else None
