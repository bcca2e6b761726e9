"""Random draws: the numbers of `perform`, to the bit, and the generator behind them."""

import warnings

import numpy as np
import pytensor.tensor as pt
import pytensor.tensor.random.basic as ptr
import pytest
from conftest import by_pytensor, same_bits
from pytensor.compile.mode import Mode
from pytensor.tensor.random.type import random_generator_type

import clinch.pytensor
import pytensor
from clinch.pytensor.machine import GraphMachine

#: Parameters of each, as NumPy takes them.
_random = np.random.default_rng(15)
_SHARES = _random.dirichlet(np.ones(5), (2, 3))
DISTRIBUTIONS = {
    "normal": (ptr.NormalRV, [0.5, 2.0]),
    "uniform": (ptr.UniformRV, [-1.0, 3.5]),
    "lognormal": (ptr.LogNormalRV, [0.1, 0.7]),
    "laplace": (ptr.LaplaceRV, [1.0, 0.3]),
    "logistic": (ptr.LogisticRV, [1.0, 0.3]),
    "halfnormal": (ptr.HalfNormalRV, [0.1, 0.7]),
    "exponential": (ptr.ExponentialRV, [2.5]),
    "weibull": (ptr.WeibullRV, [1.5]),
    "gamma": (ptr.GammaRV, [2.5, 0.5]),
    "beta": (ptr.BetaRV, [0.5, 3.0]),
    "wald": (ptr.WaldRV, [1.5, 3.0]),
    "vonmises": (ptr.VonMisesRV, [0.5, 3.0]),
    "poisson": (ptr.PoissonRV, [4.5]),
    "geometric": (ptr.GeometricRV, [0.3]),
    "binomial": (ptr.BinomialRV, [100, 0.4]),
    "bernoulli": (ptr.BernoulliRV, [0.3]),
    "integers": (ptr.IntegersRV, [-7, 2**40]),
    "t": (ptr.StudentTRV, [3.5, 0.5, 2.0]),
    "triangular": (ptr.TriangularRV, [-1.0, 0.5, 3.0]),
    "cauchy": (ptr.CauchyRV, [0.5, 2.0]),
    "halfcauchy": (ptr.HalfCauchyRV, [0.5, 2.0]),
    "gumbel": (ptr.GumbelRV, [0.5, 2.0]),
    "invgamma": (ptr.InvGammaRV, [2.5, 0.3]),
    "negbinomial": (ptr.NegBinomialRV, [4.5, 0.3]),
    "betabinomial": (ptr.BetaBinomialRV, [100, 0.5, 3.0]),
    "hypergeometric": (ptr.HyperGeometricRV, [20, 30, 15]),
    # NumPy and SciPy are called for these.
    "pareto": (ptr.ParetoRV, [2.5, 2.0]),
    "truncexpon": (ptr.TruncExponentialRV, [2.5, 0.5, 2.0]),
    "gengamma": (ptr.GenGammaRV, [2.5, 1.5, 2.0]),
}
_WHOLE = ("binomial", "integers", "betabinomial", "hypergeometric")
ALL = pytest.mark.parametrize("name", DISTRIBUTIONS)


def graph(kind, parameters, size=None, **how):
    """A generator, variables for parameters, and what is drawn from it."""
    generator = random_generator_type("generator")
    variables = [pt.tensor(dtype=p.dtype, shape=(None,) * p.ndim) for p in parameters]
    drawn = kind(**how).make_node(generator, size, *variables).outputs
    return [generator, *variables], drawn


def functions(inputs, outputs):
    """One of a thunk, and one of every Op's `perform`."""
    how = {"accept_inplace": True, "on_unused_input": "ignore"}
    mode = Mode(clinch.pytensor.ClinchLinker(), "minimum_compile")
    ours = pytensor.function(inputs, outputs, mode=mode, **how)
    assert isinstance(ours.vm, GraphMachine)
    return ours, pytensor.function(inputs, outputs, mode=Mode("py", None), **how)


