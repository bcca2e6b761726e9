"""NumPy's functions of each item that are formulas of scalar Ops."""

from __future__ import annotations

import math

import numpy

from ..base.annotations import Any, Sequence
from ..ops.scalar_ops import scalar_ops
from ..types.scalars import upcast
from ..types.type import is_array
from . import reductions
from .casts import astype
from .elemwise import Elemwise
from .operands import (array_constant, as_array, as_operand, as_operands, is_weak, ndim,
                       weak)
from .shapes import known_shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable

_op = scalar_ops.__getitem__


def kind_of(x: Any) -> str:
    """Returns NumPy's letter for the kind of dtype."""
    return numpy.dtype(as_operand(x).type.dtype).kind


def where(condition: Any, x: Any, y: Any) -> Variable:
    """x where the condition holds, else y."""
    switch = _op("switch")
    if not any(map(is_array, (condition, x, y))):
        return switch(condition, x, y)
    condition = as_operand(condition)
    if condition.type.dtype != "bool":
        condition = astype(condition, "bool")
    strong = [as_operand(v).type.dtype for v in (x, y) if not is_weak(v)]
    x, y = (weak(v, strong) if is_weak(v) else v for v in (x, y))
    return Elemwise(switch)(condition, x, y)


def clip(x: Any, low: Any = None, high: Any = None) -> Variable:
    """Limits x to `low` and `high`; None is no limit, nor is an integer beyond
    those that x can have."""
    if low is None and high is None:
        raise ValueError("One of max or min must be given")
    dtype = as_operand(x).type.dtype if is_array(x) else "bool"
    if numpy.dtype(dtype).kind in "iu":
        ends = numpy.iinfo(dtype)
        low = None if type(low) is int and low <= ends.min else low
        high = None if type(high) is int and high >= ends.max else high
        if low is None and high is None:
            return scalar_ops["identity"](x)
    if low is None or high is None:
        return (scalar_ops["maximum"](x, low) if high is None
                else scalar_ops["minimum"](x, high))
    if not any(map(is_array, (x, low, high))):
        return scalar_ops["clip"](x, low, high)
    return scalar_ops["minimum"](scalar_ops["maximum"](x, low), high)


def round(x: Any, decimals: int = 0) -> Variable:
    """Rounds to so many decimals, a half to the even digit."""
    kind = kind_of(x)
    if not decimals or kind in "iu" and decimals > 0:
        return _op("round")(x)
    if kind == "c":
        return _op("complex")(round(_op("real")(x), decimals),
                              round(_op("imag")(x), decimals))
    scale = 10.0 ** abs(decimals)
    made = (_op("round")(x * scale) / scale if decimals > 0
            else _op("round")(x / scale) * scale)
    return astype(made, as_operand(x).type.dtype) if kind in "iu" else made


def isclose(x: Any, y: Any, rtol: float = 1e-5, atol: float = 1e-8,
            equal_nan: bool = False) -> Variable:
    """Whether items differ by atol + rtol * abs(y) at most."""
    x, y = as_operands([x, y])
    y = astype(y, upcast(y.type.dtype, "float64") if kind_of(y) not in "fc"
               else y.type.dtype)
    near = _op("le")(_op("abs")(x - y), atol + rtol * _op("abs")(y))
    finite = _op("logical_and")(_op("isfinite")(astype(x, y.type.dtype)),
                                _op("isfinite")(y))
    found = where(finite, near, _op("eq")(x, y))
    if equal_nan:
        found = _op("logical_or")(found, _op("logical_and")(_op("neq")(x, x),
                                                            _op("neq")(y, y)))
    return found


def allclose(x: Any, y: Any, rtol: float = 1e-5, atol: float = 1e-8,
             equal_nan: bool = False) -> Variable:
    return reductions.all(isclose(x, y, rtol, atol, equal_nan))


def array_equal(x: Any, y: Any) -> Variable:
    """Whether two arrays have one shape and the same items; the shapes are known."""
    x, y = as_array(x), as_array(y)
    if ndim(x) != ndim(y) or (known_shape(x, "array_equal")
                              != known_shape(y, "array_equal")):
        return array_constant(False)
    return reductions.all(_op("eq")(x, y))


def _as_floats(x: Any, y: Any) -> tuple[str, list[Variable]]:
    """Returns the dtype of a result, and both as the floats that NumPy computes with."""
    dtype = _op("hypot")(x, y).type.dtype
    return dtype, [astype(v, "float32" if dtype == "float16" else dtype)
                   for v in as_operands([x, y])]


