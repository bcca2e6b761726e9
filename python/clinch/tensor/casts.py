"""From one dtype to another, and from numbers to arrays."""

import numpy

from ..generic_ops import Cast
from ..ops import scalar_ops
from .elemwise import Elemwise
from .operands import as_operand, is_number


def to_array(number):
    """A number in C as an array of no dimension."""
    return Elemwise(scalar_ops["identity"])(number)


def astype(x, dtype):
    """An array of another dtype; itself if it has that."""
    x = as_operand(x)
    dtype = numpy.dtype(dtype).name
    if x.type.dtype == dtype and not is_number(x):
        return x
    return Elemwise(Cast(dtype))(x)
