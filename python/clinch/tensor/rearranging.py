"""The items of arrays in other places: NumPy's functions as indices, joins and
reshapes."""

from __future__ import annotations

import functools

import numpy

from ..base.annotations import Any, Axis, Callable, Mapping
from ..ops.scalar_ops import scalar_ops
from .by_numpy import applied
from .casts import astype
from .indexing import index
from .operands import SINCE_2, as_array, ndim
from .reduce import normalized
from .shapes import known_shape, shape
from .views import ravel, reshape, transpose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable

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


# Joined and taken apart.

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
