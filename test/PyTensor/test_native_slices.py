"""Parts that numbers and slices choose, set or added to: what `perform` gives, to the
bit, or its error."""

import itertools

import numpy as np
import pytensor.tensor as pt
import pytest
from pytensor.compile.io import In
from pytensor.compile.mode import Mode
from pytensor.tensor.subtensor import IncSubtensor
from test_native import check, compiled, layouts

import clinch.pytensor
import pytensor
from clinch.pytensor.registry import clinch_funcify
from clinch.pytensor.native.slices import ChangedPart

#: `ClinchFew` of `arrays.c`.
FEW = 500

_random = np.random.default_rng(17)
_FLOATS = ["float32", "float64"]
_OTHERS = ["bool", "int8", "uint64", "complex64", "complex128"]
_WAYS = [pt.set_subtensor, pt.inc_subtensor]


def changed(change, x, y, index, inplace=False):
    """`x` changed at the index; what is done in place is done to a temporary."""
    node = change((x.copy() if inplace else x)[index], y).owner
    if not inplace:
        return node.outputs[0]
    op = IncSubtensor(
        node.op.idx_list, inplace=True, set_instead_of_inc=node.op.set_instead_of_inc
    )
    return op(*node.inputs)


def typed(values, dtype):
    return (values + 1j * values if dtype[0] == "c" else values).astype(dtype)


def is_ours(z):
    return isinstance(clinch_funcify(z.owner.op, z.owner), ChangedPart)


@pytest.mark.parametrize("inplace", [True, False])
@pytest.mark.parametrize("dtype", _FLOATS + _OTHERS)
def test_parts_of_each_type(dtype, inplace):
    x, y = (pt.tensor(n, dtype=dtype, shape=(None, None)) for n in "xy")
    i, j = pt.lscalar("i"), pt.scalar("j", dtype="int8")
    where = (slice(i, None), slice(None, j, -2))
    for change in _WAYS:
        z = changed(change, x, y, where, inplace)
        assert is_ours(z) == (change is pt.set_subtensor or dtype in _FLOATS)
        for matrix, part in zip(
            layouts(typed(_random.integers(0, 9, (5, 7)), dtype)),
            layouts(typed(_random.integers(0, 9, (3, 2)), dtype)),
            strict=True,
        ):
            check([x, y, i, j], [z], matrix, part, 2, np.int8(3))


@pytest.mark.parametrize("change", _WAYS)
@pytest.mark.parametrize("item", _FLOATS)
@pytest.mark.parametrize("value", ["bool", "int8", "uint16", "int64", "uint64", "float32"])
def test_values_of_another_type(change, item, value):
    x, y = pt.vector("x", dtype=item), pt.vector("y", dtype=value)
    try:
        z = change(x[1:3], y)
    except TypeError:
        assert not np.can_cast(value, item)
        return
    new = np.array([2**60 + 1, 2**53 + 1]).astype(value)
    check([x, y], [z], np.arange(4).astype(item), new)
    check([x, y], [z], -np.zeros(4, item), (-np.zeros(2)).astype(value))


_BOUNDS = [None, -9, -5, -4, -1, 0, 1, 3, 4, 9]


@pytest.mark.parametrize("step", [None, 1, -1, 2, -3, 7])
def test_all_slices_of_five(step):
    """Each pair of bounds, as constants and as arguments."""
    x, y, i, j, k = pt.dvector("x"), pt.dscalar("y"), *(pt.lscalar(n) for n in "ijk")
    outputs, expected, values = [], [], np.arange(5.0)
    for first, last in itertools.product(_BOUNDS, _BOUNDS):
        outputs.append(pt.inc_subtensor(x[first:last:step], y))
        after = values.copy()
        after[first:last:step] += 0.5
        expected.append(after)
    assert all(map(is_ours, outputs))
    for found, right in zip(compiled([x, y], outputs)(values, 0.5), expected, strict=True):
        assert found.tolist() == right.tolist()
    if step is None:
        return
    given = compiled([x, y, i, j, k], [pt.inc_subtensor(x[i:j:k], y)])
    for (first, last), right in zip(itertools.product(_BOUNDS, _BOUNDS), expected, strict=True):
        if first is not None and last is not None:
            assert given(values, 0.5, first, last, step)[0].tolist() == right.tolist()