def check(kind, parameters, size=None, **how):
    """The same draws, and the same state behind them; two calls of each."""
    parameters = [np.asarray(p) for p in parameters]
    given = None if size is None else pt.as_tensor(np.array(size, "int64"))
    inputs, outputs = graph(kind, parameters, given, **how)
    ours, theirs = (Drawing(f, how) for f in functions(inputs, outputs))
    for _ in range(2):
        assert same_bits(ours(parameters), theirs(parameters))
        assert ours.state() == theirs.state()
    return ours(parameters)


class Drawing:
    """A function, and the generator that it is called with."""

    def __init__(self, function, how):
        self.function = function
        self.generator = np.random.default_rng(7)
        self.how = how

    def __call__(self, parameters):
        before = self.state()
        following, drawn = self.function(self.generator, *parameters)
        inplace = bool(self.how.get("inplace"))
        assert (following is self.generator) == inplace
        assert inplace or self.state() == before
        self.generator = following
        return drawn

    def state(self):
        return str(self.generator.bit_generator.state)


@ALL
@pytest.mark.parametrize("inplace", [False, True])
def test_one_number(name, inplace):
    kind, parameters = DISTRIBUTIONS[name]
    assert np.shape(check(kind, parameters, inplace=inplace)) == ()


@ALL
def test_a_size(name):
    kind, parameters = DISTRIBUTIONS[name]
    for size in ([], [1], [7], [3, 1, 4]):
        drawn = check(kind, parameters, size, inplace=True)
        assert drawn.shape == tuple(size) and drawn.flags.c_contiguous


@ALL
def test_arrays_of_parameters(name):
    kind, parameters = DISTRIBUTIONS[name]
    full = [np.broadcast_to(p, (2, 3)) for p in parameters]
    scale = np.array([[1], [2]]) if name in _WHOLE else 1.0
    moved = [full[0] * scale, *full[1:]]
    check(kind, moved, inplace=True)
    check(kind, [p.T for p in moved], inplace=True)
    check(kind, moved, [4, 2, 3], inplace=True)
    check(kind, [p[:, :1] for p in moved], [2, 5], inplace=True)
    if len(parameters) == 2:
        mixed = [moved[0][:, :1], moved[1][:1]]
        assert check(kind, mixed, inplace=True).shape == (2, 3)
        assert check(kind, [moved[0], np.asarray(parameters[1])], inplace=True).shape == (2, 3)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", [
    "normal", "gamma", "uniform", "beta", "halfnormal", "t", "cauchy", "halfcauchy",
    "gumbel", "invgamma", "pareto",
])  # fmt: skip
def test_other_types(name, dtype):
    kind, parameters = DISTRIBUTIONS[name]
    given = [np.asarray(p, "float32") for p in parameters]
    assert check(kind, given, [5], dtype=dtype).dtype == dtype
    check(kind, given, dtype=dtype)
    check(kind, [p[None] for p in given], dtype=dtype)
    whole = [np.int8(1), np.uint16(2), np.int32(3)]
    assert check(kind, whole[: len(given)], [5], dtype=dtype).dtype == dtype


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "uint16"])
def test_whole_numbers_of_other_types(dtype):
    assert check(ptr.PoissonRV, [3.0], [20], dtype=dtype).dtype == dtype
    assert check(ptr.BernoulliRV, [0.5], [20], dtype=dtype).dtype == dtype
    assert check(ptr.BinomialRV, [np.int32(9), 0.5], [20], dtype=dtype).dtype == dtype
    assert check(ptr.NegBinomialRV, [np.int32(9), 0.5], [20], dtype=dtype).dtype == dtype
    assert check(ptr.MultinomialRV, [np.int32(9), np.full(4, 0.25)], [20], dtype=dtype).dtype == dtype


