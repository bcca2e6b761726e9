"""Items and rows picked by vectors of integers: what `perform` gives, to the bit, or its
error."""

import itertools

import numpy as np
import pytensor.tensor as pt
import pytensor.tensor.subtensor as subtensor
import pytest
from conftest import in_python, same_bits
from pytensor.compile.io import In
from pytensor.compile.mode import Mode
from test_native import check, compiled, layouts

import clinch.pytensor
import pytensor
from clinch.pytensor.inline import pick_of_one

_random = np.random.default_rng(16)
_INDICES = ["int8", "uint8", "int32", "uint32", "int64"]
_ITEMS = ["bool", "int8", "uint64", "float32", "float64", "complex64", "complex128"]


_WAYS = [(pt.set_subtensor, False), (pt.inc_subtensor, False), (pt.inc_subtensor, True)]


def changed(way, x, y, indices, inplace):
    """`x` changed at the indices, in one of the ways in which the Op does that."""
    change, ignore_duplicates = way
    node = change(x[tuple(indices)], y).owner
    props = {**node.op._props_dict(), "ignore_duplicates": ignore_duplicates}
    return type(node.op)(**{**props, "inplace": inplace})(*node.inputs)


def changes(x, y, indices, inplace):
    """`x` changed in each way; what is done in place is done to a temporary."""
    return [changed(way, x * 1 if inplace else x, y, indices, inplace) for way in _WAYS]


def typed(values, dtype):
    return (values + 1j * values if dtype[0] == "c" else values).astype(dtype)


@pytest.mark.parametrize("dtype", _ITEMS)
def test_items_of_each_type(dtype):
    x = pt.tensor("x", dtype=dtype, shape=(None, None))
    values = typed(_random.integers(0, 9, (5, 6)), dtype)
    for kinds in zip(_INDICES, reversed(_INDICES), strict=True):
        i, j = (pt.vector(n, dtype=d) for n, d in zip("ij", kinds, strict=True))
        rows = np.array([0, 1, 4, 4, 2]).astype(kinds[0])
        columns = np.array([5, 2, 3, 3, 0]).astype(kinds[1])
        for matrix in layouts(values):
            check([x, i, j], [x[i, j]], matrix, rows, columns)


@pytest.mark.parametrize("inplace", [True, False])
@pytest.mark.parametrize("dtype", _ITEMS)
def test_changed_items_of_each_type(dtype, inplace):
    x, y = pt.tensor("x", dtype=dtype, shape=(None, None)), pt.vector("y", dtype=dtype)
    i, j = pt.lvector("i"), pt.ivector("j")
    rows, columns = np.array([0, -1, 4, 4, -5]), np.array([5, 2, 3, -3, 0], "int32")
    new = typed(_random.integers(0, 9, 10), dtype)[::2]
    for z in changes(x, y, [i, j], inplace):
        for matrix in layouts(typed(_random.integers(0, 9, (5, 6)), dtype)):
            check([x, y, i, j], [z], matrix, new, rows, columns)


@pytest.mark.parametrize("inplace", [True, False])
def test_values_that_are_broadcast(inplace):
    x, i = pt.dvector("x"), pt.lvector("i")
    where = np.array([3, 0, 3])
    one = pt.tensor("one", dtype="float64", shape=(1,))
    for y, value in ((pt.dscalar("y"), np.array(2.5)), (one, np.array([2.5]))):
        for z in changes(x, y, [i], inplace):
            check([x, y, i], [z], np.arange(4.0), value, where)
            check([x, y, i], [z], np.arange(4.0), value, where[:0])


@pytest.mark.parametrize("inplace", [True, False])
def test_three_axes_and_none_of_some(inplace):
    x, y = pt.dtensor3("x"), pt.dvector("y")
    indices = pt.lvectors("i", "j", "k")
    values = _random.normal(size=(3, 4, 5))
    given = [_random.integers(-3, 3, 7) for _ in range(3)]
    check([x, *indices], [x[tuple(indices)]], values, *given)
    check([x, *indices], [x[tuple(indices)]], values.T.copy().T, *given)
    none = [g[:0] for g in given]
    check([x, *indices], [x[tuple(indices)]], values[:0], *none)
    for z in changes(x, y, indices, inplace):
        check([x, y, *indices], [z], values, np.arange(7.0), *given)
        check([x, y, *indices], [z], values[:0], np.arange(0.0), *none)


def rows_changed(x, y, i, inplace):
    """`x` changed in the rows `i`, by each Op that there is for it."""
    made = changes(x, y, [i], inplace)
    # Before PyTensor 3.3 there is one for a single vector.
    if one := getattr(subtensor, "AdvancedIncSubtensor1", None):
        of = x * 1 if inplace else x
        made += [one(inplace=inplace, set_instead_of_inc=s)(of, y, i) for s in (True, False)]
    return made


