"""Ops without C that have some of ours: the values of their `perform`, to the bit."""

import numpy as np
import pytensor.tensor as pt
import pytest
from conftest import by_pytensor, in_python, same_bits
from pytensor.compile.builders import OpFromGraph
from pytensor.compile.mode import Mode
from pytensor.tensor.blockwise import Blockwise
from pytensor.tensor.elemwise import DimShuffle

import clinch.pytensor
import pytensor
from clinch.pytensor.machine import GraphMachine
from clinch.pytensor.versions import find

_places = ("pytensor.tensor.linalg", "pytensor.tensor.slinalg")
Cholesky, SolveTriangular = (
    find(*(f"{place}:{name}" for place in _places)) for name in ("Cholesky", "SolveTriangular")
)

_random = np.random.default_rng(15)


def positive(size, dtype="float64"):
    a = _random.normal(size=(size, size))
    return (a @ a.T + size * np.eye(size)).astype(dtype)


def layouts(matrix):
    """The same values in C's order, in Fortran's, and in neither."""
    wide = np.zeros((matrix.shape[0], 2 * matrix.shape[1]), matrix.dtype)
    wide[:, ::2] = matrix
    return [matrix.copy("C"), matrix.copy("F"), wide[:, ::2]]


def compiled(inputs, outputs):
    """A function of one thunk; the graph as it was written."""
    mode = Mode(clinch.pytensor.ClinchLinker(), "minimum_compile")
    function = pytensor.function(inputs, outputs, mode=mode, accept_inplace=True)
    assert isinstance(function.vm, GraphMachine)
    return function


def check(inputs, outputs, *values):
    """The same as `perform`, twice, for what is made the first time may be reused."""
    ours = compiled(inputs, outputs)
    theirs = pytensor.function(inputs, outputs, mode=Mode("py", None), accept_inplace=True)
    for _ in range(2):
        found = ours(*(np.array(v, order="K") for v in values))
        expected = theirs(*(np.array(v, order="K") for v in values))
        for left, right in zip(found, expected, strict=True):
            assert same_bits(left, right)
    return found


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("overwrite", [True, False])
def test_cholesky(dtype, lower, overwrite):
    x = pt.matrix("x", dtype=dtype)
    op = Cholesky(lower=lower, overwrite_a=overwrite)
    # What is destroyed is a temporary.
    z = [op(x * 1 if overwrite else x)]
    for size in (0, 1, 3, 70):
        for matrix in layouts(positive(size, dtype)):
            check([x], z, matrix)
    (no_factor,) = check([x], z, -positive(3, dtype))
    assert np.isnan(no_factor).all()