def test_whole_numbers_of_all_ranges():
    top = np.iinfo("int64")
    for low, high in ((0, 1), (3, 4), (0, 2**32 - 1), (0, 2**32), (0, 2**32 + 1)):
        check(ptr.IntegersRV, [low, high], [9])
        check(ptr.IntegersRV, [np.full(9, low), np.full(9, high)])
    check(ptr.IntegersRV, [top.min, top.max], [9])
    check(ptr.IntegersRV, [np.arange(-4, 4), np.arange(8)[:, None] * 10 + 5], [3, 8, 8])


def test_binomial_counts_that_change():
    counts = np.array([5, 1000, 5, 0, 10**12, 1000])
    shares = np.array([0.5, 0.01, 0.0, 0.3, 0.7, 1.0])
    check(ptr.BinomialRV, [counts, shares], [20, 6])
    check(ptr.BinomialRV, [counts[:, None], shares])


def test_choices():
    check(ptr.CategoricalRV, [_SHARES[0, 0]])
    for size in (None, [2, 3], [4, 2, 3]):
        drawn = check(ptr.CategoricalRV, [_SHARES], size)
        assert drawn.dtype == "int64" and drawn.max() < 5
    check(ptr.CategoricalRV, [_SHARES[0, 0]], [50])
    check(ptr.CategoricalRV, [_SHARES[:, :1]], [2, 7])
    # Sums of less than 1 leave room behind the last.
    assert check(ptr.CategoricalRV, [_SHARES[0, 0] * 1e-9], [3]).tolist() == [5, 5, 5]


def test_shares():
    alphas = np.array([[0.5, 2.0, 3.0], [0.01, 0.05, 1e-6], [0.0, 5.0, 0.2]])
    for row in (*alphas, np.zeros(3), np.array([0.05, 0.0, 0.0]), np.array([2.0]), np.array([0.01])):
        for size in (None, [], [5], [2, 3]):
            assert check(ptr.DirichletRV, [row], size, inplace=True).shape[-1] == len(row)
    for size in (None, [3], [4, 3]):
        check(ptr.DirichletRV, [alphas], size)
    check(ptr.DirichletRV, [alphas[:, None].astype("float32")], [3, 7], dtype="float32")
    check(ptr.DirichletRV, [np.array([1, 2, 3])], [4])


def test_counts_of_shares():
    for size in (None, [], [5], [2, 3]):
        check(ptr.MultinomialRV, [10, _SHARES[0, 0]], size, inplace=True)
        check(ptr.MultinomialRV, [0, np.array([1.0])], size)
    counts = np.array([5, 0, 10**9])
    check(ptr.MultinomialRV, [counts, _SHARES[0]])
    check(ptr.MultinomialRV, [counts, _SHARES])
    check(ptr.MultinomialRV, [counts[:2, None], _SHARES], [4, 2, 3])
    check(ptr.MultinomialRV, [counts, np.array([0.0, 0.5, 0.5, 0.0])])
    check(ptr.MultinomialRV, [7, _SHARES[0].astype("float32") * np.float32(0.99)])
    # What is left is the last one's.
    check(ptr.MultinomialRV, [7, np.array([0.1, 0.2, 0.0])], [5])


def test_inverses_of_zero_are_said_as_numpy_does():
    kind, generator = ptr.InvGammaRV, np.random.default_rng
    inputs, outputs = graph(kind, [np.asarray(1.0)] * 2, pt.as_tensor([50]))
    for function in functions(inputs, outputs):
        with pytest.warns(RuntimeWarning, match="divide by zero"):
            _, drawn = function(generator(7), 1e-4, 1.0)
        assert np.isinf(drawn).any()
    inputs, outputs = graph(kind, [np.asarray(1.0)] * 2)
    for function in functions(inputs, outputs):
        with pytest.raises(ZeroDivisionError):
            function(generator(7), 1e-9, 1.0)


