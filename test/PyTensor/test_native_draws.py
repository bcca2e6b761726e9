"""Random draws: `rng_fn` is called from the thunk, and gives the numbers of `perform`, to
the bit, and the generator behind them."""

import numpy as np
import pytensor.tensor as pt
import pytensor.tensor.random.basic as ptr
import pytest
from conftest import by_pytensor, same_bits
from pytensor.compile.mode import Mode
from pytensor.tensor.random.op import RandomVariable
from pytensor.tensor.random.type import random_generator_type

import clinch.pytensor
import pytensor
from clinch.pytensor.machine import GraphMachine

_random = np.random.default_rng(15)
_SHARES = _random.dirichlet(np.ones(5), (2, 3))


class AuthorsRV(RandomVariable):
    """As PyMC has them for distributions that PyTensor has not."""

    name = "authors"
    signature = "(),()->()"
    dtype = "float64"

    @classmethod
    def rng_fn(cls, rng, first, last, size):
        return np.ceil(rng.uniform(first, last, size))


#: Parameters of each, and how it is made.
KINDS = {
    "normal": (ptr.NormalRV, [0.5, 2.0], {}),
    "float32": (ptr.GammaRV, [np.float32(2.5), np.float32(0.5)], {"dtype": "float32"}),
    "halfcauchy": (ptr.HalfCauchyRV, [0.5, 2.0], {}),
    "rows": (ptr.UniformRV, [np.zeros((2, 1)), np.arange(1.0, 4.0)], {}),
    "poisson": (ptr.PoissonRV, [4.5], {"dtype": "uint16"}),
    "bernoulli": (ptr.BernoulliRV, [0.3], {"dtype": "bool"}),
    "integers": (ptr.IntegersRV, [-7, 2**40], {}),
    "categorical": (ptr.CategoricalRV, [_SHARES], {}),
    "dirichlet": (ptr.DirichletRV, [np.array([0.5, 2.0, 3.0])], {}),
    "multinomial": (ptr.MultinomialRV, [10, _SHARES[0, 0]], {}),
    "mvnormal": (ptr.MvNormalRV, [np.zeros(3), np.eye(3) + 0.5], {"method": "svd"}),
    "authors": (AuthorsRV, [0.0, 9.0], {}),
}


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


def state(generator):
    return str(generator.bit_generator.state)


@pytest.mark.parametrize("inplace", [False, True])
@pytest.mark.parametrize("size", [None, [], [4, 2, 3], [0]])
@pytest.mark.parametrize("name", KINDS)
def test_the_numbers_of_perform(name, size, inplace):
    kind, parameters, how = KINDS[name]
    if size in ([], [0]) and name in ("rows", "categorical"):
        return
    parameters = [np.asarray(p) for p in parameters]
    given = None if size is None else pt.as_tensor(np.array(size, "int64"))
    inputs, outputs = graph(kind, parameters, given, inplace=inplace, **how)
    drawn = []
    for function in functions(inputs, outputs):
        generator, numbers = np.random.default_rng(7), []
        for _ in range(2):
            before = state(generator)
            following, number = function(generator, *parameters)
            assert (following is generator) == inplace
            assert inplace or state(generator) == before
            generator = following
            numbers.append(number)
        drawn.append((numbers, state(generator)))
    (ours, left), (theirs, right) = drawn
    assert left == right and all(map(same_bits, ours, theirs))


def test_choices_without_repetition():
    values, shares = _random.normal(size=6), np.array([0.1, 0.2, 0.3, 0.1, 0.2, 0.1])
    generator, x = random_generator_type("generator"), pt.dvector("x")
    chosen = ptr.choice(x, size=(3,), replace=False, p=shares, rng=generator)
    ours, theirs = functions([generator, x], chosen.owner.outputs)
    left, right = (f(np.random.default_rng(7), values) for f in (ours, theirs))
    assert same_bits(left[1], right[1]) and state(left[0]) == state(right[0])


@pytest.mark.parametrize(("kind", "parameters"), [
    (ptr.NormalRV, [0.0, -1.0]),
    (ptr.NormalRV, [np.zeros(3), np.ones(2)]),
    (ptr.PoissonRV, [1e300]),
    (ptr.MultinomialRV, [3, np.array([0.7, 0.7, 0.1])]),
])  # fmt: skip
def test_what_is_wrong_is_said_by_numpy(kind, parameters):
    parameters = [np.asarray(p) for p in parameters]
    said = []
    for function in functions(*graph(kind, parameters, inplace=True)):
        with pytest.raises(ValueError) as raised:
            function(np.random.default_rng(7), *parameters)
        said.append(str(raised.value).splitlines()[0])
    assert said[0] == said[1]


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
        found.append((values, state(generator.get_value())))
    (ours, left), (theirs, right) = found
    assert left == right
    for one, other in zip(ours, theirs, strict=True):
        assert all(map(same_bits, one, other))


def test_the_switch_leaves_draws_to_python():
    inputs, outputs = graph(ptr.NormalRV, [np.asarray(0.0), np.asarray(1.0)])
    by_pytensor(inputs, outputs)
