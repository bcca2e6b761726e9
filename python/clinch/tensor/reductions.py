"""sum, mean, max and the others, with NumPy's dtypes."""

from __future__ import annotations

import operator

import numpy

from ..annotations import Any, Axis
from ..ops import scalar_ops
from .casts import astype
from .operands import as_array, ndim
from .reduce import as_items, normalized, reduced
from .search import Argmax, Argmin
from .shapes import count_along

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph import Variable


def _sum_dtype(x: Variable) -> str:
    """Returns the dtype to add up in: 64 bits for small integers."""
    dtype = numpy.dtype(x.type.dtype)
    if dtype.kind == "b":
        return "int64"
    if dtype.kind in "iu":
        return "int64" if dtype.kind == "i" else "uint64"
    return dtype.name


def sum(x: Any, axis: Axis = None, dtype: str | None = None,
        keepdims: bool = False) -> Variable:
    x = as_items(x)
    return reduced("add", x, axis, dtype or _sum_dtype(x), keepdims)


def prod(x: Any, axis: Axis = None, dtype: str | None = None,
         keepdims: bool = False) -> Variable:
    x = as_items(x)
    return reduced("mul", x, axis, dtype or _sum_dtype(x), keepdims)


def mean(x: Any, axis: Axis = None, dtype: str | None = None,
         keepdims: bool = False) -> Variable:
    x = as_items(x)
    if dtype is None:
        kind = numpy.dtype(x.type.dtype).kind
        dtype = x.type.dtype if kind in "fc" else "float64"
    return reduced("add", x, axis, dtype, keepdims, mean=True)


def max(x: Any, axis: Axis = None, keepdims: bool = False) -> Variable:
    x = as_items(x)
    return reduced("maximum", x, axis, x.type.dtype, keepdims)


def min(x: Any, axis: Axis = None, keepdims: bool = False) -> Variable:
    x = as_items(x)
    return reduced("minimum", x, axis, x.type.dtype, keepdims)


def any(x: Any, axis: Axis = None, keepdims: bool = False) -> Variable:
    return reduced("logical_or", x, axis, "bool", keepdims)


def all(x: Any, axis: Axis = None, keepdims: bool = False) -> Variable:
    return reduced("logical_and", x, axis, "bool", keepdims)


def _search(kind: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    x = as_array(x)
    if axis is None:
        return kind(range(ndim(x)), keepdims, everything=True)(x)
    return kind(normalized(operator.index(axis), ndim(x)), keepdims)(x)


def argmax(x: Any, axis: Axis = None, keepdims: bool = False) -> Variable:
    return _search(Argmax, x, axis, keepdims)


def argmin(x: Any, axis: Axis = None, keepdims: bool = False) -> Variable:
    return _search(Argmin, x, axis, keepdims)


def var(x: Any, axis: Axis = None, ddof: int = 0,
        keepdims: bool = False) -> Variable:
    """Returns the mean of the squared deviations from the mean."""
    x = as_array(x)
    if numpy.dtype(x.type.dtype).kind == "c":
        raise TypeError(f"var is not defined for {x.type.dtype} here")
    away = x - mean(x, axis, keepdims=True)
    squares = scalar_ops["sqr"](away)
    if not ddof:
        return mean(squares, axis, keepdims=keepdims)
    count = astype(count_along(x, axis), squares.type.dtype)
    degrees = scalar_ops["maximum"](count - float(ddof), 0.0)
    return sum(squares, axis, keepdims=keepdims) / degrees


def std(x: Any, axis: Axis = None, ddof: int = 0,
        keepdims: bool = False) -> Variable:
    return scalar_ops["sqrt"](var(x, axis, ddof, keepdims))
