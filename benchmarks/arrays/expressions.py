"""The expressions that are measured, each as every rival writes it."""

import math
from collections import namedtuple

import numpy as np

#: make: of NumPy's arrays or Clinch's Variables; scalar: Numba's; kinds: of the
#: inputs, "d" double, "f" float, "i" int32, "z" complex, and how they lie: "r" a row,
#: "c" a column, "t" transposed.
Case = namedtuple("Case", "name make numexpr scalar jax kinds")


def _for_jax(make):
    """The same with JAX's functions in the place of NumPy's."""
    def made(*arrays):
        import types

        import jax
        return types.FunctionType(make.__code__,
                                  {**make.__globals__, "np": jax.numpy})(
            *arrays)
    return made


def case(name, make, numexpr, scalar, kinds):
    return Case(name, make, numexpr, scalar, _for_jax(make), kinds)


EXPRESSIONS = [
    case("tanh(x*y + exp(-z))", lambda x, y, z: np.tanh(x * y + np.exp(-z)),
         "tanh(x*y + exp(-z))",
         lambda x, y, z: math.tanh(x * y + math.exp(-z)), "d d d"),
    case("log(x) * y", lambda x, y: np.log(x) * y, "log(x) * y",
         lambda x, y: math.log(x) * y, "d d"),
    case("sin(x) + cos(y)", lambda x, y: np.sin(x) + np.cos(y),
         "sin(x) + cos(y)", lambda x, y: math.sin(x) + math.cos(y), "d d"),
    case("x ** y", lambda x, y: x ** y, "x ** y", lambda x, y: x ** y, "d d"),
    case("where(x > y, x, y * 2)", lambda x, y: np.where(x > y, x, y * 2),
         "where(x > y, x, y * 2)", lambda x, y: x if x > y else y * 2, "d d"),
    case("(x > 0.5) & (y < 0.5)", lambda x, y: (x > 0.5) & (y < 0.5),
         "(x > 0.5) & (y < 0.5)", lambda x, y: (x > 0.5) and (y < 0.5), "d d"),
    case("int32: x * y + x", lambda x, y: x * y + x, "x * y + x",
         lambda x, y: x * y + x, "i i"),
    case("float32: exp(x) * y", lambda x, y: np.exp(x) * y, "exp(x) * y",
         lambda x, y: np.exp(x) * y, "f f"),
    case("float32: x * y + z", lambda x, y, z: x * y + z, "x * y + z",
         lambda x, y, z: x * y + z, "f f f"),
    case("x + row", lambda x, y: x + y, "x + y", lambda x, y: x + y, "d dr"),
    case("exp(x - column)", lambda x, y: np.exp(x - y), "exp(x - y)",
         lambda x, y: math.exp(x - y), "d dc"),
    case("x + transposed", lambda x, y: x + y, "x + y",
         lambda x, y: x + y, "d dt"),
    case("sqrt(x*x + y*y)", lambda x, y: np.sqrt(x * x + y * y),
         "sqrt(x*x + y*y)", lambda x, y: math.sqrt(x * x + y * y), "d d"),
]
#: Of which the median is not taken: powers and divisors that are constants.
CONSTANTS = [
    case("x ** 3 + x ** 0.5", lambda x: x ** 3 + x ** 0.5, "x ** 3 + x ** 0.5",
         lambda x: x ** 3 + x ** 0.5, "d"),
    case("x ** -1 + x ** -0.5", lambda x: x ** -1 + x ** -0.5,
         "x ** (-1) + x ** (-0.5)", lambda x: x ** -1 + x ** -0.5, "d"),
    case("complex: x ** 2", lambda x: x ** 2, "x ** 2", lambda x: x ** 2, "z"),
    case("int32: x // 7 + x % 10", lambda x: x // 7 + x % 10, "",
         lambda x: x // 7 + x % 10, "i"),
]


def inputs_of(found, count):
    """Arrays for a case, of so many items; rows and columns are of a square."""
    random = np.random.default_rng(0)
    kinds = found.kinds.split()
    side = int(count ** 0.5)
    square = any(len(kind) > 1 for kind in kinds)
    arrays = []
    for kind in kinds:
        lies = kind[1:]
        shape = ((side,) if lies == "r" else (side, 1) if lies == "c"
                 else (side, side) if square else (count,))
        made = random.uniform(0.1, 1.9, shape)
        made = {"d": made, "f": made.astype("float32"),
                "i": (made * 100).astype("int32"), "z": made + 0.5j}[kind[0]]
        arrays.append(made.T if lies == "t" else made)
    return arrays
