"""`sort` and `argsort`, by NumPy's own functions."""

from clinch.pytensor.native.op import NativeOp, are_tensors

_KINDS = {
    "quicksort": "NPY_QUICKSORT",
    "heapsort": "NPY_HEAPSORT",
    "mergesort": "NPY_STABLESORT",
    "stable": "NPY_STABLESORT",
}

_AXIS = """
  PyObject *number = PyNumber_Index((PyObject *){axis});
  int axis = number ? (int)PyLong_AsLong(number) : 0;
  Py_XDECREF(number);
  if (PyErr_Occurred())
    {fail}
"""


class _Sorting(NativeOp):
    def c_code(self, node, name, inputs, outputs, sub):
        (x, axis), (z,) = inputs, outputs
        kind = _KINDS[self.original.kind]
        return f"""{{{_AXIS.format(axis=axis, fail=sub["fail"])}
  {self.made(x, kind)}
  if (!made)
    {sub["fail"]}
  Py_XDECREF({z});
  {z} = made;
}}"""


class Sorted(_Sorting):
    """`SortOp`."""

    def made(self, x, kind):
        return f"""PyArrayObject *made = (PyArrayObject *)PyArray_NewCopy({x}, NPY_KEEPORDER);
  if (made && PyArray_Sort(made, axis, {kind}) < 0)
    Py_CLEAR(made);"""


class ArgSorted(_Sorting):
    """`ArgSortOp`."""

    def made(self, x, kind):
        return f"PyArrayObject *made = (PyArrayObject *)PyArray_ArgSort({x}, axis, {kind});"


def for_sorting(node):
    # PyTensor 3.3 has the axis in the Op; that one runs as PyTensor has it.
    if len(node.inputs) != 2:
        return None
    if not are_tensors(*node.inputs, *node.outputs) or node.op.kind not in _KINDS:
        return None
    if type(node.op).__name__ == "SortOp":
        return Sorted(node.op)
    return ArgSorted(node.op) if node.outputs[0].type.dtype == "int64" else None
