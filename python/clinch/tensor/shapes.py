"""The lengths of arrays, as Variables."""

import numpy

from ..generic_ops import Shape_i, shape
from .operands import array_constant, as_array, ndim
from .reduce import normalized


def length(x, axis):
    """Returns the length of a dimension, as a constant if it is known."""
    known = x.type.shape[axis]
    if known is not None:
        return array_constant(numpy.int64(known))
    return Shape_i(axis)(x)


def size(x):
    """Returns the number of items."""
    from .reductions import prod
    x = as_array(x)
    if None not in x.type.shape:
        return array_constant(numpy.int64(numpy.prod(x.type.shape,
                                                     dtype="int64")))
    return prod(shape(x))


def count_along(x, axis):
    """Returns how many items are reduced to one."""
    total = array_constant(numpy.int64(1))
    for one in normalized(axis, ndim(x)):
        total = total * length(x, one)
    return total
