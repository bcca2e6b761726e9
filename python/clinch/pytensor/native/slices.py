"""Changes the part of an array that numbers and slices choose: few items by a loop.

PyTensor's own C makes a view of the part and calls NumPy, which takes longer than a
loop over few items does.
"""

import numpy as np
from pytensor.scalar.basic import ScalarType
from pytensor.tensor.subtensor import IncSubtensor

from clinch.pytensor.native.arrays import FLOATS, ArrayOp
from clinch.pytensor.native.op import are_tensors
from clinch.pytensor.registry import register

#: `ClinchMostAxes` of `slices.c`: axes of the part, at most.
_MOST_AXES = 3


class ChangedPart(ArrayOp):
    """`x[i, a:b:c, ...] = y`, or `+= y`."""

    file = "slices.c"

    def __init__(self, original):
        super().__init__(original)
        self.idx_list = original.idx_list

    def c_code(self, node, name, inputs, outputs, sub):
        x, y, *given = inputs
        (z,) = outputs
        own = f"clinchCopy({x}, {y}, {z})"
        if self.original.inplace:
            own = f"(PyArrayObject *)Py_NewRef((PyObject *){x})"
        adds, count = int(not self.original.set_instead_of_inc), len(self.idx_list)
        return f"""{{
  const ClinchIndex indices[] = {{{_indices(self.idx_list, given)}}};
  PyArrayObject *whole = {own};
  if (!whole)
    {sub["fail"]}
  Py_XDECREF({z});
  {z} = whole;
  if (clinchChangePart(whole, {count}, indices, {y}, {adds}) < 0)
    {sub["fail"]}
}}"""


def _indices(idx_list, given):
    """Returns the C of a `ClinchIndex` for each index."""
    rest = iter(given)

    def number(entry, otherwise="0"):
        return otherwise if entry is None else f"(npy_intp){next(rest)}"

    found = []
    for index in idx_list:
        if isinstance(index, slice):
            has = (index.start is not None) + 2 * (index.stop is not None)
            first, last = number(index.start), number(index.stop)
            found.append(f"{{1, {has}, {first}, {last}, {number(index.step, '1')}}}")
        else:
            found.append(f"{{0, 0, {number(index)}, 0, 0}}")
    return ", ".join(found) or "{1, 0, 0, 0, 1}"


def _axes(node):
    numbers = sum(not isinstance(index, slice) for index in node.op.idx_list)
    return node.inputs[0].type.ndim - numbers


def for_slices(node):
    op, (x, y, *indices) = node.op, node.inputs
    if not are_tensors(x, y) or not _is_converted(y.type.dtype, x.type.dtype):
        return None
    whole = all(v.type.dtype[:3] in ("int", "uin") for v in indices)
    if not whole or not all(isinstance(v.type, ScalarType) for v in indices):
        return None
    if not op.set_instead_of_inc and x.type.dtype not in FLOATS:
        return None
    return ChangedPart(op) if y.type.ndim <= _axes(node) <= _MOST_AXES else None


def _is_converted(value, item):
    """Whether C converts values of one dtype to another as NumPy does."""
    return value == item or (
        item in FLOATS and value != "float16" and np.can_cast(value, item)
    )


register(IncSubtensor, quicker=for_slices)
