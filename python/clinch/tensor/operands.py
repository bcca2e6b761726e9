"""Operands of Ops on arrays: Variables, arrays, and Python numbers, which take
the dtype of the other operands, as in NumPy 2."""

from __future__ import annotations

import numpy

from ..base.annotations import Any, Sequence
from ..types.array_type import TensorType, refuse_mask
from ..graph.variables import Constant, Variable
from ..base.integers import beyond
from ..ops.scalar_ops import scalar_ops
from ..types.scalars import scalars
from ..types.type import what

_KINDS = {bool: "b", int: "i", float: "f", complex: "c"}
_DEFAULT = {"b": "bool", "i": "int64", "f": "float64", "c": "complex128"}


def is_number(variable: Variable) -> bool:
    """Whether a Variable is a C number and not an array."""
    return (not hasattr(variable.type, "ndim")
            and getattr(variable.type, "dtype", None) in scalars)


def is_weak(value: Any) -> bool:
    """Whether a value takes the dtype of the other operands."""
    return type(value) in _KINDS


def ndim(variable: Variable) -> int:
    return getattr(variable.type, "ndim", 0)


def shape_of(variable: Variable) -> tuple[int | None, ...]:
    return getattr(variable.type, "shape", ())


def array_constant(value: Any, dtype: Any = None) -> Constant:
    refuse_mask(value)
    array = numpy.asarray(value, dtype)
    if array.dtype.name not in scalars:
        raise TypeError(f"{what(value)} of dtype {array.dtype} is nothing "
                        f"that Clinch computes with")
    return Constant(TensorType(array.dtype.name, array.shape), array)


def as_operand(value: Any) -> Variable:
    """Converts a value to a Variable: an array, or a C number."""
    if isinstance(value, Variable):
        if isinstance(value.type, TensorType) or is_number(value):
            return value
        raise TypeError(f"{value!r} has type {value.type}, which is not an "
                        f"array")
    if isinstance(value, (list, tuple)) and any(
            isinstance(item, Variable) for item in value):
        raise TypeError("a list of Variables is no array; `stack` makes one")
    return array_constant(value)


def as_array(value: Any) -> Variable:
    """Converts a value to a Variable of a TensorType."""
    value = as_operand(value)
    if is_number(value):
        return TensorType.applying(scalar_ops["identity"])(value)
    return value


def weak(value: Any, dtypes: Sequence[str], rule: str = "") -> Any:
    """Returns a Python number with the dtype that it takes beside these, as an
    array. `rule` is of an integer that the dtype does not hold; see `beyond`."""
    if dtypes and rule == "truth":
        value = value != 0  # Which a dtype may round to 0.
    kind = _KINDS[type(value)]
    dtype = _DEFAULT[kind]
    if dtypes:
        strong = numpy.result_type(*dtypes)
        order = "bifc"
        found = "i" if strong.kind == "u" else strong.kind
        if order.index(kind) <= order.index(found):
            dtype = strong.name
        elif kind == "c" and strong.name in ("float16", "float32"):
            dtype = "complex64"
    if numpy.dtype(dtype).kind in "iu":
        ends = numpy.iinfo(dtype)
        if not ends.min <= value <= ends.max:
            value, dtype = beyond(value, dtype, rule)
    return numpy.asarray(value, dtype)


def as_operands(values: Sequence[Any], rule: str = "") -> list[Variable]:
    """Converts all values to Variables; Python numbers adapt to the others."""
    found = [None if is_weak(v) else as_operand(v) for v in values]
    strong = [v.type.dtype for v in found if v is not None]
    return [array_constant(weak(value, strong, rule))
            if variable is None else variable
            for value, variable in zip(values, found)]


#: Whether NumPy is 2 or later, whose messages differ.
SINCE_2 = int(numpy.__version__.split(".")[0]) >= 2
#: NumPy's limit on dimensions.
MOST_DIMS = 64 if SINCE_2 else 32


def check_ndim(count: int) -> None:
    """Raises NumPy's ValueError if an array would have too many dimensions."""
    if count > MOST_DIMS:
        said = f"currently {MOST_DIMS}" if SINCE_2 else MOST_DIMS
        raise ValueError(f"maximum supported dimension for an ndarray is "
                         f"{said}, found {count}")


def broadcast_shape(shapes: Sequence[Sequence[int | None]]) -> tuple[int | None, ...]:
    """Returns the broadcast shape, as far as it is known; raises NumPy's
    ValueError if the shapes cannot match."""
    length = max(map(len, shapes), default=0)
    result = []
    for axis in range(length):
        sizes = {shape[axis - length + len(shape)] for shape in shapes
                 if axis - length + len(shape) >= 0}
        known = {n for n in sizes if n not in (None, 1)}
        if len(known) > 1:
            said = " ".join(shape_text(shape) for shape in shapes)
            raise ValueError(f"operands could not be broadcast together with "
                             f"shapes {said} ")
        result.append(known.pop() if known else None if None in sizes else 1)
    return tuple(result)


def shape_text(shape: Sequence[int | None]) -> str:
    """Writes "(2,?)" in NumPy's form."""
    inner = ",".join("?" if n is None else str(n) for n in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"


def check_fits(given: Sequence[int | None], place: Sequence[int | None]) -> None:
    """Raises NumPy's ValueError if an array of shape `given` cannot be assigned
    to `place`; leading dimensions of length 1 may be dropped."""
    fits = all(n in (None, 1) for n in given[:max(0, len(given) - len(place))])
    for n, room in zip(reversed(given), reversed(place)):
        fits &= n in (None, 1) or room is None or n == room
    if not fits:
        raise ValueError(f"could not broadcast input array from shape "
                         f"{shape_text(given)} into shape {shape_text(place)}")