@pytest.mark.parametrize("inplace", [True, False])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "int16"])
def test_rows(dtype, inplace):
    x, new = (pt.tensor(n, dtype=dtype, shape=(None, None)) for n in ("x", "y"))
    one, row = pt.tensor("one", dtype=dtype, shape=()), pt.vector("row", dtype=dtype)
    i = pt.lvector("i")
    where = np.array([0, -1, 4, 4, -5])
    values = typed(_random.normal(size=(5, 6)) * 9, dtype)
    rows = typed(_random.normal(size=(5, 6)) * 9, dtype)
    for matrix in layouts(values):
        (taken,) = check([x, i], [x[i]], matrix, where)
        assert taken.flags.c_contiguous
        for given in layouts(rows):
            for z in rows_changed(x, new, i, inplace):
                check([x, new, i], [z], matrix, given, where)
        for y, given in ((one, rows[0, 0]), (row, rows[0])):
            for z in rows_changed(x, y, i, inplace):
                check([x, y, i], [z], matrix, given, where)
    for z in rows_changed(x, new, i, inplace):
        check([x, new, i], [z], values, rows[:0], where[:0])
        check([x, new, i], [z], values[:, :0], rows[:, :0], where)


def test_rows_by_two_vectors():
    x, y = pt.dtensor3("x"), pt.dmatrix("y")
    i, j = pt.lvectors("i", "j")
    values = _random.normal(size=(3, 4, 5))
    given = [_random.integers(-3, 3, 7) for _ in range(2)]
    for whole in (values, values.T.copy().T, values[::-1]):
        check([x, i, j], [x[i, j]], whole, *given)
        for z in changes(x, y, [i, j], False):
            check([x, y, i, j], [z], whole, _random.normal(size=(7, 5)), *given)


@pytest.mark.parametrize("size", [(1, 6), (5, 1), (1, 1), (4, 6), (5, 2)])
def test_rows_that_do_not_fit(size):
    """What turns out to be broadcast is refused where `perform` refuses it."""
    x, y, i = pt.dmatrix("x"), pt.dmatrix("y"), pt.lvector("i")
    values = _random.normal(size=(5, 6)), _random.normal(size=size), np.array([0, 1, 1, 4, 2])
    for z in rows_changed(x, y, i, False):
        said = []
        for make in (compiled, in_python):
            try:
                said.append(make([x, y, i], [z])(*values)[0].tolist())
            except ValueError as error:
                said.append(str(error).splitlines()[0])
        assert said[0] == said[1]
        assert size != (4, 6) or "shape" in said[0]


def both(inputs, z):
    """Functions of a compiled graph and of `perform`, and how many axes the arrays have
    that the first one changes."""
    ours = pytensor.function(inputs, z, mode="CLINCH")
    changed = [n for n in ours.maker.fgraph.apply_nodes if type(n.op) is type(z.owner.op)]
    return ours, in_python(inputs, z), [n.inputs[0].type.ndim for n in changed]


@pytest.mark.parametrize("way", _WAYS)
@pytest.mark.parametrize("shape", [(1, 5), (1, 1), (1, 1, 5)])
def test_items_of_a_batch_of_one(way, shape):
    """As in gradients of factors: PyTensor has no C for `:` among vectors."""
    batch = len(shape) - 1
    x = pt.tensor("x", dtype="float64", shape=(*[1] * batch, None, None))
    y = pt.tensor("y", dtype="float64", shape=tuple(1 if n == 1 else None for n in shape))
    i, j, whole = pt.lvector("i"), pt.ivector("j"), [slice(None)] * batch
    ours, theirs, axes = both([x, y, i, j], changed(way, x, y, [*whole, i, j], False))
    assert axes == [2]
    rows, columns = np.array([0, -1, 3, 3, -4]), np.array([2, 0, 1, -2, 0], "int32")
    new = _random.normal(size=shape)
    for matrix in layouts(_random.normal(size=(4, 3))):
        given = matrix[(None,) * batch], new
        assert same_bits(ours(*given, rows, columns), theirs(*given, rows, columns))
        for wrong in (rows + 1, rows - 1, rows[:2]):
            for function in (ours, theirs):
                with pytest.raises(IndexError):
                    function(*given, wrong, columns)


_ALL, _FROM = slice(None), slice(1, None)