@pytest.mark.parametrize("method", ["cholesky", "svd", "eigh"])
def test_normal_vectors(method):
    a = _random.normal(size=(2, 3, 3))
    spreads = a @ a.transpose(0, 2, 1) + np.eye(3)
    means = _random.normal(size=(4, 1, 3))
    for size in (None, [], [5]):
        check(ptr.MvNormalRV, [means[0, 0], spreads[0]], size, inplace=True, method=method)
    assert check(ptr.MvNormalRV, [means, spreads], method=method).shape == (4, 2, 3)
    check(ptr.MvNormalRV, [means, spreads], [4, 2], dtype="float32", method=method)


def test_orders_and_choices_without_repetition():
    values = _random.normal(size=(4, 6))
    how = {"signature": "(x0)->(x0)", "dtype": "float64"}
    check(ptr.PermutationRV, [values[0]], **how)
    check(ptr.PermutationRV, [values], **how, inplace=True)
    check(ptr.PermutationRV, [np.int64(9)], signature="()->(x)", dtype="int64")
    shares = np.array([0.1, 0.2, 0.3, 0.1, 0.2, 0.1])
    for p in (None, shares):
        generator, x = random_generator_type("generator"), pt.dvector("x")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            chosen = ptr.choice(x, size=(3,), replace=False, p=p, rng=generator)
        made = []
        for function in functions([generator, x], chosen.owner.outputs):
            following, drawn = function(np.random.default_rng(7), values[0])
            made.append((drawn, str(following.bit_generator.state)))
        assert same_bits(made[0][0], made[1][0]) and made[0][1] == made[1][1]


@ALL
def test_no_number_at_all(name):
    kind, parameters = DISTRIBUTIONS[name]
    assert check(kind, parameters, [0], inplace=True).shape == (0,)
    assert check(kind, parameters, [3, 0], inplace=True).shape == (3, 0)


WRONG = [
    (ptr.NormalRV, [0.0, -1.0], None),
    (ptr.NormalRV, [0.0, -0.0], None),
    (ptr.NormalRV, [np.zeros(3), np.array([1.0, 1.0, -1.0])], None),
    (ptr.NormalRV, [np.zeros(3), np.ones(2)], None),
    (ptr.NormalRV, [np.zeros(3), np.ones(3)], [4]),
    (ptr.NormalRV, [0.0, 1.0], [-1]),
    (ptr.UniformRV, [1.0, 0.0], None),
    (ptr.UniformRV, [0.0, np.inf], None),
    (ptr.ExponentialRV, [-1.0], [3]),
    (ptr.BetaRV, [0.0, 1.0], None),
    (ptr.GammaRV, [-1.0, 1.0], None),
    (ptr.PoissonRV, [-1.0], None),
    (ptr.PoissonRV, [1e300], None),
    (ptr.BinomialRV, [-1, 0.5], None),
    (ptr.BinomialRV, [1, 1.5], None),
    (ptr.BernoulliRV, [np.array([0.5, 1.5])], None),
    (ptr.BernoulliRV, [np.nan], None),
    (ptr.GeometricRV, [0.0], None),
    (ptr.IntegersRV, [3, 3], None),
    (ptr.IntegersRV, [np.array([1, 5]), np.array([2, 5])], None),
    (ptr.CategoricalRV, [_SHARES[0]], [1]),
    (ptr.StudentTRV, [0.0, 0.0, 1.0], None),
    (ptr.StudentTRV, [1.0, 0.0, np.array([1.0, -1.0])], None),
    (ptr.CauchyRV, [0.0, -1.0], [3]),
    (ptr.HalfCauchyRV, [0.0, np.nan], None),
    (ptr.TriangularRV, [0.0, 2.0, 1.0], None),
    (ptr.TriangularRV, [1.0, 1.0, np.ones(2)], None),
    (ptr.InvGammaRV, [1.0, -1.0], None),
    (ptr.InvGammaRV, [-1.0, 1.0], [2]),
    (ptr.DirichletRV, [np.array([1.0, -1.0])], None),
    (ptr.DirichletRV, [np.ones((2, 3))], [3]),
    (ptr.NegBinomialRV, [0.0, 0.5], None),
    (ptr.NegBinomialRV, [1.0, 1e-300], None),
    (ptr.BetaBinomialRV, [-1, 1.0, 1.0], None),
    (ptr.BetaBinomialRV, [1, 0.0, 1.0], [3]),
    (ptr.HyperGeometricRV, [10**9, 1, 1], None),
    (ptr.HyperGeometricRV, [1, np.array([1, 5]), 3], None),
    (ptr.HyperGeometricRV, [-1, 5, 3], [2]),
    (ptr.MultinomialRV, [3, np.array([0.7, 0.7, 0.1])], None),
    (ptr.MultinomialRV, [-3, np.array([0.5, 0.5])], None),
    (ptr.MultinomialRV, [3, np.array([0.5, np.nan])], [2]),
    (ptr.ParetoRV, [-1.0, 1.0], None),
]


