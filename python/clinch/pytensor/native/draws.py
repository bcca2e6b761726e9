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

import clinch
from clinch.pytensor.native.draws_text import DRAW, TEXT
from clinch.pytensor.native.op import NativeOp, are_tensors
from clinch.pytensor.versions import find

_copy = find("pytensor.tensor.random.utils:custom_rng_deepcopy")

#: In the order of the enums in the text.
_HOW = "one two uniform half_normal count binomial bernoulli integers categorical".split()
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
}

#: The positions of parameters that are integers.
_WHOLE = {"BinomialRV": (0,), "IntegersRV": (0, 1)}


class _Draw(ctypes.Structure):
    """The struct `Draw` of the C text."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("run", "copy", "ask", "draw")),
        *((name, ctypes.c_int) for name in ("how", "count", "type")),
        ("rules", ctypes.POINTER(ctypes.c_int)),
    )


class Plan(int):
    """The address of a `_Draw`; it keeps alive what that points to."""

    @classmethod
    def of(cls, op):
        how, function, rules = KNOWN[type(op).__name__]
        rules = [_RULES.index(rule) for rule in rules.split()]
        ask = functools.partial(_ask, op)
        draw = _Draw(
            run=_function(),
            copy=None if op.inplace else id(_copy),
            ask=id(ask),
            draw=ctypes.cast(getattr(_numpy(), f"random_{function}"), ctypes.c_void_p),
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
    """A `RandomVariable` whose `rng_fn` does what NumPy's function does."""

    params_type = generic

    def get_params(self, node):
        return Plan.of(self.original)

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
    name = type(node.op).__name__
    _, size, *parameters = node.inputs
    known = {"name", "signature", "dtype", "inplace"} == set(node.op.__props__)
    if not known or not are_tensors(*parameters, node.outputs[1]):
        return None
    if len(parameters) != len(KNOWN[name][2].split()):
        return None
    if not all(_is_known(name, i, v.type) for i, v in enumerate(parameters)):
        return None
    # The C code chooses by sums of doubles only.
    if name == "CategoricalRV" and parameters[0].type.dtype != "float64":
        return None
    return Drawn(node.op) if node.outputs[1].type.dtype[:3] in _RESULTS else None


_RESULTS = ("flo", "int", "uin", "boo")


def _is_known(name, place, of):
    """Whether a parameter of this type becomes a double, or an int64, without loss."""
    wanted = "int64" if place in _WHOLE.get(name, ()) else "float64"
    return of.dtype != "float16" and np.can_cast(of.dtype, wanted, "safe")
