"""Computes the scalar Ops in Python, with NumPy or `math`."""

import math

import numpy

# NumPy converts integers to floats before it rounds them; here they stay as they are.
_WHOLE = {"floor", "ceil", "trunc", "round", "round_half_away"}
# The inputs of these are not converted to the result's dtype first.
_AS_THEY_ARE = {"abs", "real", "imag", "angle", "complex", "lshift", "rshift",
                "complex_from_polar", "switch"}


def _real(function):
    """Wraps a function of `math` to return the IEEE result if it raises."""
    def safe(x):
        try:
            return function(float(x))
        except OverflowError:
            return math.inf
        except ValueError:
            return _poles[function](float(x))
    return safe


def _gamma_pole(x):
    return math.copysign(math.inf, x) if x == 0 else math.nan


_poles = {math.gamma: _gamma_pole, math.lgamma: lambda x: math.inf}


def _round_half_away(x):
    whole = numpy.trunc(x)
    return whole + numpy.copysign(numpy.abs(x - whole) >= 0.5, x)


def _complex(re, im):
    value = numpy.zeros((), complex)  # `re + 1j * im` would make inf a NaN.
    value.real, value.imag = re, im
    return value


def _from_polar(r, angle):
    r, angle = numpy.float64(r), numpy.float64(angle)
    return _complex(r * numpy.cos(angle), r * numpy.sin(angle))


def _exactly(function):
    """Compares int64 with uint64 as integers; NumPy 1 does it as floats."""
    def compare(x, y):
        x, y = numpy.asarray(x), numpy.asarray(y)
        if {x.dtype.kind, y.dtype.kind} == {"i", "u"}:
            x, y = x.astype(object), y.astype(object)
        return numpy.asarray(function(x, y)).astype(bool)
    return compare


def _power(x, y):
    """As NumPy 2: NumPy 1 has no powers of complex zero but to real numbers."""
    made = numpy.power(x, y)
    if not numpy.iscomplexobj(made):
        return made
    return numpy.where((x == 0) & (y != 0),
                       numpy.where(numpy.real(y) > 0, 0, _complex(numpy.nan, numpy.nan)),
                       made)


def _reciprocal(x):
    return numpy.reciprocal(x) if numpy.iscomplexobj(x) \
        else numpy.true_divide(1, x)


_OWN = {
    **{name: _exactly(getattr(numpy, numpys)) for name, numpys in {
        "eq": "equal", "neq": "not_equal", "lt": "less", "le": "less_equal",
        "gt": "greater", "ge": "greater_equal"}.items()},
    "clip": lambda x, low, high: numpy.minimum(numpy.maximum(x, low), high),
    "complex": _complex,
    "complex_from_polar": _from_polar,
    "erf": math.erf,
    "erfc": math.erfc,
    "gamma": _real(math.gamma),
    "lgamma": _real(math.lgamma),
    "pow": _power,
    "reciprocal": _reciprocal,
    "round_half_away": _round_half_away,
    "second": lambda x, y: y,
}


def check_divisor(name, inputs, kind):
    """Raises what the Op's C raises for integers, where NumPy gives zero."""
    if name in ("int_div", "mod") and kind in ("i", "u") and numpy.any(inputs[1] == 0):
        raise ZeroDivisionError("integer division or modulo by zero")


def perform(name, numpy_name, inputs, dtype):
    """Returns the Op's value on these inputs, converted to `dtype` unless None."""
    kind = dtype and numpy.dtype(dtype).kind
    if kind in ("b", "i", "u") and name in _WHOLE:
        return inputs[0]
    if name == "angle" and not numpy.iscomplexobj(inputs[0]):
        # NumPy 2 computes the angle of an int8 in half precision.
        inputs = [numpy.asarray(inputs[0]).astype(dtype)[()]]
    if kind in ("i", "u", "f", "c") and name not in _AS_THEY_ARE:
        inputs = [numpy.asarray(x).astype(dtype)[()] for x in inputs]
    check_divisor(name, inputs, kind)
    function = _OWN.get(name) or getattr(numpy, numpy_name)
    with numpy.errstate(all="ignore"):
        value = function(*inputs)
        return value if dtype is None else numpy.asarray(value).astype(
            dtype)[()]
