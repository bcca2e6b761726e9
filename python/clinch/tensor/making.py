"""Makes new arrays: joined, counted, filled."""

from __future__ import annotations

import numpy

from ..base.annotations import Any, Mapping, Sequence
from ..types.array_type import TensorType
from ..ops.generic_ops import Shape_i
from ..graph.variables import Apply
from ..types.scalars import scalars, upcast
from .api import ApiOp, as_integer, integer_text, integer_value, known
from .casts import astype
from .indexing import index
from .operands import as_array, as_operand, check_ndim, is_number, ndim, shape_of
from .reduce import _axis_error
from .views import ravel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable


class Concatenate(ApiOp):
    """Joins arrays of one dtype along an axis."""

    __props__ = ("axis",)

    def __init__(self, axis: int) -> None:
        self.axis = axis

    def make_node(self, *arrays: Any) -> Apply:
        given = [as_array(x) for x in arrays]
        shape = list(shape_of(given[0]))
        lengths = [x.type.shape[self.axis] for x in given]
        for number, x in enumerate(given[1:], 1):
            _check_rest(shape, shape_of(x), self.axis, number)
            shape = [a if a is not None else b
                     for a, b in zip(shape, shape_of(x))]
        shape[self.axis] = None if None in lengths else sum(lengths)
        return Apply(self, given,
                     [TensorType(given[0].type.dtype, shape)()])

    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        given = ", ".join(f"(PyObject *){x}" for x in inputs)
        return (f"PyObject *all = PyTuple_Pack({len(inputs)}, {given});\n"
                + self.result(node, outputs[0],
                              f"all ? PyArray_Concatenate(all, {self.axis}) "
                              f": NULL", sub["fail"], "Py_XDECREF(all);\n"))

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        output_storage[0][0] = numpy.concatenate(inputs, self.axis)


def _check_rest(first: Sequence[int | None], other: Sequence[int | None], axis: int,
                number: int) -> None:
    """Raises NumPy's error if the array of this number cannot be joined to the
    first."""
    if len(first) != len(other):
        raise ValueError(
            f"all the input arrays must have same number of dimensions, but "
            f"the array at index 0 has {len(first)} dimension(s) and the array "
            f"at index {number} has {len(other)} dimension(s)")
    for k, (n, m) in enumerate(zip(first, other)):
        if k != axis and None not in (n, m) and n != m:
            raise ValueError(
                f"all the input array dimensions except for the concatenation "
                f"axis must match exactly, but along dimension {k}, the array "
                f"at index 0 has size {n} and the array at index {number} has "
                f"size {m}")


def _of_one_dtype(arrays: Any) -> list[Variable]:
    arrays = [as_array(x) for x in arrays]
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    dtype = upcast(*[x.type.dtype for x in arrays])
    return [astype(x, dtype) for x in arrays]


def concatenate(arrays: Any, axis: int | None = 0) -> Variable:
    """Joins arrays along an axis; axis None joins all their items."""
    arrays = _of_one_dtype(arrays)
    if axis is None:
        arrays, axis = [ravel(x) for x in arrays], 0
    count = ndim(arrays[0])
    if count == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    if not -count <= axis < count:
        raise _axis_error(axis, count)
    return Concatenate(axis % count)(*arrays)


def _may_be_alike(a: Sequence[int | None], b: Sequence[int | None]) -> bool:
    return len(a) == len(b) and all(
        None in (n, m) or n == m for n, m in zip(a, b))


def stack(arrays: Any, axis: int = 0) -> Variable:
    """Joins arrays of one shape along a new axis."""
    arrays = _of_one_dtype(arrays)
    count = ndim(arrays[0]) + 1
    if not -count <= axis < count:
        raise _axis_error(axis, count)
    key = (slice(None),) * (axis % count) + (None,)
    if not all(_may_be_alike(shape_of(arrays[0]), shape_of(x))
               for x in arrays):
        raise ValueError("all input arrays must have the same shape")
    return Concatenate(axis % count)(*[index(x, key) for x in arrays])