def heaviside(x: Any, at_zero: Any) -> Variable:
    dtype, (x, at_zero) = _as_floats(x, at_zero)
    one, zero = (array_constant(n, x.type.dtype) for n in (1, 0))
    return astype(where(_op("lt")(x, zero), zero, where(_op("gt")(x, zero), one, where(
        _op("eq")(x, zero), at_zero, x))), dtype)


def logaddexp(x: Any, y: Any) -> Variable:
    """Returns log(exp(x) + exp(y)), also where exp(x) is too large."""
    dtype, (x, y) = _as_floats(x, y)
    far = _op("neg")(_op("abs")(x - y))
    return astype(where(_op("eq")(x, y), x + math.log(2.0),
                        _op("maximum")(x, y) + _op("log1p")(_op("exp")(far))), dtype)


def logaddexp2(x: Any, y: Any) -> Variable:
    """Returns log2(2**x + 2**y), also where 2**x is too large."""
    dtype, (x, y) = _as_floats(x, y)
    far = _op("neg")(_op("abs")(x - y))
    return astype(where(_op("eq")(x, y), x + 1.0, _op("maximum")(x, y) + _op("log1p")(
        _op("exp2")(far)) * (1 / math.log(2.0))), dtype)


def _but_nan(name: str, x: Any, y: Any) -> Any:
    x, y = as_operands([x, y])
    made = _op(name)(x, y)
    for one, other in ((y, x), (x, y)):
        if kind_of(one) in "fc":
            made = where(_op("isnan")(one), other, made)
    return made


def fmax(x: Any, y: Any) -> Variable:
    return _but_nan("maximum", x, y)


def fmin(x: Any, y: Any) -> Variable:
    return _but_nan("minimum", x, y)


def float_power(x: Any, y: Any) -> Variable:
    return _op("pow")(*(astype(v, upcast(v.type.dtype, "float64"))
                        for v in as_operands([x, y])))


def divmod(x: Any, y: Any) -> tuple[Variable, Variable]:
    return _op("int_div")(x, y), _op("mod")(x, y)


def modf(x: Any) -> tuple[Variable, Variable]:
    """Returns the fractional and the whole part, each with the sign of x."""
    x = as_operand(x)
    x = astype(x, _op("exp")(x).type.dtype)
    whole = _op("trunc")(x)
    rest = where(_op("eq")(x, whole), array_constant(0, x.type.dtype), x - whole)
    return _op("copysign")(rest, x), whole


def sinc(x: Any) -> Variable:
    x = as_operand(x) * math.pi
    x = where(_op("eq")(x, 0), array_constant(math.pi * 1e-20, x.type.dtype), x)
    return _op("sin")(x) / x


def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None,
               neginf: Any = None) -> Variable:
    x = as_array(x)
    if kind_of(x) == "c":
        return _op("complex")(*(nan_to_num(_op(part)(x), copy, nan, posinf, neginf)
                                for part in ("real", "imag")))
    if kind_of(x) != "f":
        return x
    ends = numpy.finfo(x.type.dtype)
    values = (nan, ends.max if posinf is None else posinf,
              ends.min if neginf is None else neginf)
    for test, value in zip((_op("isnan")(x), _op("eq")(x, math.inf),
                            _op("eq")(x, -math.inf)), values):
        x = where(test, array_constant(value, x.type.dtype), x)
    return x


def select(conditions: Sequence[Any], choices: Sequence[Any],
           default: Any = 0) -> Variable:
    """Returns the choice of the first condition that holds."""
    if len(conditions) != len(choices):
        raise ValueError("list of cases must be same length as list of conditions")
    if not conditions:
        raise ValueError("select with an empty condition list is not possible")
    for number, one in enumerate(conditions):
        if kind_of(one) != "b":
            raise TypeError(f"invalid entry {number} in condlist: should be boolean "
                            f"ndarray")
    *values, made = as_operands([*choices, default])
    dtype = upcast(*(v.type.dtype for v in (*values, made)))
    made = astype(made, dtype)
    for condition, value in reversed(list(zip(conditions, values))):
        made = where(condition, astype(value, dtype), made)
    return made


def polyval(coefficients: Any, x: Any) -> Variable:
    """Returns a polynomial's values; the first coefficient is of the highest power."""
    x = as_array(x)
    coefficients = as_array(coefficients)
    made = x * array_constant(0, x.type.dtype)
    for k in range(*known_shape(coefficients, "polyval")):
        made = made * x + coefficients[k]
    return made