@pytest.mark.parametrize("change", _WAYS)
def test_values_that_are_broadcast(change):
    x = pt.dtensor3("x")
    tensors = [pt.dscalar(), pt.dvector(), pt.dmatrix(), pt.dtensor3(), pt.tensor(shape=(None, 1))]
    z = [changed(change, x, y, np.s_[1:, :, ::2]) for y in tensors]
    assert all(map(is_ours, z))
    for shapes in (
        [(), (2,), (3, 2), (3, 3, 2), (3, 1)],
        [(), (1,), (1, 2), (1, 3, 1), (1, 1)],
    ):
        values = [_random.normal(size=shape) for shape in shapes]
        check([x, *tensors], z, _random.normal(size=(4, 3, 4)), *values)
        # Nothing is left of the first axis, or of the last.
        nothing = [np.ones((1,) * value.ndim) for value in values]
        check([x, *tensors], z, np.ones((1, 3, 4)), *nothing)
        check([x, *tensors], z, np.ones((4, 3, 0)), *nothing)


@pytest.mark.parametrize("change", _WAYS)
def test_a_whole_array_and_one_item(change):
    x, y, i, j = pt.dmatrix("x"), pt.dscalar("y"), pt.lscalar("i"), pt.lscalar("j")
    parts = [x[i, j], x[-1], x[:, 0], x[...], x[::-1, ::-1]]
    for matrix in layouts(_random.normal(size=(3, 4))):
        check([x, y, i, j], [change(part, y) for part in parts], matrix, 2.5, -3, 3)


@pytest.mark.parametrize("change", _WAYS)
@pytest.mark.parametrize("inplace", [True, False])
def test_what_does_not_fit(change, inplace):
    """The errors are NumPy's, or those of PyTensor's own C."""
    x, y, i, k = pt.dmatrix("x"), pt.dvector("y"), pt.lscalar("i"), pt.lscalar("k")
    z = compiled([x, y, i, k], [changed(change, x, y, np.s_[i, ::k], inplace)])
    matrix = np.arange(6.0).reshape(2, 3)
    for row in (-3, 2):
        with pytest.raises(IndexError, match="index out of bounds"):
            z(matrix, np.ones(3), row, 1)
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        z(matrix, np.ones(3), 0, 0)
    with pytest.raises(ValueError, match="broadcast"):
        z(matrix, np.ones(2), 0, 1)
    with pytest.raises(ValueError, match="broadcast"):
        z(matrix, np.ones(3), 0, 3)
    assert z(matrix, np.full(3, 9.0), 0, 1)[0].tolist()[1] == [3.0, 4.0, 5.0]
    assert matrix.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


def test_an_array_that_may_not_be_written():
    x, y = pt.dvector("x"), pt.dscalar("y")
    part = pt.inc_subtensor(x[0], y).owner
    z = IncSubtensor(part.op.idx_list, inplace=True)(*part.inputs)
    mode = Mode(clinch.pytensor.ClinchLinker(), None)
    function = pytensor.function([In(x, mutable=True), y], z, mode=mode, accept_inplace=True)
    values = np.zeros(3)
    values.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        function(values, 1.0)
    assert values.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("change", _WAYS)
