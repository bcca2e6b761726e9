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

import clinch
from clinch.pytensor.native.draws_text import DRAW, TEXT
from clinch.pytensor.native.op import NativeOp, are_tensors
from clinch.pytensor.versions import find

_copy = find("pytensor.tensor.random.utils:custom_rng_deepcopy")

#: In the order of the enums in the text.
_HOW = (
    "one two uniform half_normal moved triangular turned inverse dirichlet count binomial "
    "bernoulli integers categorical failures beta_binomial drawn multinomial asked"
).split()
_RULES = "any not_negative positive finite share share_not_none rate".split()

#: For each Op: how it is drawn, NumPy's function or two of them, and the rules of its
#: parameters.
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
    "CauchyRV": ("turned", "uniform", "any positive"),
    "HalfCauchyRV": ("turned", "uniform", "any positive"),
    "GumbelRV": ("turned", "uniform", "any positive"),
    "InvGammaRV": ("inverse", "gamma", "not_negative not_negative"),
    "DirichletRV": ("dirichlet", "standard_gamma beta", "not_negative"),
    "NegBinomialRV": ("failures", "negative_binomial", "positive share_not_none"),
    "BetaBinomialRV": ("beta_binomial", "binomial beta", "not_negative finite finite"),
    "HyperGeometricRV": ("drawn", "hypergeometric", "not_negative " * 3),
    "MultinomialRV": ("multinomial", "multinomial", "not_negative share"),
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
)
NAMES = (*KNOWN, *_ASKED)

#: The distributions of SciPy that draw by turning uniform numbers.
_TURNED = {"CauchyRV": "cauchy", "HalfCauchyRV": "halfcauchy", "GumbelRV": "gumbel_r"}

#: The positions of parameters that are integers.
_WHOLE = {
    "BinomialRV": (0,),
    "IntegersRV": (0, 1),
    "BetaBinomialRV": (0,),
    "HyperGeometricRV": (0, 1, 2),
    "MultinomialRV": (0,),
}


_POINTERS = "run copy ask turn draw other".split()


class _Draw(ctypes.Structure):
    """The struct `Draw` of the C text."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in _POINTERS),
        *((name, ctypes.c_int) for name in ("how", "count", "type")),
        ("rules", ctypes.POINTER(ctypes.c_int)),
    )


class Plan(int):
    """The address of a `_Draw`; it keeps alive what that points to."""

    @classmethod
    def of(cls, op, name, count):
        how, functions, rules = KNOWN.get(name, ("asked", "", "any " * count))
        rules = [_RULES.index(rule) for rule in rules.split()]
        draw, other, *_ = (*map(_address, functions.split()), None, None)
        ask, turn = functools.partial(_ask, op), _turning(name)
        draw = _Draw(
            run=_function(),
            copy=None if op.inplace else id(_copy),
            ask=id(ask),
            turn=None if turn is None else id(turn),
            draw=draw,
            other=other,
            how=_HOW.index(how),
            count=len(rules),
            type=np.dtype(op.dtype).num,
            rules=(ctypes.c_int * len(rules))(*rules),
        )
        plan = cls(ctypes.addressof(draw))
        plan.kept = draw, ask, turn
        return plan


def _ask(op, generator, size, *parameters):
    """Calls `rng_fn` as `RandomVariable.perform` does."""
    size = None if size is None else tuple(size)
    return np.asarray(op.rng_fn(generator, *parameters, size), dtype=op.dtype)


def _turning(name):
    if name not in _TURNED:
        return None
    from scipy import stats

    return getattr(stats, _TURNED[name])._ppf


def _address(function):
    return ctypes.cast(getattr(_numpy(), f"random_{function}"), ctypes.c_void_p)


@functools.cache
def _numpy():
    """Returns the library with NumPy's distributions."""
    from numpy.random import _generator

    return ctypes.CDLL(_generator.__file__)


@functools.cache
def _text():
    text = clinch.compile(TEXT, "draws.c", python=True, flags=["-ffp-contract=off"])
    ctypes.PYFUNCTYPE(ctypes.c_void_p)(text.lookup("clinch_begin"))()
    return text


def _function():
    """Returns the address of the function that draws, compiled once."""
    return _text().lookup("clinch_draw")


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
        return DRAW

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


#: `MaxParameters` of the text.
_MOST = 3
_RESULTS = ("flo", "int", "uin", "boo")


def _is_known(name, place, of):
    """Whether a parameter of this type becomes a double, or an int64, without loss."""
    wanted = "int64" if place in _WHOLE.get(name, ()) else "float64"
    return of.dtype != "float16" and np.can_cast(of.dtype, wanted, "safe")
