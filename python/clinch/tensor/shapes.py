"""The lengths of arrays, as Variables."""

from __future__ import annotations

import functools
import operator

import numpy

from ..base.annotations import Any, Axis
from ..ops.generic_ops import Shape_i
from .operands import array_constant, as_array, ndim
from .reduce import normalized


def shape(x: Any) -> Any:
    """Returns the lengths: of each dimension an int if it is known, else a Variable."""
    x = as_array(x)
    return tuple(Shape_i(axis)(x) if known is None else known
                 for axis, known in enumerate(x.type.shape))


def known_shape(x: Any, name: str) -> Any:
    """Returns the lengths, or raises if one is not known before a call."""
    if None in x.type.shape:
        raise TypeError(f"{name}() of {x!r} needs lengths that only a call knows")
    return x.type.shape


def size(x: Any, axis: Axis = None) -> Any:
    """Returns the number of items, or a length, as `shape` does."""
    lengths = shape(x)
    if axis is not None:
        return lengths[axis]
    return functools.reduce(operator.mul, lengths, 1)


def length(x: Any, axis: int) -> Any:
    """Returns the length of a dimension, as a constant if it is known."""
    known = x.type.shape[axis]
    if known is not None:
        return array_constant(numpy.int64(known))
    return Shape_i(axis)(x)


def count_along(x: Any, axis: Axis) -> Any:
    """Returns how many items are reduced to one."""
    total = array_constant(numpy.int64(1))
    for one in normalized(axis, ndim(x)):
        total = total * length(x, one)
    return total
