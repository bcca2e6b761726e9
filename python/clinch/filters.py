"""Filters the values of arguments before compiled code sees them."""

import numpy

from . import _clinch
from .scalar import Double, Scalar
from .tensor import TensorType


_arrays_known = _clinch.check_array_layout(numpy.zeros((2, 3)))


def quick_check(variable_type):
    """Returns the (class, (dtype, shape)) of values that need no filter. The
    extension compares with these before it calls the Type's filter."""
    cls = type(variable_type)
    if "filter" in getattr(variable_type, "__dict__", ()):
        return None, None
    if cls is Double:
        return float, None
    if cls is Scalar:
        return variable_type._class, None
    if cls is TensorType and _arrays_known and not variable_type.contiguous:
        return numpy.ndarray, (variable_type.numpy_dtype, variable_type.shape)
    return None, None


def filter_of(item):
    variable_type = item.variable.type
    inplace = getattr(variable_type, "filter_inplace", None)
    options = {}
    if item.strict:
        options["strict"] = True
    if item.allow_downcast is not None:
        options["allow_downcast"] = item.allow_downcast
    if inplace is not None:
        return lambda value, storage: inplace(value, storage, **options)
    plain = variable_type.filter
    return lambda value, storage: plain(value, **options)