def test_cholesky_of_no_square():
    x = pt.dmatrix("x")
    with pytest.raises(ValueError, match=r"expected to be square but has the shape: \(2, 3\)"):
        compiled([x], [Cholesky()(x)])(np.ones((2, 3)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("unit", [True, False])
@pytest.mark.parametrize("overwrite", [True, False])
def test_solve_triangular(dtype, lower, unit, overwrite):
    a, b, v = (pt.tensor(n, dtype=dtype, shape=s) for n, s in _SHAPES.items())
    how = {"lower": lower, "unit_diagonal": unit, "overwrite_b": overwrite}
    matrix, vector = (SolveTriangular(b_ndim=n, **how) for n in (2, 1))
    right, row = (b * 1, v * 1) if overwrite else (b, v)
    for size in (1, 3, 40):
        for left in layouts(positive(size, dtype)):
            for values in layouts(_random.normal(size=(size, 4)).astype(dtype)):
                check([a, b], [matrix(a, right)], left, values)
            check([a, v], [vector(a, row)], left, values[:, 0])
    (none,) = check([a, b], [matrix(a, right)], np.zeros((3, 3), dtype), np.ones((3, 2), dtype))
    assert unit or np.isnan(none).all()


_SHAPES = {"a": (None, None), "b": (None, None), "v": (None,)}


def test_solve_triangular_of_shapes_that_do_not_fit():
    a, b = pt.dmatrices("a", "b")
    solve = compiled([a, b], [SolveTriangular(b_ndim=2)(a, b)])
    with pytest.raises(ValueError, match="expected square matrix"):
        solve(np.ones((2, 3)), np.ones((2, 2)))
    said = r"shapes of a \(2, 2\) and b \(3, 2\) are incompatible"
    with pytest.raises(ValueError, match=said):
        solve(np.ones((2, 2)), np.ones((3, 2)))


def test_parts_by_indices():
    x, i, j = pt.dmatrix("x"), pt.lvector("i"), pt.ivector("j")
    values = _random.normal(size=(5, 6))
    rows, columns = np.array([0, -1, 3, 3]), np.array([5, 2, -6, -6], "int32")
    for matrix in layouts(values):
        check([x, i, j], [x[i, j], x[i[:, None], j]], matrix, rows, columns)
    check([x, i, j], [x[i, j]], values, rows[:0], columns[:0])
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 5"):
        compiled([x, i, j], [x[i, j]])(values, rows + 2, columns)


@pytest.mark.parametrize("inplace", [True, False])
@pytest.mark.parametrize("nodup", [True, False])
@pytest.mark.parametrize("change", [pt.set_subtensor, pt.inc_subtensor])
def test_changed_parts(change, nodup, inplace):
    x, y, i, j = pt.dmatrix("x"), pt.dvector("y"), pt.lvector("i"), pt.lvector("j")
    of = x * 1 if inplace else x
    node = change(of[i, j], y).owner
    props = {**node.op._props_dict(), "inplace": inplace, "ignore_duplicates": nodup}
    z = type(node.op)(**props)(*node.inputs)
    rows, columns = np.array([0, 1, 4, 4]), np.array([5, 2, 3, 3])
    for matrix in layouts(_random.normal(size=(5, 6))):
        check([x, y, i, j], [z], matrix, _random.normal(size=4), rows, columns)
    with pytest.raises((ValueError, IndexError)):
        compiled([x, y, i, j], [z])(np.ones((5, 6)), np.ones(3), rows, columns)


def test_a_graph_within_a_graph_is_part_of_the_thunk():
    x, y = pt.dvectors("x", "y")
    inner = OpFromGraph([x, y], [x * y + pt.exp(x), x - y])
    a, b = inner(x + 1, y)
    function = pytensor.function([x, y], [a * b], mode="CLINCH")
    assert isinstance(function.vm, GraphMachine)
    assert not any(isinstance(n.op, OpFromGraph) for n in function.maker.fgraph.apply_nodes)
    values = _random.normal(size=(2, 7))
    expected = in_python([x, y], [a * b])(*values)
    np.testing.assert_allclose(function(*values), expected, rtol=1e-14)


def test_a_graph_within_a_graph_is_rewritten_first():
    """What is stable where PyTensor compiles it by itself is stable here."""
    x, inner = pt.dvectors("x", "inner")
    e = pt.exp(inner)
    large = np.array([1000.0, 1001.0])
    for z, expected in (
        (pt.log(1 + e), large),
        (pt.log(e.sum()), 1001 + np.log1p(np.exp(-1))),
        (e / e.sum(), 1 / (1 + np.exp([1, -1]))),
    ):
        function = pytensor.function([x], OpFromGraph([inner], [z])(x), mode="CLINCH")
        assert not any(
            type(n.op) is OpFromGraph for n in function.maker.fgraph.apply_nodes
        )
        np.testing.assert_allclose(function(large), expected, rtol=1e-14)


@pytest.mark.parametrize("dims", [1, 2])
def test_a_graph_for_each_of_a_batch_without_a_batch_is_part_of_the_thunk(dims):
    """Or of one item: as gradients of linear algebra have it."""
    shape = (1,) * (dims - 1) + (7,)
    x, y = (pt.tensor(n, shape=(*shape[:-1], None)) for n in "xy")
    a, b = pt.dvectors("a", "b")
    inner = Blockwise(OpFromGraph([a, b], [a * b + pt.exp(a)]), signature="(n),(n)->(n)")
    z = inner(x + 1, y)
    function = pytensor.function([x, y], z * 2, mode="CLINCH")
    assert isinstance(function.vm, GraphMachine)
    assert not any(isinstance(n.op, Blockwise) for n in function.maker.fgraph.apply_nodes)
    values = _random.normal(size=(2, *shape))
    expected = 2 * ((values[0] + 1) * values[1] + np.exp(values[0] + 1))
    np.testing.assert_allclose(function(*values), expected, rtol=1e-14)


def test_a_view_of_a_view_is_one():
    """What PyTensor puts around linear algebra of a batch of one, and where one ends."""
    x, y = pt.tensor("x", shape=(1, 3, 3)), pt.tensor("y", shape=(3, 1))
    factor = Cholesky()(x[0])[None]
    solved = SolveTriangular(lower=True, b_ndim=2)(factor[0].T.T, y)
    outputs = [x.mT.mT, factor, factor.mT, solved.T[None], y.T[0]]
    whole = Blockwise(SolveTriangular(lower=True, b_ndim=2))(factor, solved[None])
    outputs += [whole, whole[0].T, x[0][None] * 2, pt.grad(whole.sum(), x)]
    function = pytensor.function([x, y], outputs, mode="CLINCH")
    nodes = function.maker.fgraph.apply_nodes
    views = {n.outputs[0]: n.inputs[0] for n in nodes if isinstance(n.op, DimShuffle)}
    assert views
    assert not views.keys() & set(views.values())
    values = positive(3)[None], _random.normal(size=(3, 1))
    kept = [v.copy() for v in values]
    for left, right in zip(function(*values), in_python([x, y], outputs)(*values), strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-13)
    assert all(map(same_bits, values, kept))


def test_the_switch_leaves_all_to_python():
    x = pt.dmatrix("x")
    by_pytensor([x], Cholesky()(x))


def test_what_has_no_c_of_ours_stays_as_it_is():
    x = pt.dmatrix("x")
    function = pytensor.function([x], pt.unique(x), mode="CLINCH")
    assert not isinstance(function.vm, GraphMachine)
    np.testing.assert_array_equal(function(np.eye(2)), [0.0, 1.0])


def test_masks_are_in_the_thunk():
    y, mask = pt.dmatrix("y"), pt.tensor("mask", dtype="bool", shape=(None, None))
    check([y, mask], [y[mask]], np.eye(2), np.eye(2) > 0)
