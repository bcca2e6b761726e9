"""Ops whose C of ours takes less time over small arrays than PyTensor's own: what
`perform` gives, or its error."""

import numpy as np
import pytensor.tensor as pt
import pytest
from pytensor.compile.mode import Mode
from pytensor.tensor.math import Sum
from test_native import check, compiled, layouts

import clinch.pytensor
import pytensor
from clinch.pytensor.native.op import NativeOp
from clinch.pytensor.registry import clinch_funcify

#: `ClinchFew` of `arrays.c`.
FEW = 500

_random = np.random.default_rng(18)
_FLOATS = ["float32", "float64"]


def typed(values, dtype):
    return (values + 1j * values if dtype[0] == "c" else values).astype(dtype)


def is_ours(z):
    return isinstance(clinch_funcify(z.owner.op, z.owner), NativeOp)


@pytest.mark.parametrize("way", [pt.cumsum, pt.cumprod])
@pytest.mark.parametrize("dtype", [*_FLOATS, "int64", "complex128"])
def test_cumulated(way, dtype):
    x = pt.vector("x", dtype=dtype)
    for size in (0, 1, 7, 1000):
        values = typed(_random.normal(1, 0.2, size=size) / 2, dtype)
        check([x], [way(x), way(x[::-2]), way(way(x))], values)


@pytest.mark.parametrize("way", [pt.cumsum, pt.cumprod])
def test_cumulated_rows_and_columns(way):
    x = pt.dmatrix("x")
    for values in layouts(_random.normal(size=(3, 4))):
        check([x], [way(x), way(x, axis=0), way(x, axis=1)], values)


@pytest.mark.parametrize("dtype", _FLOATS)
@pytest.mark.parametrize("wide", [None, *_FLOATS])
def test_sums_of_vectors(dtype, wide):
    """Small whole numbers: no order of additions changes their sum."""
    x = pt.vector("x", dtype=dtype)
    if wide is not None and not np.can_cast(dtype, wide):
        return
    op = Sum(acc_dtype=wide) if wide else Sum()
    z = [op(x), op(x[::-1]), op(x[::3]), op(x[:0])]
    assert all(map(is_ours, z))
    for size in (0, 1, 2, 1000):
        check([x], z, _random.integers(-99, 99, size).astype(dtype))


def test_the_order_of_a_sum():
    """The order of PyTensor's own C: that of the memory."""
    x = pt.dvector("x")
    assert 1e16 + 1.0 - 1e16 + 1.0 != 1.0 - 1e16 + 1.0 + 1e16
    z = compiled([x], [x.sum(), x[::-1].sum()])(np.array([1e16, 1.0, -1e16, 1.0]))
    assert [v.item() for v in z] == [1.0, 1.0]


def test_sums_that_pytensors_own_serves():
    for x in (pt.dmatrix(), pt.lvector(), pt.zvector()):
        assert not is_ours(x.sum())
    assert not is_ours(pt.dmatrix().sum(axis=0))
    assert is_ours(pt.dvector().sum())


_ALL = ["bool", "int8", "uint64", *_FLOATS, "complex64", "complex128"]


@pytest.mark.parametrize("dtype", _ALL)
def test_vectors_that_are_joined(dtype):
    x, y = pt.vector("x", dtype=dtype), pt.vector("y", dtype=dtype)
    z = [pt.join(0, x, y), pt.join(-1, x[::-2], y[1:], x[:1], y[:0]), pt.join(0, y)]
    assert is_ours(z[0])
    for sizes in ((3, 4), (0, 1), (1, 0), (500, 7)):
        values = (typed(_random.integers(0, 9, size), dtype) for size in sizes)
        check([x, y], z, *values)


def test_joins_that_pytensors_own_serves():
    x, y, i = pt.dvector("x"), pt.fvector("y"), pt.lvector("i")
    assert not is_ours(pt.join(0, x, y))
    assert not is_ours(pt.join(0, x, i))
    assert not is_ours(pt.join(1, pt.dmatrix(), pt.dmatrix()))


@pytest.mark.parametrize("index", ["int8", "uint8", "int32", "int64"])
@pytest.mark.parametrize("dtype", _ALL)
def test_few_items_and_rows(dtype, index):
    x, m = pt.vector("x", dtype=dtype), pt.matrix("m", dtype=dtype)
    i = pt.vector("i", dtype=index)
    z = [x[i], m[i], m.T[i]]
    assert all(map(is_ours, z))
    where = np.array([0, 4, 2, 2]).astype(index)
    vector = typed(_random.integers(0, 9, 10), dtype)[::2]
    for matrix in layouts(typed(_random.integers(0, 9, (5, 5)), dtype)):
        check([x, m, i], z, vector, matrix, where)
        check([x, m, i], z, vector, matrix, where[:0])


def test_items_on_both_sides_of_few():
    x, m, i = pt.dvector("x"), pt.dmatrix("m"), pt.lvector("i")
    z = [x[i], m[i]]
    for count in (FEW - 1, FEW, FEW + 1, 3 * FEW):
        where = _random.integers(-7, 7, count)
        check([x, m, i], z, _random.normal(size=7), _random.normal(size=(7, 1)), where)
        check([x, m, i], z, np.ones(7), _random.normal(size=(7, 20)), where[: count // 20])


@pytest.mark.parametrize("where", [[5], [-6], [0] * FEW + [5]])
def test_items_that_are_not_there(where):
    x, i = pt.dvector("x"), pt.lvector("i")
    with pytest.raises(IndexError, match=f"index {where[-1]} is out of bounds for axis 0 with size 5"):
        compiled([x, i], [x[i]])(np.ones(5), np.array(where))
    # The constant is known to be wrong.
    vector = pt.tensor("vector", dtype="float64", shape=(5,))
    with pytest.raises(IndexError, match="out of bounds"):
        compiled([vector], [vector[np.array(where)]])(np.ones(5))


def test_results_kept_from_the_call_before():
    """Temporaries of known sizes are written again, never what a caller holds."""
    x = pt.tensor("x", dtype="float64", shape=(4,))
    taken = x[np.array([3, 0])]
    joined = pt.join(0, taken, x)
    sums = pt.cumsum(joined)
    mode = Mode(clinch.pytensor.ClinchLinker(), None)
    function = pytensor.function([x], [joined, sums * 1.0, taken.sum() + 1.0], mode=mode)
    first = function(np.arange(4.0))
    second = function(np.ones(4))
    assert [v.tolist() for v in first] == [
        [3.0, 0.0, 0.0, 1.0, 2.0, 3.0], [3.0, 3.0, 3.0, 4.0, 6.0, 9.0], 4.0]  # fmt: skip
    assert [v.tolist() for v in second] == [[1.0] * 6, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 3.0]


def test_without_native_ops(monkeypatch):
    monkeypatch.setattr(clinch.pytensor.options, "native_ops", False)
    x = pt.dvector("x")
    for z in (x.sum(), pt.cumsum(x), pt.join(0, x, x), x[pt.lvector()]):
        assert not is_ours(z)


def test_all_of_these_ops_in_one_function():
    """They share their support code."""
    x, i = pt.dvector("x"), pt.lvector("i")
    items = pt.inc_subtensor(x[i], 1.0)
    z = pt.cumsum(pt.set_subtensor(items[1:3], 2.0))
    check([x, i], [z], np.arange(5.0), np.array([0, 0, 4]))
