"""Reductions along one axis, several results side by side: the bits of PyTensor's loop."""

import numpy as np
import pytensor.tensor as pt
import pytest
from conftest import LAYOUTS, same_bits

import clinch.pytensor
import pytensor
from clinch.pytensor.registry import with_code

_random = np.random.default_rng(37)
_REDUCTIONS = {
    "sum": lambda x, axis: x.sum(axis),
    "prod": lambda x, axis: x.prod(axis),
    "max": lambda x, axis: x.max(axis),
    "any": lambda x, axis: (x > 1).any(axis),
    "sum of squares": lambda x, axis: pt.sqr(x).sum(axis),
}
#: One block of results and some more, few results, many short sums, and nothing to add.
_SHAPES = [(37, 50), (300, 2), (2, 300), (1, 40), (5, 0), (0, 5), (9, 2, 3), (3, 5, 17)]


def _sides(function):
    nodes = function.maker.fgraph.apply_nodes
    return sum("_c_all" in vars(with_code(n).op) for n in nodes)


@pytest.mark.parametrize(
    ("dtype", "dims"), [("float64", 2), ("float64", 3), ("float32", 2), ("int8", 3)]
)
def test_sums(monkeypatch, dtype, dims):
    x = pt.tensor("x", shape=(None,) * dims, dtype=dtype)
    outputs = [of(x, axis) for of in _REDUCTIONS.values() for axis in range(dims)]
    ours = pytensor.function([x], outputs, mode="CLINCH")
    monkeypatch.setattr(clinch.pytensor.options, "native_ops", False)
    theirs = pytensor.function([x], outputs, mode="CLINCH")
    monkeypatch.undo()
    # float32 is added as float64; the least integer is not known as C.
    assert _sides(ours) == dims * {"float64": 5, "float32": 2}.get(dtype, 4)
    for shape in (s for s in _SHAPES if len(s) == dims):
        for layout in LAYOUTS.values():
            value = layout((2 * _random.normal(size=shape)).astype(dtype))
            _compare(ours, theirs, value)
    clinch.pytensor.wait()
    _compare(ours, theirs, (2 * _random.normal(size=(40,) * dims)).astype(dtype))


def _compare(ours, theirs, value):
    if 0 in value.shape:
        for f in (ours, theirs):
            with pytest.raises(ValueError, match="zero-size|no identity|Input of CAReduce"):
                f(value)
        return
    assert all(map(same_bits, ours(value), theirs(value)))


def test_a_sum_of_nothing_is_zero():
    x = pt.dmatrix("x")
    f = pytensor.function([x], [x.sum(0), x.sum(1)], mode="CLINCH")
    assert _sides(f) == 2
    for shape in ((5, 0), (0, 5)):
        for axis, made in enumerate(f(np.ones(shape))):
            np.testing.assert_array_equal(made, np.zeros(shape).sum(axis))
