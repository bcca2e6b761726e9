"""Changes the part of an array that numbers and slices choose: few items by a loop.

PyTensor's own C makes a view of the part and calls NumPy, which takes longer than a
loop over few items does.
"""

import numpy as np
from pytensor.scalar.basic import ScalarType

from clinch.pytensor.native.items import FEW, SUPPORT
from clinch.pytensor.native.op import NativeOp, are_tensors

#: Axes of the part, at most.
_MOST_AXES = 3

_NUMBER = """
  {{
    npy_intp at = {at};
    at += at < 0 ? PyArray_DIM(whole, {axis}) : 0;
    if (at < 0 || at >= PyArray_DIM(whole, {axis})) {{
      PyErr_SetString(PyExc_IndexError, "index out of bounds");
      {fail}
    }}
    part += at * PyArray_STRIDE(whole, {axis});
  }}"""

_SLICE = """
  {{
    npy_intp step = {step};
    if (!step) {{
      PyErr_SetString(PyExc_ValueError, "slice step cannot be zero");
      {fail}
    }}
    npy_intp first = {first}, last = {last};
    sizes[{place}] =
        PySlice_AdjustIndices(PyArray_DIM(whole, {axis}), &first, &last, step);
    part += first * PyArray_STRIDE(whole, {axis});
    along[{place}] = step * PyArray_STRIDE(whole, {axis});
  }}"""

_AXIS = """
  sizes[{place}] = PyArray_DIM(whole, {axis});
  along[{place}] = PyArray_STRIDE(whole, {axis});"""


class ChangedPart(NativeOp):
    """`x[i, a:b:c, ...] = y`, or `+= y`."""

    def __init__(self, original):
        super().__init__(original)
        self.idx_list = original.idx_list

    def c_support_code(self, **_):
        return SUPPORT

    def c_code(self, node, name, inputs, outputs, sub):
        x, y, *given = inputs
        (z,) = outputs
        own = f"clinchCopy({x}, {y}, {z})"
        if self.original.inplace:
            own = f"(PyArrayObject *)Py_NewRef((PyObject *){x})"
        axes = _axes(node)
        change = _loop(node, y, axes, "=" if self.original.set_instead_of_inc else "+=")
        by_set = "true" if self.original.set_instead_of_inc else "false"
        return f"""{{
  PyArrayObject *whole = {own};
  if (!whole)
    {sub["fail"]}
  Py_XDECREF({z});
  {z} = whole;
  char *part = PyArray_BYTES(whole);
  npy_intp sizes[{max(axes, 1)}], along[{max(axes, 1)}];{_part(node, given, sub["fail"])}
  if ({_fits(node, y, axes)}) {{{change}
  }} else if (!clinchChangePart(whole, part, {axes}, sizes, along, {y}, {by_set})) {{
    {sub["fail"]}
  }}
}}"""


def _axes(node):
    numbers = sum(not isinstance(index, slice) for index in node.op.idx_list)
    return node.inputs[0].type.ndim - numbers


def _part(node, given, fail):
    """Returns C that finds the first item of the part, and of each of its axes the size
    and the bytes from one item to the next."""
    rest = iter(given)

    def number(entry, otherwise):
        return otherwise if entry is None else f"(npy_intp){next(rest)}"

    text, place = "", 0
    for axis in range(node.inputs[0].type.ndim):
        index = node.op.idx_list[axis] if axis < len(node.op.idx_list) else None
        if index is None:
            text += _AXIS.format(place=place, axis=axis)
        elif isinstance(index, slice):
            first = number(index.start, "step < 0 ? NPY_MAX_INTP : 0")
            last = number(index.stop, "step < 0 ? NPY_MIN_INTP : NPY_MAX_INTP")
            text += _SLICE.format(
                place=place, axis=axis, first=first, last=last, fail=fail,
                step=number(index.step, "1"),
            )  # fmt: skip
        else:
            text += _NUMBER.format(axis=axis, at=number(index, None), fail=fail)
            continue
        place += 1
    return text


def _fits(node, y, axes):
    """Returns a condition: a loop can do it, and is the quicker way."""
    conditions = ["PyArray_ISWRITEABLE(whole)", f"!clinchMayShare(whole, {y})"]
    few = " * ".join(["1.0", *(f"sizes[{place}]" for place in range(axes))])
    conditions.append(f"{few} <= {FEW}")
    for axis, place in _aligned(node, axes):
        size = f"PyArray_DIM({y}, {axis})"
        conditions.append(f"({size} == sizes[{place}] || {size} == 1)")
    return " && ".join(conditions)


def _aligned(node, axes):
    """Returns pairs: an axis of `y`, and the axis of the part that it is for."""
    ndim = node.inputs[1].type.ndim
    return [(axis, axes - ndim + axis) for axis in range(ndim)]


def _loop(node, y, axes, how):
    """Returns the loop, one within another for each axis."""
    item, value = (f"npy_{v.type.dtype}" for v in node.inputs[:2])
    steps = dict.fromkeys(range(axes), "0")
    for axis, place in _aligned(node, axes):
        steps[place] = f"PyArray_DIM({y}, {axis}) == 1 ? 0 : PyArray_STRIDE({y}, {axis})"
    text = f"""
    char *to = part, *from = PyArray_BYTES({y});"""
    for place, step in steps.items():
        text += f"""
    npy_intp next{place} = {step};"""
    for place in range(axes):
        text += f"""
    for (npy_intp i{place} = 0; i{place} < sizes[{place}]; ++i{place}) {{"""
    to = " + ".join(["to", *(f"i{place} * along[{place}]" for place in range(axes))])
    source = " + ".join(["from", *(f"i{place} * next{place}" for place in range(axes))])
    text += f"""
      *({item} *)({to}) {how} *({value} *)({source});"""
    return text + "}" * axes


def for_slices(node):
    op, (x, y, *indices) = node.op, node.inputs
    if not are_tensors(x, y) or not _is_converted(y.type.dtype, x.type.dtype):
        return None
    if not all(isinstance(v.type, ScalarType) and _is_whole(v) for v in indices):
        return None
    if not op.set_instead_of_inc and x.type.dtype not in ("float32", "float64"):
        return None
    return ChangedPart(op) if y.type.ndim <= _axes(node) <= _MOST_AXES else None


def _is_converted(value, item):
    """Whether C converts values of one dtype to another as NumPy does."""
    return value == item or (item[:7] != "complex" and np.can_cast(value, item))


def _is_whole(variable):
    return variable.type.dtype[:3] in ("int", "uin")
