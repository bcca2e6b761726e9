"""Random draws of the common distributions, by NumPy's functions for one number.

NumPy offers C a generator as a table of functions, and its distributions as symbols
of `numpy.random._generator`. They draw in the same order as `perform`, so the
numbers are the same. If parameters do not fit, or there is nothing to draw, `rng_fn`
is called instead, which raises the right error.
"""

import ctypes
import functools

import numpy as np
from pytensor.link.c.type import generic
from pytensor.tensor.random.op import RandomVariable

from clinch.pytensor.c_files import c_text, compiled_once
from clinch.pytensor.native.op import NativeOp, are_tensors
from clinch.pytensor.versions import find

_copy = find("pytensor.tensor.random.utils:custom_rng_deepcopy")

#: In the order of the enums in `draws.c`.
_HOW = (
    "one two uniform half_normal moved triangular count binomial bernoulli integers "
    "categorical failures drawn asked"
).split()
_RULES = "any not_negative positive share share_not_none rate".split()

#: For each Op: how it is drawn, NumPy's function, and the rules of its parameters.
KNOWN = {
    "NormalRV": ("two", "normal", "any not_negative"),
    "UniformRV": ("uniform", "uniform", "any any"),
    "LogNormalRV": ("two", "lognormal", "any not_negative"),
    "LaplaceRV": ("two", "laplace", "any not_negative"),
    "LogisticRV": ("two", "logistic", "any not_negative"),
    "HalfNormalRV": ("half_normal", "standard_normal", "any positive"),
    "ExponentialRV": ("one", "exponential", "not_negative"),
    "WeibullRV": ("one", "weibull", "not_negative"),
    "GammaRV": ("two", "gamma", "not_negative not_negative"),
    "BetaRV": ("two", "beta", "positive positive"),
    "WaldRV": ("two", "wald", "positive positive"),
    "VonMisesRV": ("two", "vonmises", "any not_negative"),
    "PoissonRV": ("count", "poisson", "rate"),
    "GeometricRV": ("count", "geometric", "share_not_none"),
    "BinomialRV": ("binomial", "binomial", "not_negative share"),
    "BernoulliRV": ("bernoulli", "binomial", "share"),
    "IntegersRV": ("integers", "bounded_uint64", "any any"),
    "CategoricalRV": ("categorical", "uniform", "not_negative"),
    "StudentTRV": ("moved", "standard_t", "positive any positive"),
    "TriangularRV": ("triangular", "triangular", "any any any"),
    "NegBinomialRV": ("failures", "negative_binomial", "positive share_not_none"),
    "HyperGeometricRV": ("drawn", "hypergeometric", "not_negative " * 3),
}

#: Those for which the thunk calls `rng_fn`, which calls functions of NumPy and SciPy for
#: whole arrays, such as factors of matrices and powers.
_ASKED = (
    "MvNormalRV",
    "ParetoRV",
    "TruncExponentialRV",
    "GenGammaRV",
    "ChoiceWithoutReplacement",
    "PermutationRV",
    "CauchyRV",
    "HalfCauchyRV",
    "GumbelRV",
    "InvGammaRV",
    "DirichletRV",
    "BetaBinomialRV",
    "MultinomialRV",
)
NAMES = (*KNOWN, *_ASKED)

#: The positions of parameters that are integers.
_WHOLE = {
    "BinomialRV": (0,),
    "IntegersRV": (0, 1),
    "HyperGeometricRV": (0, 1, 2),
}


_POINTERS = "run copy ask draw".split()


class _Draw(ctypes.Structure):
    """The struct `Draw` of `draws.h`."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in _POINTERS),
        *((name, ctypes.c_int) for name in ("how", "count", "type")),
        ("rules", ctypes.POINTER(ctypes.c_int)),
    )


class Plan(int):
    """The address of a `_Draw`; it keeps alive what that points to."""

    @classmethod
    def of(cls, op, name, count):
        how, function, rules = KNOWN.get(name, ("asked", None, "any " * count))
        rules = [_RULES.index(rule) for rule in rules.split()]
        ask = functools.partial(_ask, op)
        draw = _Draw(
            run=_function(),
            copy=None if op.inplace else id(_copy),
            ask=id(ask),
            draw=function and _address(function),
            how=_HOW.index(how),
            count=len(rules),
            type=np.dtype(op.dtype).num,
            rules=(ctypes.c_int * len(rules))(*rules),
        )
        plan = cls(ctypes.addressof(draw))
        plan.kept = draw, ask
        return plan


def _ask(op, generator, size, *parameters):
    """Calls `rng_fn` as `RandomVariable.perform` does."""
    size = None if size is None else tuple(size)
    return np.asarray(op.rng_fn(generator, *parameters, size), dtype=op.dtype)


def _address(function):
    return ctypes.cast(getattr(_numpy(), f"random_{function}"), ctypes.c_void_p)


@functools.cache
def _numpy():
    """Returns the library with NumPy's distributions."""
    from numpy.random import _generator

    return ctypes.CDLL(_generator.__file__)


def _function():
    """Returns the address of the function that draws."""
    files = "native/draws.h", "native/draws.c"
    return compiled_once(*files, flags=("-ffp-contract=off",)).lookup("clinch_draw")


class Drawn(NativeOp):
    """A `RandomVariable` whose `rng_fn` does what NumPy's function does, or which is
    to call its `rng_fn`."""

    params_type = generic

    def __init__(self, original, name):
        super().__init__(original)
        self.name = name

    def get_params(self, node):
        return Plan.of(self.original, self.name, len(node.inputs) - 2)

    def c_support_code(self, **_):
        return c_text("native/draws.h")

    def c_code(self, node, name, inputs, outputs, sub):
        generator, size, *parameters = inputs
        following, made = outputs
        given = ", ".join(f"(PyObject *){v}" for v in parameters)
        return f"""{{
  PyObject *given[] = {{{given}}}, *made = (PyObject *){made};
  const Draw *draw = (const Draw *)PyLong_AsVoidPtr({sub["params"]});
  int failed = draw->run(draw, {generator}, (PyObject *){size}, given, &{following},
                         &made);
  {made} = (PyArrayObject *)made;
  if (failed)
    {sub["fail"]}
}}"""


def for_draws(node):
    op, parameters, made = node.op, node.inputs[2:], node.outputs[1]
    if type(op).perform is not RandomVariable.perform or not are_tensors(*parameters, made):
        return None
    if len(parameters) > _MOST or made.type.dtype[:3] not in _RESULTS:
        return None
    return Drawn(op, type(op).__name__ if _can_be_drawn(op, parameters) else None)


def _can_be_drawn(op, parameters):
    name = type(op).__name__
    if name not in KNOWN or set(op.__props__) != {"name", "signature", "dtype", "inplace"}:
        return False
    if len(parameters) != len(KNOWN[name][2].split()):
        return False
    # The C code chooses by sums of doubles only.
    if name == "CategoricalRV" and parameters[0].type.dtype != "float64":
        return False
    return all(_is_known(name, i, v.type) for i, v in enumerate(parameters))


#: `MaxParameters` of `draws.c`.
_MOST = 3
_RESULTS = ("flo", "int", "uin", "boo")


def _is_known(name, place, of):
    """Whether a parameter of this type becomes a double, or an int64, without loss."""
    wanted = "int64" if place in _WHOLE.get(name, ()) else "float64"
    return of.dtype != "float16" and np.can_cast(of.dtype, wanted, "safe")
