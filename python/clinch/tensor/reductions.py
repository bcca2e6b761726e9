"""sum, mean, max and the others, with NumPy's dtypes."""

from __future__ import annotations

import functools
import operator

import numpy

from ..base.annotations import Any, Axis, Callable
from ..ops.scalar_ops import scalar_ops
from ..types.scalars import upcast
from .api import known
from .casts import astype
from .elemwise import Elemwise
from .making import ones_like
from .operands import array_constant, as_array, as_operand, is_weak, ndim, weak
from .reduce import as_items, normalized, reduced
from .search import Argmax, Argmin
from .shapes import count_along

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable


def _sum_dtype(x: Variable) -> str:
    """Returns the dtype to add up in: 64 bits for small integers."""
    dtype = numpy.dtype(x.type.dtype)
    if dtype.kind == "b":
        return "int64"
    if dtype.kind in "iu":
        return "int64" if dtype.kind == "i" else "uint64"
    return dtype.name


def _where(mask: Any, x: Any, otherwise: Any) -> Any:
    """Returns x, and `otherwise` where the mask is false; x itself if there is none."""
    if mask is None:
        return x
    return Elemwise(scalar_ops["switch"])(
        as_array(mask), as_array(x), array_constant(otherwise, x.type.dtype))


def _with(name: str, made: Variable, initial: Any) -> Variable:
    """Returns a reduction that began with a value."""
    return made if initial is None else astype(scalar_ops[name](made, initial),
                                               made.type.dtype)


def _added(name: str, x: Any, axis: Axis, dtype: str, keepdims: bool) -> Variable:
    """Adds up, or multiplies. Of float16 this is done as float32, as in NumPy, and the
    result is rounded."""
    if numpy.dtype(dtype) != "float16":
        return reduced(name, x, axis, dtype, keepdims)
    return astype(reduced(name, x, axis, "float32", keepdims), "float16")


def in_singles(function: Callable[..., Variable]) -> Callable[..., Variable]:
    """Makes a function of an array compute float16 as float32; the result is rounded."""
    @functools.wraps(function)
    def made(x: Any, *arguments: Any, **keywords: Any) -> Variable:
        if getattr(getattr(x, "type", x), "dtype", None) != "float16":
            return function(x, *arguments, **keywords)
        return astype(function(astype(x, "float32"), *arguments, **keywords), "float16")
    return made


def sum(x: Any, axis: Axis = None, dtype: str | None = None, keepdims: bool = False,
        initial: Any = None, where: Any = None) -> Variable:
    x = as_items(x)
    made = _added("add", _where(where, x, 0), axis, dtype or _sum_dtype(x), keepdims)
    return _with("add", made, initial)


def prod(x: Any, axis: Axis = None, dtype: str | None = None, keepdims: bool = False,
         initial: Any = None, where: Any = None) -> Variable:
    x = as_items(x)
    made = _added("mul", _where(where, x, 1), axis, dtype or _sum_dtype(x), keepdims)
    return _with("mul", made, initial)


def mean(x: Any, axis: Axis = None, dtype: str | None = None, keepdims: bool = False,
         where: Any = None) -> Variable:
    x = as_items(x)
    if dtype is None:
        kind = numpy.dtype(x.type.dtype).kind
        dtype = x.type.dtype if kind in "fc" else "float64"
    if numpy.dtype(dtype) == "float16":
        return astype(mean(x, axis, "float32", keepdims, where), dtype)
    if where is None:
        return reduced("add", x, axis, dtype, keepdims, mean=True)
    count = sum(_where(where, ones_like(x, "int64"), 0), axis, keepdims=keepdims)
    return sum(x, axis, dtype, keepdims, where=where) / astype(count, dtype)


def _extreme(name: str, x: Any, axis: Axis, keepdims: bool, initial: Any,
             where: Any) -> Variable:
    x = as_items(x)
    if where is not None and initial is None:
        raise ValueError(f"reduction operation '{name}' does not have an identity, so to "
                         f"use a where mask one has to specify 'initial'")
    if initial is not None:  # Also what there is of nothing.
        initial = as_operand(weak(initial, [x.type.dtype]) if is_weak(initial)
                             else initial)
        x = astype(x, upcast(x.type.dtype, initial.type.dtype))
        empty = known(initial)
        if empty is None:
            raise TypeError(f"{name[:3]}() takes a number as `initial` here")
        made = reduced(name, _where(where, x, empty), axis, x.type.dtype, keepdims,
                       empty=numpy.asarray(empty).item())
        return scalar_ops[name](made, initial)
    return reduced(name, x, axis, x.type.dtype, keepdims)


def max(x: Any, axis: Axis = None, keepdims: bool = False, initial: Any = None,
        where: Any = None) -> Variable:
    return _extreme("maximum", x, axis, keepdims, initial, where)


def min(x: Any, axis: Axis = None, keepdims: bool = False, initial: Any = None,
        where: Any = None) -> Variable:
    return _extreme("minimum", x, axis, keepdims, initial, where)


def any(x: Any, axis: Axis = None, keepdims: bool = False,
        where: Any = None) -> Variable:
    return reduced("logical_or", _where(where, as_items(x), 0), axis, "bool", keepdims)


def all(x: Any, axis: Axis = None, keepdims: bool = False,
        where: Any = None) -> Variable:
    return reduced("logical_and", _where(where, as_items(x), 1), axis, "bool", keepdims)


def _search(kind: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    x = as_array(x)
    if axis is None:
        return kind(range(ndim(x)), keepdims, everything=True)(x)
    return kind(normalized(operator.index(axis), ndim(x)), keepdims)(x)


def argmax(x: Any, axis: Axis = None, keepdims: bool = False) -> Variable:
    return _search(Argmax, x, axis, keepdims)


def argmin(x: Any, axis: Axis = None, keepdims: bool = False) -> Variable:
    return _search(Argmin, x, axis, keepdims)


@in_singles
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
