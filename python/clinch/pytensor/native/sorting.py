"""`sort` and `argsort`, by NumPy's own functions."""

from pytensor.tensor.sort import SortOp

from clinch.pytensor.native.op import NativeOp, are_tensors

_KINDS = {
    "quicksort": "NPY_QUICKSORT",
    "heapsort": "NPY_HEAPSORT",
    "mergesort": "NPY_STABLESORT",
    "stable": "NPY_STABLESORT",
}

#: Reads the axis if it is an input of the Op, as before PyTensor 3.3.
_AXIS = """
  PyObject *number = PyNumber_Index((PyObject *){axis});
  int axis = number ? (int)PyLong_AsLong(number) : 0;
  Py_XDECREF(number);
  if (PyErr_Occurred())
    {fail}
"""


class _Sorting(NativeOp):
    def c_code(self, node, name, inputs, outputs, sub):
        (x, *given), (z,) = inputs, outputs
        if given:
            axis = _AXIS.format(axis=given[0], fail=sub["fail"])
        else:
            axis = f"\n  int axis = {self.original.axis};"
        kind = _KINDS[self.original.kind]
        return f"""{{{axis}
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
    # The axis is the second input, or a property of the Op.
    if len(node.inputs) + ("axis" in node.op.__props__) != 2:
        return None
    if not are_tensors(*node.inputs, *node.outputs) or node.op.kind not in _KINDS:
        return None
    if isinstance(node.op, SortOp):
        return Sorted(node.op)
    return ArgSorted(node.op) if node.outputs[0].type.dtype == "int64" else None
