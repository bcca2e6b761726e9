"""`Scan` that passes generators from step to step: PyTensor's numbers, and its state."""

import pickle
import warnings

import numpy as np
import pytensor.tensor as pt
import pytensor.tensor.random.basic as ptr
import pytest
from conftest import same_bits
from pytensor.scan.basic import scan
from pytensor.scan.op import Scan
from pytensor.scan.utils import until

import clinch.pytensor
import pytensor
from clinch.pytensor.machine import GraphMachine


def draw(generator, kind, *parameters, size=None):
    return kind().make_node(generator, size, *parameters).outputs


def both(make, values=(), calls=2):
    """What `make` describes for a shared generator, run by us and by PyTensor's loop:
    the results of some calls and the generator's state behind each."""
    found = []
    for native in (True, False):
        generator = pytensor.shared(np.random.default_rng(11))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            inputs, outputs, updates = make(generator)
        clinch.pytensor.options.native_ops = native
        try:
            function = pytensor.function(inputs, outputs, updates=updates, mode="CLINCH")
        finally:
            clinch.pytensor.options.native_ops = True
        assert all(step.compiled for step in function.vm.steps) == native
        for node in function.maker.fgraph.apply_nodes:
            if isinstance(node.op, Scan) and native:
                assert isinstance(node.op.fn.vm, GraphMachine)
        told = [(function(*values), state(generator)) for _ in range(calls)]
        found.append((function, told))
    (ours, left), (_, right) = found
    for (made, after), (expected, behind) in zip(left, right, strict=True):
        assert after == behind
        assert all(same_bits(a, b) for a, b in zip(made, expected, strict=True))
    assert left[0][1] != left[1][1]
    return ours, left


def state(generator):
    return str(generator.get_value(borrow=True).bit_generator.state)


def path_of(step, **how):
    def make(generator):
        x = pt.dvector("x")
        made, updates = scan(lambda *given: step(generator, *given), sequences=[x], **how)
        return [x], made if isinstance(made, list) else [made], updates

    return make


def test_a_random_walk():
    def step(generator, e, x):
        following, drawn = draw(generator, ptr.NormalRV, x, e)
        return drawn, {generator: following}

    make = path_of(step, outputs_info=[pt.constant(np.float64(0))])
    _, told = both(make, [np.arange(1.0, 8.0)])
    generator, x, walk = np.random.default_rng(11), 0.0, []
    for e in np.arange(1.0, 8.0):
        x = generator.normal(x, e)
        walk.append(x)
    assert told[0][0][0].tolist() == walk
    assert told[0][1] == str(generator.bit_generator.state)


def test_two_draws_in_a_step():
    def step(generator, e):
        middle, n = draw(generator, ptr.PoissonRV, e)
        following, drawn = draw(middle, ptr.GammaRV, n + 1.0, e, size=pt.as_tensor([3]))
        return [n, drawn], {generator: following}

    _, told = both(path_of(step), [np.arange(1.0, 8.0)])
    counts, numbers = told[0][0]
    assert counts.dtype == "int64" and numbers.shape == (7, 3)


def test_a_loop_that_ends_by_itself():
    def step(generator, e, x):
        following, drawn = draw(generator, ptr.UniformRV, 0.0, e)
        return x + drawn, {generator: following}, until(x + drawn > 3.0)

    make = path_of(step, outputs_info=[pt.constant(np.float64(0))])
    _, told = both(make, [np.ones(50)])
    assert 4 <= len(told[0][0][0]) < 50


def test_two_generators_and_a_number_that_is_updated():
    def make(first):
        second = pytensor.shared(np.random.default_rng(5))
        count = pytensor.shared(np.int64(0))

        def step():
            one, a = draw(first, ptr.NormalRV, 0.0, 1.0)
            other, b = draw(second, ptr.ExponentialRV, 2.0)
            return a + b + count, {first: one, second: other, count: count + 1}

        made, updates = scan(step, n_steps=6)
        return [], [made], updates

    both(make)


def test_no_step():
    n = pt.lscalar("n")
    generator = pytensor.shared(np.random.default_rng(11))

    def step(x):
        following, drawn = draw(generator, ptr.NormalRV, x, 1.0)
        return [drawn, drawn], {generator: following}

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        states = [pt.constant(np.float64(0)), None]
        made, updates = scan(step, outputs_info=states, n_steps=n)
    function = pytensor.function([n], made, updates=updates, mode="CLINCH")
    assert all(step.compiled for step in function.vm.steps)
    before = state(generator)
    assert [v.shape for v in function(0)] == [(0,), (0,)]
    assert state(generator) == before
    assert function(3)[0].shape == (3,) and state(generator) != before


def test_a_generator_that_is_not_updated_stays_as_it_is():
    generator = pytensor.shared(np.random.default_rng(11))

    def step():
        following, drawn = draw(generator, ptr.NormalRV, 0.0, 1.0)
        return drawn, {generator: following}

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        made, _ = scan(step, n_steps=4)
    function = pytensor.function([], made, mode="CLINCH")
    expected = np.random.default_rng(11).normal(size=4)
    for _ in range(2):
        assert same_bits(function(), expected)
    assert state(generator) == str(np.random.default_rng(11).bit_generator.state)


def test_what_fails_in_a_step():
    def step(generator, e):
        following, drawn = draw(generator, ptr.NormalRV, 0.0, e)
        return drawn, {generator: following}

    ours, _ = both(path_of(step), [np.ones(4)])
    expected = ours(np.ones(4))
    with pytest.raises(ValueError, match="scale < 0"):
        ours(np.array([1.0, 2.0, -1.0]))
    assert np.isfinite(ours(np.ones(4))[0]).all() and len(expected[0]) == 4


def test_a_pickled_loop_draws_the_same():
    def step(generator, e):
        following, drawn = draw(generator, ptr.NormalRV, 0.0, e)
        return drawn, {generator: following}

    ours, _ = both(path_of(step), [np.ones(4)])
    again = pickle.loads(pickle.dumps(ours))
    assert all(step.compiled for step in again.vm.steps)
    for _ in range(2):
        assert same_bits(again(np.ones(4))[0], ours(np.ones(4))[0])
