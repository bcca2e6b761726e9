"""The items of arrays in other places: NumPy's functions as indices, joins and
reshapes."""

from __future__ import annotations

import functools

import numpy

from ..annotations import Any, Axis, Callable, Mapping, Sequence
from ..graph import Apply
from ..ops import scalar_ops
from .api import ApiOp, as_integer, integer_text, integer_value
from .by_numpy import applied
from .casts import astype
from .indexing import index
from .making import arange, concatenate
from .operands import SINCE_2, as_array, ndim
from .reduce import normalized
from .shapes import known_shape, shape
from .views import ravel, reshape, swapaxes, transpose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph import Variable

_maximum, _minimum = scalar_ops["maximum"], scalar_ops["minimum"]


def _axes(axis: Any) -> tuple[Any, ...]:
    return tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)


def _along(axis: int, key: Any) -> tuple[Any, ...]:
    """Returns the key that is this one along an axis."""
    return (slice(None),) * axis + (key,)


# Dimensions.

def expand_dims(x: Any, axis: Axis) -> Variable:
    x = as_array(x)
    count = ndim(x) + len(_axes(axis))
    new = normalized(_axes(axis), count)
    return index(x, tuple(None if k in new else slice(None) for k in range(count)))


def squeeze(x: Any, axis: Axis = None) -> Variable:
    """Leaves out dimensions of length 1; without `axis` all, as far as is known."""
    x = as_array(x)
    if axis is None:
        axis = tuple(k for k, n in enumerate(known_shape(x, "squeeze")) if n == 1)
    gone = normalized(_axes(axis), ndim(x))
    lengths = [x.type.shape[k] for k in gone]
    if any(n not in (None, 1) for n in lengths):
        raise ValueError("cannot select an axis to squeeze out which has size not equal "
                         "to one")
    if None in lengths:  # The call may find another length there.
        return reshape(x, [n for k, n in enumerate(shape(x)) if k not in gone])
    return index(x, tuple(0 if k in gone else slice(None) for k in range(ndim(x))))


def _at_least(count: int, where: Mapping[int, Any]) -> Callable[..., Any]:
    def made(*arrays: Any) -> Any:
        found = [as_array(x) for x in arrays]
        found = [index(x, where[ndim(x)]) if ndim(x) < count else x for x in found]
        if len(found) == 1:
            return found[0]
        return tuple(found) if SINCE_2 else found
    return made


_ALL = slice(None)
atleast_1d = _at_least(1, {0: (None,)})
atleast_2d = _at_least(2, {0: (None, None), 1: (None, _ALL)})
atleast_3d = _at_least(3, {0: (None,) * 3, 1: (None, _ALL, None),
                           2: (_ALL, _ALL, None)})


def moveaxis(x: Any, source: Axis, destination: Axis) -> Variable:
    x = as_array(x)
    for one in (*_axes(source), *_axes(destination)):
        normalized(one, ndim(x))
    old, new = ([k % ndim(x) for k in _axes(one)] for one in (source, destination))
    if len(old) != len(new):
        raise ValueError("`source` and `destination` arguments must have the same "
                         "number of elements")
    order = [k for k in range(ndim(x)) if k not in old]
    for place, axis in sorted(zip(new, old)):
        order.insert(place, axis)
    return transpose(x, order)


def broadcast_arrays(*arrays: Any) -> Any:
    found = [as_array(x) for x in arrays]
    whole = functools.reduce(lambda x, y: index(x, ...) * 0 + y * 0,
                             [astype(x, "bool") for x in found])
    made = [applied("broadcast_to", x, shape(whole)) for x in found]
    return tuple(made) if SINCE_2 else made


def meshgrid(*arrays: Any, indexing: str = "xy") -> Any:
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    found = [ravel(x) for x in arrays]
    order = list(range(len(found)))
    if indexing == "xy" and len(found) > 1:
        order[:2] = 1, 0
    lengths = [shape(found[k])[0] for k in order]
    made = [applied("broadcast_to", index(x, (..., *[_ALL if k == place else None
                                                     for place in order])), tuple(lengths))
            for k, x in enumerate(found)]
    return tuple(made) if SINCE_2 else made


# Order.

def flip(x: Any, axis: Axis = None) -> Variable:
    x = as_array(x)
    turned = normalized(axis if axis is None else _axes(axis), ndim(x))
    return index(x, tuple(slice(None, None, -1) if k in turned else _ALL
                          for k in range(ndim(x))))


def flipud(x: Any) -> Variable:
    return flip(x, 0)


def fliplr(x: Any) -> Variable:
    return flip(x, 1)


def rot90(x: Any, k: int = 1, axes: Sequence[int] = (0, 1)) -> Variable:
    """Turns an array by right angles, from the first of two axes to the second."""
    first, second = axes
    if k % 4 == 0:
        return flip(flip(x, first), first)
    if k % 4 == 2:
        return flip(flip(x, first), second)
    return swapaxes(flip(x, second), first, second) if k % 4 == 1 \
        else flip(swapaxes(x, first, second), second)


