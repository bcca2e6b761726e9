"""Loops and reductions on several threads give the bits of one thread."""

import itertools

import numpy
import pytest

import clinch
from arrays import variable
from clinch import Mode, _clinch, function
from clinch.tensor import Elemwise

#: Many rows, few long ones, many and few columns; no length is a round number.
SHAPES = [(300_007,), (3, 150_001), (20_011, 7), (7, 20_011), (5003, 61),
          (2, 70_001, 3)]
NAMES = ["sum", "max", "argmax"]


def views(x):
    return [x, x[..., ::-1], x.T, x[..., :-1]]


@pytest.mark.parametrize("shape", SHAPES)
def test_reductions(shape):
    x = numpy.random.default_rng(0).normal(size=shape)
    x.flat[[7, -70_000]] = 9  # An equal item in two parts.
    a = variable(x)
    axes = [None, *range(x.ndim)]

    def made(count):
        return function([a], [getattr(a, name)(axis=axis)
                              for name, axis in itertools.product(NAMES, axes)],
                        mode=Mode(threads=count))

    alone, several = made(None), [made(3), made("auto")]
    for view in views(x):
        wanted = alone(view)
        for k, (name, axis) in enumerate(itertools.product(NAMES, axes)):
            numpy.testing.assert_allclose(wanted[k], getattr(numpy, name)(view, axis),
                                          1e-9, 1e-9)
        for f in several:
            for got, want in zip(f(view), wanted):
                numpy.testing.assert_array_equal(got, want)


def test_an_operation_whose_order_matters():
    x = numpy.random.default_rng(0).normal(size=(200_003, 2))
    a = variable(x)
    for axis, dtype in itertools.product((None, 0, 1), ("float64", "float32")):
        makes = clinch.tensor.Reduce(clinch.ops.scalar_ops.scalar_ops["sub"],
                                     (0, 1) if axis is None else (axis,), dtype)
        alone = function([a], makes(a))(x)
        for count in (2, 5, "auto"):
            got = function([a], makes(a), mode=Mode(threads=count))(x)
            numpy.testing.assert_array_equal(got, alone)


def test_a_loop_before_a_reduction():
    x = numpy.random.default_rng(0).normal(size=(401, 1003))
    a = variable(x)
    for axis in (None, 0, 1):
        made = numpy.exp(a - numpy.max(a)).sum(axis=axis)
        alone = function([a], made)
        several = function([a], made, mode=Mode(threads=2))
        assert several.emit("graph") == alone.emit("graph")
        assert ("GOMP_parallel, 2" in several.emit("c")) == bool(_clinch.openmp())
        numpy.testing.assert_array_equal(several(x), alone(x))


def test_a_loop_that_fails_says_where():
    x = numpy.ones(200_000, "int64")
    x[150_000] = 0
    a = variable(x)
    f = function([a], (1 // a).sum(), mode=Mode(threads=2))
    with pytest.raises(ZeroDivisionError):
        f(x)


def test_a_number_of_its_own_stays():
    a = variable(numpy.ones(3))
    own = Elemwise(clinch.exp, threads=3)(a)
    text = function([a], [own, a.sum()], mode=Mode(threads=2)).emit("c")
    assert ("GOMP_parallel, 3" in text and "GOMP_parallel, 2" in text) == bool(
        _clinch.openmp())