class Arange(ApiOp):
    """start, start + step and so on, before stop."""

    __props__ = ("dtype",)

    def __init__(self, dtype: str) -> None:
        self.dtype = numpy.dtype(dtype).name

    def make_node(self, start: Any, stop: Any, step: Any) -> Apply:
        ends = [as_operand(v) for v in (start, stop, step)]
        values = [known(v) for v in ends]
        length = None
        if all(v is not None for v in values):
            # With Python's numbers a step of zero raises here already.
            length = len(numpy.arange(*[numpy.asarray(v).item()
                                        for v in values], dtype=self.dtype))
        return Apply(self, ends, [TensorType(self.dtype, (length,))()])

    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        ends = [_number_object(v, text)
                for v, text in zip(node.inputs, inputs)]
        typenum = numpy.dtype(self.dtype).num
        call = (f"a && b && c ? PyArray_ArangeObj(a, b, c, "
                f"PyArray_DescrFromType({typenum})) : NULL")
        return (f"PyObject *a = {ends[0]}, *b = {ends[1]}, *c = {ends[2]};\n"
                + self.result(node, outputs[0], call, sub["fail"],
                              "Py_XDECREF(a);\nPy_XDECREF(b);\n"
                              "Py_XDECREF(c);\n"))

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        ends = [numpy.asarray(v)[()].item() for v in inputs]
        output_storage[0][0] = numpy.arange(*ends, dtype=self.dtype)


def _number_object(variable: Variable, name: str) -> str:
    """Returns C that makes a Python number from an operand without dimensions."""
    item = scalars[variable.type.dtype].c_element_type()
    text = name if is_number(variable) else f"*({item} *)PyArray_DATA({name})"
    kind = numpy.dtype(variable.type.dtype).kind
    if kind in "bi":
        return f"PyLong_FromLongLong({text})"
    if kind == "u":
        return f"PyLong_FromUnsignedLongLong({text})"
    return f"PyFloat_FromDouble({text})"


def arange(start: Any, stop: Any = None, step: Any = 1,
           dtype: str | None = None) -> Variable:
    """Returns the numbers from start up to, not including, stop, as in NumPy."""
    if stop is None:
        start, stop = 0, start
    ends = [as_operand(v) for v in (start, stop, step)]
    for v in ends:
        if ndim(v) or numpy.dtype(v.type.dtype).kind == "c":
            raise TypeError(f"arange() takes real numbers, not {v!r} of type "
                            f"{v.type}")
    if dtype is None:
        dtype = upcast(*[v.type.dtype for v in ends], "int64")
    return Arange(dtype)(*ends)


class Full(ApiOp):
    """Makes an array of these lengths whose items are all the same."""

    __props__ = ("dtype",)

    def __init__(self, dtype: Any) -> None:
        self.dtype = numpy.dtype(dtype).name

    def make_node(self, value: Any, *lengths: Any) -> Apply:
        check_ndim(len(lengths))
        value = astype(as_array(value), self.dtype)
        sizes = [as_integer(n) for n in lengths]
        shape = [None if known(n) is None else int(known(n)) for n in sizes]
        if any(n is not None and n < 0 for n in shape):
            raise ValueError("negative dimensions are not allowed")
        return Apply(self, [value, *sizes], [TensorType(self.dtype, shape)()])

    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        count = len(inputs) - 1
        lengths = ", ".join(integer_text(v, text) for v, text in
                            zip(node.inputs[1:], inputs[1:])) or "0"
        typenum = numpy.dtype(self.dtype).num
        return (f"npy_intp lengths[] = {{{lengths}}};\n"
                f"PyObject *full = PyArray_EMPTY({count}, lengths, {typenum}, "
                f"0);\n"
                f"if (full && PyArray_CopyInto((PyArrayObject *)full, "
                f"{inputs[0]}) < 0)\nPy_CLEAR(full);\n"
                + self.result(node, outputs[0], "full", sub["fail"]))

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        shape = [integer_value(n) for n in inputs[1:]]
        output_storage[0][0] = numpy.full(shape, inputs[0], self.dtype)


def full(shape: Any, value: Any, dtype: str | None = None) -> Variable:
    """Returns an array of this shape whose items are all `value`."""
    if not isinstance(shape, (tuple, list)):
        shape = (shape,)
    if dtype is None:
        dtype = as_operand(value).type.dtype
    return Full(dtype)(value, *shape)


def zeros(shape: Any, dtype: str | None = "float64") -> Variable:
    return full(shape, 0, dtype)


def ones(shape: Any, dtype: str | None = "float64") -> Variable:
    return full(shape, 1, dtype)


def full_like(x: Any, value: Any, dtype: str | None = None) -> Variable:
    """Returns an array of x's shape whose items are all `value`."""
    x = as_array(x)
    lengths = [n if n is not None else Shape_i(k)(x)
               for k, n in enumerate(x.type.shape)]
    return full(tuple(lengths), value, dtype or x.type.dtype)


def zeros_like(x: Any, dtype: str | None = None) -> Variable:
    return full_like(x, 0, dtype)


#: NumPy leaves the items as they are in memory.
empty_like = zeros_like


def ones_like(x: Any, dtype: str | None = None) -> Variable:
    return full_like(x, 1, dtype)