@pytest.mark.parametrize(("kind", "parameters", "size"), WRONG)
def test_what_is_wrong_is_said_by_numpy(kind, parameters, size):
    parameters = [np.asarray(p) for p in parameters]
    # As a vector that is not known: PyTensor refuses some sizes when it sees them.
    sizes = None if size is None else pt.lvector("size")
    variables = [pt.tensor(dtype=p.dtype, shape=(None,) * p.ndim) for p in parameters]
    generator = random_generator_type("generator")
    op = kind(inplace=True)
    own = sizes if sizes is None else pt.specify_shape(sizes, (len(size),))
    outputs = op.make_node(generator, own, *variables).outputs
    inputs = [generator, *([] if sizes is None else [sizes]), *variables]
    said = []
    for function in functions(inputs, outputs):
        drawn_from = np.random.default_rng(7)
        before = str(drawn_from.bit_generator.state)
        values = [] if size is None else [np.array(size, "int64")]
        with pytest.raises((ValueError, OverflowError, TypeError)) as raised:
            function(drawn_from, *values, *parameters)
        assert str(drawn_from.bit_generator.state) == before
        said.append((type(raised.value), str(raised.value).splitlines()[0]))
    assert said[0] == said[1]


def test_all_bit_generators():
    normal = ptr.NormalRV
    inputs, outputs = graph(normal, [np.asarray(0.0), np.asarray(1.0)], pt.as_tensor([5]))
    ours, theirs = functions(inputs, outputs)
    for kind in (np.random.MT19937, np.random.PCG64DXSM, np.random.Philox, np.random.SFC64):
        generators = [np.random.Generator(kind(3)) for _ in range(2)]
        assert same_bits(ours(generators[0], 0, 1)[1], theirs(generators[1], 0, 1)[1])


def test_shared_generators_go_on():
    """As functions that draw have them: an update, and draws one after the other."""
    found = []
    for mode in ("CLINCH", Mode("py", None)):
        generator = pytensor.shared(np.random.default_rng(11))
        first, x = ptr.NormalRV().make_node(generator, pt.as_tensor([3]), 0.0, 1.0).outputs
        second, n = ptr.PoissonRV().make_node(first, None, pt.exp(x)).outputs
        function = pytensor.function([], [x, n], updates={generator: second}, mode=mode)
        if mode == "CLINCH":
            (step,) = function.vm.steps
            assert step.compiled
        values = [function() for _ in range(3)]
        function.copy()
        found.append((values, str(generator.get_value().bit_generator.state)))
    (ours, state), (theirs, their_state) = found
    assert state == their_state
    for left, right in zip(ours, theirs, strict=True):
        assert all(same_bits(a, b) for a, b in zip(left, right, strict=True))


def test_the_switch_leaves_draws_to_python():
    inputs, outputs = graph(ptr.NormalRV, [np.asarray(0.0), np.asarray(1.0)])
    by_pytensor(inputs, outputs)