@pytest.mark.parametrize("way", _WAYS)
@pytest.mark.parametrize(
    ("shape", "values", "picks"),
    [
        ((None, None, None), (2, 4, 4), [_ALL, "i", "i"]),
        ((1, None, None), (1, 4, 4), [_ALL, "mask", "i"]),
        ((1, None, None), (1, 4, 4), [_FROM, "i", "i"]),
        ((1, None, None, None), (1, 4, 3, 4), [_ALL, "i", _ALL, "i"]),
        ((1, None, None), (1, 4, 4), [_ALL, "i", "i"]),
    ],
)
def test_what_is_no_batch_of_one(way, shape, values, picks):
    """The last one's new values have an axis that may be longer than one item."""
    x, y = pt.tensor("x", dtype="float64", shape=shape), pt.tensor("y", shape=(None,) * 2)
    vectors = {"i": pt.lvector("i"), "mask": pt.tensor("mask", dtype="bool", shape=(None,))}
    at = [vectors.get(pick, pick) if isinstance(pick, str) else pick for pick in picks]
    node = changed(way, x, y, at, False).owner
    # Without what says that an axis of `y` has one item.
    z = node.op(x, y, *node.inputs[2:])
    ours, theirs, axes = both([x, y, *vectors.values()], z)
    assert axes == [len(shape)]
    where = np.array([0, 1, 1]), np.array([True, False, True, True])
    for new in (_random.normal(size=(values[0], 3)), np.ones((1, 1))):
        given = _random.normal(size=values), new, *where
        assert same_bits(ours(*given), theirs(*given))


def test_one_vector_behind_a_batch_of_one_stays():
    """`x[i] = y` refuses a `y` that turns out to be broadcast, `x[:, i] = y` does not."""
    x, y, i = pt.tensor("x", shape=(1, None)), pt.tensor("y", shape=(1, None)), pt.lvector("i")
    assert not pick_of_one.transform(None, pt.set_subtensor(x[:, i], y).owner)


def test_lengths_that_differ():
    """One of one item goes with each of the others, as in NumPy."""
    x, y, i, j = pt.dmatrix("x"), pt.dvector("y"), pt.lvector("i"), pt.lvector("j")
    rows, columns = np.array([3]), np.array([5, 2, 2])
    values = _random.normal(size=(5, 6))
    check([x, i, j], [x[i, j]], values, rows, columns)
    check([x, i, j], [x[i, j]], values, columns - 1, rows)
    for z in changes(x, y, [i, j], False):
        check([x, y, i, j], [z], values, np.arange(3.0), rows, columns)
    with pytest.raises(IndexError, match="could not be broadcast"):
        compiled([x, i, j], [x[i, j]])(values, np.array([0, 1]), columns)


def in_place(way, linker):
    """A function of the column that it changes, the values and the rows. PyTensor 3.3 has
    C of its own for a vector, which changes what precedes a wrong index."""
    x, y, i = pt.dmatrix("x"), pt.dvector("y"), pt.lvector("i")
    mode = Mode(linker, "minimum_compile")
    z = changed(way, x, y, [i, pt.zeros_like(i)], True)
    function = pytensor.function([In(x, mutable=True), y, i], z, mode=mode, accept_inplace=True)
    # Otherwise PyTensor copies arrays that share memory.
    function.trust_input = True
    return function


@pytest.mark.parametrize("way", _WAYS)
@pytest.mark.parametrize("bad", [[0, 5], [-6, 0], [2**62, 0], [-(2**63), 0]])
def test_an_index_out_of_bounds_changes_nothing(way, bad):
    values, where = np.arange(5.0), np.array(bad)
    with pytest.raises(IndexError) as numpy:
        values[where]
    x, i = pt.dvector("x"), pt.lvector("i")
    for function, given in (
        (in_place(way, clinch.pytensor.ClinchLinker()), [values[:, None], np.ones(2), where]),
        (compiled([x, i], [x[i]]), [values, where]),
    ):
        with pytest.raises(IndexError) as ours:
            function(*given)
        assert str(ours.value).startswith(str(numpy.value))
        assert values.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("way", _WAYS)
def test_values_that_share_memory_with_what_is_changed(way):
    functions = [in_place(way, linker) for linker in (clinch.pytensor.ClinchLinker(), "py")]
    where = np.array([1, 2, 3, 0])
    for begin, step in itertools.product(range(6), (1, 2, -1)):
        results = []
        for function in functions:
            whole = np.arange(16.0)
            function(whole[4:9, None], whole[begin + 3 :: step][:4], where)
            results.append(whole.tolist())
        assert results[0] == results[1], (begin, step)


def test_indices_that_share_memory_with_what_is_changed():
    x, i = pt.lmatrix("x"), pt.lvector("i")
    z = changed(_WAYS[0], x, np.int64(2), [i, pt.zeros_like(i)], True)
    results = []
    for linker in (clinch.pytensor.ClinchLinker(), "py"):
        mode = Mode(linker, "minimum_compile")
        function = pytensor.function([In(x, mutable=True), i], z, mode=mode, accept_inplace=True)
        function.trust_input = True
        whole = np.array([3, 0, 1, 1, 0])
        results.append(function(whole[:4, None], whole[1:]).tolist())
    assert results[0] == results[1]
