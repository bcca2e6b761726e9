"""Sorts, joins, sums and the like, each by one call of a function in `vectors.c`."""

from pytensor.graph.basic import Constant
from pytensor.tensor.basic import Eye, Join
from pytensor.tensor.extra_ops import CumOp
from pytensor.tensor.math import Sum
from pytensor.tensor.sort import ArgSortOp, SortOp

from clinch.pytensor.c_files import c_text
from clinch.pytensor.native.op import NativeOp, are_tensors
from clinch.pytensor.registry import register

FLOATS = ("float32", "float64")


class ArrayOp(NativeOp):
    """An Op whose C is in `arrays.c` and a file of its kind."""

    file: str

    def c_support_code(self, **_):
        return [c_text("native/arrays.c"), c_text(f"native/{self.file}")]


class Called(ArrayOp):
    """One call, with `{0}` for the first input, and so on, and `given` for all."""

    file = "vectors.c"

    def __init__(self, original, call):
        super().__init__(original)
        self.call = call

    def c_code(self, node, name, inputs, outputs, sub):
        return f"""{{
  PyArrayObject *given[] = {{{", ".join(inputs)}}};
  (void)given;
  if ({self.call.format(*inputs)}, &{outputs[0]}) < 0)
    {sub["fail"]}
}}"""


def _number(variable):
    return variable.type.dtype_specs()[2]


_KINDS = {
    "quicksort": "NPY_QUICKSORT",
    "heapsort": "NPY_HEAPSORT",
    "mergesort": "NPY_STABLESORT",
    "stable": "NPY_STABLESORT",
}


def for_sorting(node):
    op = node.op
    if not are_tensors(*node.inputs, *node.outputs) or op.kind not in _KINDS:
        return None
    # The axis is the second input, or since PyTensor 3.3 a property of the Op.
    if len(node.inputs) + ("axis" in op.__props__) != 2:
        return None
    gives = isinstance(op, ArgSortOp)
    if gives and node.outputs[0].type.dtype != "int64":
        return None
    axis = "{1}, 0" if len(node.inputs) == 2 else f"nullptr, {op.axis}"
    return Called(op, f"clinchSort({{0}}, {axis}, {_KINDS[op.kind]}, {int(gives)}")


def for_eye(node):
    dtype = node.outputs[0].type.dtype
    known = set(node.op.__props__) == {"dtype"} and are_tensors(*node.inputs)
    whole = all(v.type.dtype[:3] in ("int", "uin") for v in node.inputs)
    if not known or not whole or dtype[:7] in ("complex", "float16"):
        return None
    return Called(node.op, f"clinchEye({{0}}, {{1}}, {{2}}, {_number(node.outputs[0])}")


def for_cumulated(node):
    (x,) = node.inputs
    plain = are_tensors(x) and x.type.ndim == 1 and node.op.axis in (0, None)
    adds = int(node.op.mode == "add")
    fits = plain and x.type.dtype in FLOATS
    return Called(node.op, f"clinchCumulate({{0}}, {adds}") if fits else None


def for_join(node):
    vectors = node.inputs
    if not hasattr(node.op, "axis"):
        # Before PyTensor 3.3 the axis is an input, which need not be constant.
        axis, *vectors = node.inputs
        if not isinstance(axis, Constant):
            return None
    (z,) = node.outputs
    alike = are_tensors(z, *vectors) and all(v.type.dtype == z.type.dtype for v in vectors)
    if not alike or z.type.ndim != 1:
        return None
    before = len(node.inputs) - len(vectors)
    return Called(node.op, f"clinchJoin({len(vectors)}, given + {before}")


def for_sum(node):
    op, (x,), (z,) = node.op, node.inputs, node.outputs
    accumulated = op.acc_dtype or z.type.dtype
    floats = {x.type.dtype, z.type.dtype, accumulated} <= set(FLOATS)
    if not floats or x.type.ndim != 1 or z.type.ndim != 0:
        return None
    in_floats = int(accumulated == "float32")
    return Called(op, f"clinchSum({{0}}, {in_floats}, {_number(z)}")


register(Eye, for_eye)
register(SortOp, for_sorting)
register(ArgSortOp, for_sorting)
register(CumOp, quicker=for_cumulated)
register(Join, quicker=for_join)
register(Sum, quicker=for_sum)
