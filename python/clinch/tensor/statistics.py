"""NumPy's functions along axes that are formulas of others."""

from __future__ import annotations

import math

from ..base.annotations import Any, Axis
from ..ops.scalar_ops import scalar_ops
from . import reductions
from .casts import astype
from .formulas import kind_of, where
from .indexing import index
from .operands import array_constant, as_array, ndim
from .reduce import normalized
from .reductions import all, in_singles, max, mean, min, sum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable

_op = scalar_ops.__getitem__


def diff(x: Any, n: int = 1, axis: int = -1) -> Variable:
    """Returns the differences of neighbours, n times."""
    x = as_array(x)
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    if not ndim(x):
        raise ValueError("diff requires input that is at least one dimensional")
    (axis,) = normalized(axis, ndim(x))
    before = (slice(None),) * axis
    less = _op("neq" if kind_of(x) == "b" else "sub")
    for _ in range(n):
        x = less(index(x, (*before, slice(1, None))), index(x, (*before, slice(None, -1))))
    return x


def ptp(x: Any, axis: Axis = None, keepdims: bool = False) -> Variable:
    return max(x, axis, keepdims) - min(x, axis, keepdims)


def count_nonzero(x: Any, axis: Axis = None, keepdims: bool = False) -> Variable:
    return sum(astype(as_array(x), "bool"), axis, keepdims=keepdims)


def _nans_as(x: Any, value: float) -> Any:
    x = as_array(x)
    return x if kind_of(x) not in "fc" else where(
        _op("isnan")(x), array_constant(value, x.type.dtype), x)


def nansum(x: Any, axis: Axis = None, dtype: str | None = None,
           keepdims: bool = False) -> Variable:
    return sum(_nans_as(x, 0), axis, dtype, keepdims)


def nanprod(x: Any, axis: Axis = None, dtype: str | None = None,
            keepdims: bool = False) -> Variable:
    return reductions.prod(_nans_as(x, 1), axis, dtype, keepdims)


def _extreme(reduce: Any, end: float, x: Any, axis: Axis, keepdims: bool) -> Any:
    x = as_array(x)
    if kind_of(x) != "f":
        return reduce(x, axis, keepdims)
    found = reduce(_nans_as(x, end), axis, keepdims)
    nothing = all(_op("isnan")(x), axis, keepdims)
    return where(nothing, array_constant(math.nan, x.type.dtype), found)


def nanmax(x: Any, axis: Axis = None, keepdims: bool = False) -> Variable:
    return _extreme(max, -math.inf, x, axis, keepdims)


def nanmin(x: Any, axis: Axis = None, keepdims: bool = False) -> Variable:
    return _extreme(min, math.inf, x, axis, keepdims)


def _count(x: Any, axis: Axis, keepdims: bool, dtype: str) -> Any:
    there = _op("logical_not")(_op("isnan")(x))
    return astype(sum(there, axis, keepdims=keepdims), dtype)


@in_singles
def nanmean(x: Any, axis: Axis = None, keepdims: bool = False) -> Variable:
    x = as_array(x)
    if kind_of(x) not in "fc":
        return mean(x, axis, keepdims=keepdims)
    return nansum(x, axis, keepdims=keepdims) / _count(x, axis, keepdims, x.type.dtype)
