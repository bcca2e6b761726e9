"""The lengths of arrays, as Variables."""

import numpy

from ..generic_ops import Shape_i
from .operands import array_constant, ndim
from .reduce import normalized


def length(x, axis):
    """Returns the length of a dimension, as a constant if it is known."""
    known = x.type.shape[axis]
    if known is not None:
        return array_constant(numpy.int64(known))
    return Shape_i(axis)(x)


def count_along(x, axis):
    """Returns how many items are reduced to one."""
    total = array_constant(numpy.int64(1))
    for one in normalized(axis, ndim(x)):
        total = total * length(x, one)
    return total
