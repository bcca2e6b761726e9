"""Views of the same memory in another shape: transpose, reshape."""

from __future__ import annotations

import numpy

from ..base.annotations import Any, Iterable, Mapping, Sequence
from ..types.array_type import TensorType
from ..ops.generic_ops import deep_copy_op
from ..graph.variables import Apply
from .api import ApiOp, as_integer, integer_text, integer_value, known
from .operands import as_array, check_ndim, ndim
from .reduce import _axis_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable


class Transpose(ApiOp):
    """Reorders the dimensions."""

    __props__ = ("axes",)
    view_map = {0: [0]}

    def __init__(self, axes: Iterable[int]) -> None:
        self.axes = tuple(axes)

    def make_node(self, x: Any) -> Apply:
        x = as_array(x)
        shape = [x.type.shape[k] for k in self.axes]
        return Apply(self, [x], [TensorType(x.type.dtype, shape)()])

    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        axes = ", ".join(map(str, self.axes)) or "0"
        return (f"npy_intp axes[] = {{{axes}}};\n"
                f"PyArray_Dims order = {{axes, {len(self.axes)}}};\n"
                + self.result(node, outputs[0],
                              f"PyArray_Transpose({inputs[0]}, &order)",
                              sub["fail"]))

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        output_storage[0][0] = numpy.transpose(inputs[0], self.axes)


class Reshape(ApiOp):
    """Gives the items, in C order, another shape; -1 is the length left over."""

    __props__ = ("ndim",)
    view_map = {0: [0]}

    def __init__(self, ndim: int) -> None:
        self.ndim = ndim

    def make_node(self, x: Any, *lengths: Any) -> Apply:
        check_ndim(self.ndim)
        x, wanted = as_array(x), [as_integer(n) for n in lengths]
        sizes = [known(n) for n in wanted]
        shape = [None if n is None or n < 0 else int(n) for n in sizes]
        _check_size(x.type.shape, sizes)
        return Apply(self, [x, *wanted], [TensorType(x.type.dtype, shape)()])

    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        lengths = ", ".join(
            integer_text(v, text)
            for v, text in zip(node.inputs[1:], inputs[1:])) or "0"
        return (f"npy_intp lengths[] = {{{lengths}}};\n"
                f"PyArray_Dims shape = {{lengths, {self.ndim}}};\n"
                + self.result(node, outputs[0],
                              f"PyArray_Newshape({inputs[0]}, &shape, "
                              f"NPY_CORDER)", sub["fail"]))

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        shape = [integer_value(n) for n in inputs[1:]]
        output_storage[0][0] = numpy.reshape(inputs[0], shape)


def _check_size(old: Sequence[int | None], new: Sequence[Any]) -> None:
    """Raises NumPy's error if both shapes are known and do not match."""
    if None in old or any(n is None for n in new):
        return
    whole: Any = old
    numpy.reshape(numpy.broadcast_to(numpy.int8(0), whole), [int(n) for n in new])


def transpose(x: Any, axes: Sequence[int] | None = None) -> Variable:
    """Reorders the dimensions; reverses them if no order is given."""
    x = as_array(x)
    count = ndim(x)
    if axes is None:
        return Transpose(reversed(range(count)))(x)
    axes = tuple(axes)
    if len(axes) != count:
        raise ValueError("axes don't match array")
    for axis in axes:
        if not -count <= axis < count:
            raise _axis_error(axis, count)
    axes = tuple(axis % count for axis in axes)
    if len(set(axes)) != count:
        raise ValueError("repeated axis in transpose")
    return Transpose(axes)(x)


def swapaxes(x: Any, a: int, b: int) -> Variable:
    x = as_array(x)
    order = list(range(ndim(x)))
    for name, axis in (("axis1", a), ("axis2", b)):
        if not -len(order) <= axis < len(order):
            raise _axis_error(axis, len(order), name)
    order[a], order[b] = order[b], order[a]
    return Transpose(order)(x)


def reshape(x: Any, shape: Any) -> Variable:
    """Gives the items, in C order, another shape."""
    if not isinstance(shape, (tuple, list)):
        shape = (shape,)
    return Reshape(len(shape))(x, *shape)


def copy(x: Any) -> Variable:
    """Returns a copy, on which an Op may work in place."""
    return deep_copy_op(as_array(x))


def ravel(x: Any) -> Variable:
    """Puts all items, in C order, along one dimension."""
    return reshape(x, (-1,))


def reshape_to(x: Any, *shape: Any) -> Variable:
    """Implements x.reshape(2, 3) and x.reshape((2, 3))."""
    return reshape(x, shape[0] if len(shape) == 1 else shape)


def transpose_to(x: Any, *axes: Any) -> Variable:
    """Implements x.transpose(), x.transpose(1, 0) and x.transpose((1, 0))."""
    if len(axes) == 1 and not isinstance(axes[0], int):
        axes = axes[0]
    return transpose(x, axes or None)