@pytest.mark.parametrize("inplace", [True, False])
def test_values_that_are_parts_of_the_array(change, inplace):
    """Each item is read before it is written."""
    x = pt.dvector("x")
    whole = x.copy()
    for index, part in (
        (np.s_[1:], whole[:-1]),
        (np.s_[::-1], whole),
        (np.s_[:-1], whole[1:]),
        (np.s_[2:3], whole[0]),
    ):
        node = change(whole[index], part).owner
        op = IncSubtensor(
            node.op.idx_list,
            inplace=inplace,
            set_instead_of_inc=node.op.set_instead_of_inc,
            destroyhandler_tolerate_aliased=[(0, 1)],
        )
        check([x], [op(*node.inputs)], _random.normal(size=9))


@pytest.mark.parametrize("change", _WAYS)
def test_few_items_and_many(change):
    """On both sides of where NumPy begins to do it."""
    x, y, i = pt.dvector("x"), pt.dvector("y"), pt.lscalar("i")
    z = changed(change, x, y, np.s_[:i])
    for count in (FEW - 1, FEW, FEW + 1, 5 * FEW):
        values = _random.normal(size=6 * FEW)
        check([x, y, i], [z], values, values[:count] * 3, count)


def test_a_result_kept_from_the_call_before():
    """A temporary of a known size is written again, never what a caller holds."""
    x, y = pt.tensor("x", dtype="float64", shape=(4,)), pt.dscalar("y")
    part = pt.inc_subtensor(x[1:3], y)
    mode = Mode(clinch.pytensor.ClinchLinker(), None)
    function = pytensor.function([x, y], [part, 2.0 * pt.set_subtensor(part[0], y)], mode=mode)
    first = function(np.zeros(4), 1.0)
    second = function(np.ones(4), 2.0)
    assert first[0].tolist() == [0.0, 1.0, 1.0, 0.0]
    assert second[0].tolist() == [1.0, 3.0, 3.0, 1.0]
    assert first[1].tolist() == [2.0, 2.0, 2.0, 0.0]
    assert second[1].tolist() == [4.0, 6.0, 6.0, 2.0]


def test_that_pytensors_own_serves_the_rest(monkeypatch):
    matrix, x, n = pt.dtensor4("matrix"), pt.dvector("x"), pt.lvector("n")
    assert not is_ours(pt.inc_subtensor(n[0], 1))
    assert not is_ours(pt.set_subtensor(pt.zvector()[0], pt.dscalar()))
    assert not is_ours(pt.set_subtensor(matrix[1:], 0.0))
    assert is_ours(pt.set_subtensor(matrix[1], 0.0))
    assert is_ours(pt.set_subtensor(x[0], 1.0))
    monkeypatch.setattr(clinch.pytensor.options, "native_ops", False)
    assert not is_ours(pt.set_subtensor(x[0], 1.0))


def test_random_parts(monkeypatch):
    """Arrays, indices and values of any shape, against PyTensor's own C."""
    for _ in range(30):
        ndim = _random.integers(1, 4)
        shape = _random.integers(0, 5, ndim)
        index = tuple(_random_index(size) for size in shape[: _random.integers(0, ndim + 1)])
        values = _random.normal(size=shape)
        part = np.shape(values[index])
        size = [n if _random.random() < 0.7 else 1 for n in part]
        new = _random.normal(size=size[_random.integers(0, len(size) + 1) :])
        x, y = pt.tensor("x", shape=(None,) * ndim), pt.tensor("y", shape=(None,) * new.ndim)
        z = [change(x[index], y) for change in _WAYS]
        ours = compiled([x, y], z)
        with monkeypatch.context() as change:
            change.setattr(clinch.pytensor.options, "native_ops", False)
            theirs = compiled([x, y], z)
        for left, right in zip(ours(values, new), theirs(values, new), strict=True):
            assert left.tolist() == right.tolist()


def _random_index(size):
    if size and _random.random() < 0.3:
        return int(_random.integers(-size, size))
    first, last = (None if n > 5 else int(n) for n in _random.integers(-6, 9, 2))
    return slice(first, last, int(_random.choice([1, 2, -1, -2])))
