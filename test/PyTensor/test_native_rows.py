"""Elemwise of arrays that lie differently in memory: what `perform` gives."""

import functools

import numpy as np
import pytensor.tensor as pt
import pytest
from conftest import LAYOUTS, in_python

import clinch.pytensor
import pytensor
from clinch import _clinch
from clinch.pytensor.native.rows import Rows
from clinch.pytensor.registry import with_code

_random = np.random.default_rng(37)
#: Long rows, short ones, blocks that end within them, axes of one item, and no item.
_SHAPES = [(50, 50), (300, 3), (2, 300), (128, 1), (1, 7), (0, 4), (3, 5, 17), (2, 1, 40)]
#: Vectors, of which the function has too many for Clang to compare.
_SHAPES += [(300,), (0,)]


def rows(function):
    nodes = function.maker.fgraph.apply_nodes
    return [n for n in nodes if isinstance(getattr(with_code(n), "op", None), Rows)]


def numbers(shape, layout, dtype="float64"):
    return LAYOUTS[layout](_random.normal(size=shape).astype(dtype))


def matrix(name, shape, **how):
    return pt.tensor(name, shape=tuple(1 if n == 1 else None for n in shape), **how)


@pytest.fixture(scope="module")
def functions():
    """For each rank of arrays, and which of them are broadcast, a function and
    `perform`'s."""
    made = {}

    def function(shape):
        key = tuple(n == 1 for n in shape)
        if key not in made:
            r, c, s = map(matrix, "rcs", _parts(shape))
            a, b = matrix("a", shape), matrix("b", shape)
            i = matrix("i", shape, dtype="int16")
            z = pt.exp(a - r * c) / s + i
            outputs = [z, z > b, pt.tanh(pt.sqr(b) * c), z * r, z * b, z * c]
            inputs = [a, b, r, c, s, i]
            ours = pytensor.function(inputs, outputs, mode="CLINCH")
            made[key] = ours, in_python(inputs, outputs)
        return made[key]

    return function


def _parts(shape):
    """The shapes of a row, of a column and of one item."""
    few = (1,) * (len(shape) - 1)
    return few + shape[-1:], shape[:1] + few, few + (1,)


@pytest.mark.parametrize("shape", _SHAPES)
def test_broadcast_arrays(functions, shape):
    ours, theirs = functions(shape)
    assert rows(ours)
    for layout in LAYOUTS:
        for other in ("C", layout):
            a, b = numbers(shape, layout), numbers(shape, other)
            small = (numbers(s, layout) for s in _parts(shape))
            i = numbers(shape, layout) * 9
            values = a, b, *small, i.astype("int16")
            for left, right in zip(ours(*values), theirs(*values), strict=True):
                assert left.dtype == right.dtype
                np.testing.assert_allclose(left, right, rtol=1e-13)
        clinch.pytensor.wait()


def test_in_place():
    """What is overwritten may be a transposed matrix, or one that goes backwards."""
    x, y = pt.dmatrices("x", "y")
    for made in (pt.dot(x, y).T, pt.cumsum(x, axis=0)[::-1, ::-1]):
        z = pt.exp(made) - y * 2
        ours = pytensor.function([x, y], z, mode="CLINCH")
        (node,) = rows(ours)
        assert node.op.inplace_pattern
        values = _random.normal(size=(2, 40, 40))
        np.testing.assert_allclose(ours(*values), in_python([x, y], z)(*values), rtol=1e-12)


@pytest.mark.parametrize("shape", [(3, 5), (4, 1), (1, 4)])
def test_shapes_that_do_not_fit(shape):
    x, y = pt.dmatrices("x", "y")
    ours = pytensor.function([x, y], pt.exp(x) * y, mode="CLINCH")
    assert rows(ours)
    with pytest.raises(ValueError, match="mismatch|broadcasting"):
        ours(np.ones((4, 5) if 1 not in shape else (4, 4)), np.ones(shape))


def test_cheap_ops_keep_pytensors_loop():
    x, y = pt.dmatrices("x", "y")
    assert not rows(pytensor.function([x, y], x * y.T + 1, mode="CLINCH"))


@pytest.fixture
def vectorized(monkeypatch):
    """How many loops of an Op's class LLVM vectorizes in a function of the tier `max`."""
    kept = functools.partial(_clinch.Program, keep=["remarks"])
    monkeypatch.setattr(_clinch, "Program", kept)
    monkeypatch.setattr(clinch.config, "cache", False)
    monkeypatch.setattr(clinch.pytensor.options, "first_tier", None)

    def look(kind, inputs, outputs):
        (step,) = pytensor.function(inputs, outputs, mode="CLINCH").vm.steps
        said = step.thunk.run.program.stage("remarks").splitlines()
        return sum(f"`{kind}.c_code`" in line and "\tvectorized loop" in line for line in said)

    return look


def test_loops_are_vectorized(vectorized):
    """With results of bool, which may lie where anything does, and of gathers."""
    a, i, *x = (pt.vector(n, dtype="int64" if n == "i" else "float64") for n in "aistuvwxyz")
    z = x[0] * x[1] + x[2] / x[3]
    assert vectorized("Rows", x, [z > x[4], z * x[5], z * x[6]]) == 1
    assert not vectorized("Rows", x[:4], [z])
    z = a[i] * x[0] + x[1]
    # The other one compares the indices with the length.
    assert vectorized("FusedLoop", [a, i, *x], [z, z.sum()]) == 2