class Roll(ApiOp):
    """Moves items along an axis; those that leave at one end enter at the other."""

    __props__ = ("axis",)

    def __init__(self, axis: int) -> None:
        self.axis = axis

    def make_node(self, x: Any, shift: Any) -> Apply:
        return Apply(self, [x, as_integer(shift)], [x.type()])

    def c_support_code(self, **kwargs: Any) -> list[str]:
        return [*super().c_support_code(), "#include <clinch/slice.h>"]

    def c_code(self, node: Apply, name: str, inputs: Sequence[str],
               outputs: Sequence[str], sub: Mapping[str, str]) -> str:
        by = integer_text(node.inputs[1], inputs[1])
        return self.result(node, outputs[0],
                           f"clinch_roll({inputs[0]}, {by}, {self.axis})", sub["fail"])

    def perform(self, node: Apply, inputs: Sequence[Any],
                output_storage: Sequence[list[Any]]) -> None:
        output_storage[0][0] = numpy.roll(inputs[0], integer_value(inputs[1]), self.axis)


def roll(x: Any, shift: Any, axis: Axis = None) -> Variable:
    """Moves items along axes; what leaves at one end enters at the other."""
    x = as_array(x)
    if axis is None:
        return roll(x, shift, 0) if ndim(x) == 1 else \
            reshape(roll(ravel(x), shift, 0), shape(x))
    shifts, axes = _axes(shift), _axes(axis)
    count = max(len(shifts), len(axes))
    if {len(shifts), len(axes)} - {1, count}:
        raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
    for by, one in zip(shifts * (count // len(shifts)), axes * (count // len(axes))):
        x = Roll(*normalized(one, ndim(x)))(x, by)
    return x


# Joined and taken apart.

def hstack(arrays: Any) -> Variable:
    found = [atleast_1d(x) for x in arrays]
    return concatenate(found, 0 if found and ndim(found[0]) == 1 else 1)


def vstack(arrays: Any) -> Variable:
    return concatenate([atleast_2d(x) for x in arrays], 0)


def dstack(arrays: Any) -> Variable:
    return concatenate([atleast_3d(x) for x in arrays], 2)


def column_stack(arrays: Any) -> Variable:
    found = [as_array(x) for x in arrays]
    return concatenate([transpose(atleast_2d(x)) if ndim(x) < 2 else x for x in found], 1)


def block(arrays: Any) -> Variable:
    """Joins nested lists of arrays: the innermost along the last dimension."""
    def leaves(nested: Any) -> list[tuple[int, Variable]]:
        if not isinstance(nested, list):
            return [(0, as_array(nested))]
        return [(depth + 1, x) for one in nested for depth, x in leaves(one)]

    found = leaves(arrays)
    if not found or len({depth for depth, _ in found}) > 1:
        raise ValueError("List depths are mismatched, or a list is empty")
    count = max(found[0][0], *(ndim(x) for _, x in found))

    def joined(nested: Any, depth: int) -> Variable:
        if depth:
            return concatenate([joined(one, depth - 1) for one in nested], -depth)
        x = as_array(nested)
        return index(x, (None,) * (count - ndim(x)) + (...,))
    return joined(arrays, found[0][0])


def append(x: Any, values: Any, axis: int | None = None) -> Variable:
    return concatenate([x, values], axis)


def array_split(x: Any, parts: Any, axis: int = 0) -> list[Variable]:
    """Returns the parts: so many, or those that begin at these indices."""
    x = as_array(x)
    (axis,) = normalized(axis, ndim(x))
    if isinstance(parts, int):
        if parts <= 0:
            raise ValueError("number sections must be larger than 0.")
        size, more = divmod(known_shape(x, "split")[axis], parts)
        ends = numpy.cumsum([size + (k < more) for k in range(parts)])[:-1]
        parts = [int(end) for end in ends]
    return [index(x, _along(axis, slice(start, stop)))
            for start, stop in zip([None, *parts], [*parts, None])]


def split(x: Any, parts: Any, axis: int = 0) -> list[Variable]:
    x = as_array(x)
    if isinstance(parts, int) and parts > 0 \
            and known_shape(x, "split")[normalized(axis, ndim(x))[0]] % parts:
        raise ValueError("array split does not result in an equal division")
    return array_split(x, parts, axis)


def hsplit(x: Any, parts: Any) -> list[Variable]:
    return split(x, parts, 1 if ndim(as_array(x)) > 1 else 0)


def vsplit(x: Any, parts: Any) -> list[Variable]:
    return split(x, parts, 0)


def dsplit(x: Any, parts: Any) -> list[Variable]:
    return split(x, parts, 2)


def take(x: Any, indices: Any, axis: Axis = None) -> Variable:
    x = as_array(x)
    if axis is None:
        x, axis = ravel(x), 0
    (place,) = normalized(axis, ndim(x))
    if not isinstance(indices, int):
        indices = as_array(indices)
    return index(x, _along(place, indices))


# Diagonals.

def _places(x: Any, offset: int) -> tuple[Variable, Variable]:
    """Returns the indices of the diagonal of the last two dimensions."""
    rows, columns = shape(x)[-2:]
    down, right = max(-offset, 0), max(offset, 0)
    ends = rows - down, columns - right
    length = (max(min(ends), 0) if all(isinstance(n, int) for n in ends)
              else _maximum(_minimum(*ends), 0))
    return arange(length) + down, arange(length) + right


def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Variable:
    x = as_array(x)
    if ndim(x) < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    x = moveaxis(x, (axis1, axis2), (-2, -1))
    return index(x, (..., *_places(x, offset)))


def diag(x: Any, k: int = 0) -> Variable:
    """Returns the diagonal of a matrix, or the matrix with this diagonal."""
    x = as_array(x)
    return diagonal(x, k) if ndim(x) == 2 else applied("diag", x, k)
