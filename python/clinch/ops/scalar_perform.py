"""Computes the scalar Ops in Python, on numbers and on arrays, with NumPy or `math`."""

from __future__ import annotations

import math

import numpy

from ..base.annotations import Any, Callable, Sequence

# NumPy converts integers to floats before it rounds them; here they stay as they are.
_WHOLE = {"floor", "ceil", "trunc", "round", "round_half_away"}
# The inputs of these are not converted to the result's dtype first.
_AS_THEY_ARE = {"abs", "real", "imag", "angle", "complex", "lshift", "rshift",
                "complex_from_polar", "switch"}


def _each(function: Callable[..., Any]) -> Callable[..., Any]:
    """Applies a function of `math` to each item; what it raises for is as IEEE has
    it."""
    def safe(x: float) -> float:
        try:
            return function(x)
        except OverflowError:
            return math.inf
        except ValueError:
            return _poles[function](x)
    return numpy.vectorize(safe, otypes=[float])


def _gamma_pole(x: float) -> float:
    return math.copysign(math.inf, x) if x == 0 else math.nan


_poles: dict[Any, Callable[[float], float]] = {
    math.gamma: _gamma_pole, math.lgamma: lambda x: math.inf}


def _round_half_away(x: Any) -> Any:
    whole = numpy.trunc(x)
    return whole + numpy.copysign(numpy.abs(x - whole) >= 0.5, x)


def _complex(re: Any, im: Any) -> Any:
    # `re + 1j * im` would make an infinity a NaN.
    re, im = numpy.broadcast_arrays(re, im)
    value = numpy.zeros(re.shape, complex)
    value.real, value.imag = re, im
    return value


def _from_polar(r: Any, angle: Any) -> Any:
    r, angle = numpy.asarray(r, float), numpy.asarray(angle, float)
    return _complex(r * numpy.cos(angle), r * numpy.sin(angle))


def _exactly(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compares int64 with uint64 as integers; NumPy 1 does it as floats."""
    def compare(x: Any, y: Any) -> Any:
        x, y = numpy.asarray(x), numpy.asarray(y)
        if {x.dtype.kind, y.dtype.kind} == {"i", "u"}:
            x, y = x.astype(object), y.astype(object)
        return numpy.asarray(function(x, y)).astype(bool)
    return compare


def _power(x: Any, y: Any) -> Any:
    """As NumPy 2: NumPy 1 has no powers of complex zero but to real numbers."""
    made = numpy.power(x, y)
    if not numpy.iscomplexobj(made):
        return made
    return numpy.where((x == 0) & (y != 0),
                       numpy.where(numpy.real(y) > 0, 0, _complex(numpy.nan, numpy.nan)),
                       made)


def _reciprocal(x: Any) -> Any:
    return numpy.reciprocal(x) if numpy.iscomplexobj(x) \
        else numpy.true_divide(1, x)


_OWN: dict[str, Callable[..., Any]] = {
    **{name: _exactly(getattr(numpy, numpys)) for name, numpys in {
        "eq": "equal", "neq": "not_equal", "lt": "less", "le": "less_equal",
        "gt": "greater", "ge": "greater_equal"}.items()},
    "clip": lambda x, low, high: numpy.minimum(numpy.maximum(x, low), high),
    "complex": _complex,
    "complex_from_polar": _from_polar,
    "erf": _each(math.erf),
    "erfc": _each(math.erfc),
    "gamma": _each(math.gamma),
    "lgamma": _each(math.lgamma),
    "pow": _power,
    "reciprocal": _reciprocal,
    "round_half_away": _round_half_away,
    "second": lambda x, y: y,
}


def perform(name: str, numpy_name: str | None, inputs: Sequence[Any],
            dtype: str | None) -> Any:
    """Returns the Op's value on these inputs, converted to `dtype` unless None."""
    kind = numpy.dtype(dtype).kind if dtype else ""
    if kind in ("b", "i", "u") and name in _WHOLE:
        return inputs[0]
    if name == "angle" and not numpy.iscomplexobj(inputs[0]):
        # NumPy 2 computes the angle of an int8 in half precision.
        inputs = [numpy.asarray(inputs[0]).astype(dtype)[()]]
    if kind in ("i", "u", "f", "c") and name not in _AS_THEY_ARE:
        inputs = [numpy.asarray(x).astype(dtype)[()] for x in inputs]
    if name in ("int_div", "mod") and kind in ("i", "u") and numpy.any(inputs[1] == 0):
        raise ZeroDivisionError("integer division or modulo by zero")
    function = _OWN.get(name) or getattr(numpy, str(numpy_name))
    with numpy.errstate(all="ignore"):
        value = numpy.asarray(function(*inputs))
        return (value if dtype is None else value.astype(dtype))[()]
