"""Gathers, an Elemwise, scatters and sums in one loop: the bits and errors of each Op."""

import pickle

import numpy as np
import pytensor.tensor as pt
import pytest
from conftest import same_bits
from pytensor.compile.mode import Mode

import clinch.pytensor
import pytensor
from clinch.pytensor.fused import FusedLoop
from clinch.pytensor.machine import GraphMachine

_random = np.random.default_rng(15)


def loops(function):
    return [n for n in function.maker.fgraph.apply_nodes if isinstance(n.op, FusedLoop)]


def apart(inputs, outputs):
    try:
        clinch.pytensor.options.fused_gathers = False
        function = pytensor.function(inputs, outputs, mode="CLINCH")
    finally:
        clinch.pytensor.options.fused_gathers = True
    assert not loops(function)
    return function


def check(inputs, outputs, *values, count=1):
    """The same bits in one loop and apart, twice; earlier results stay as they are."""
    ours = pytensor.function(inputs, outputs, mode="CLINCH")
    assert len(loops(ours)) == count and isinstance(ours.vm, GraphMachine)
    theirs = apart(inputs, outputs)
    first = ours(*values)
    kept = [np.array(v) for v in first]
    expected = theirs(*values)
    assert all(same_bits(a, b) for a, b in zip(kept, expected, strict=True))
    others = [v[::-1].copy() if v.ndim else v for v in values]
    for left, right in zip(ours(*others), theirs(*others), strict=True):
        assert same_bits(left, right)
    assert all(same_bits(a, b) for a, b in zip(first, kept, strict=True))
    return ours


def model(dtype="float64", index="int64"):
    """The density of rows in groups, and its gradient."""
    a, b, y = (pt.vector(n, dtype=dtype) for n in "aby")
    i = pt.vector("i", dtype=index)
    s = pt.scalar("s", dtype=dtype)
    z = pt.sqr((y - pt.exp(a[i]) - b[i] * 2) / s).sum()
    return [a, b, y, i, s], [z, *pt.grad(z, [a, b, s])]


def numbers(rows, groups=7, dtype="float64", index="int64"):
    a, b = _random.normal(size=(2, groups)).astype(dtype)
    low = 0 if index.startswith("u") else -groups
    i = _random.integers(low, groups, rows).astype(index)
    return a, b, _random.normal(size=rows).astype(dtype), i, np.asarray(1.5, dtype)


@pytest.mark.parametrize("rows", [0, 1, 255, 256, 257, 919])
def test_a_model_of_groups(rows):
    check(*model(), *numbers(rows))


def test_float16_inside_has_no_c():
    """Its C would compute with the bits of float16 as with whole numbers."""
    x, y, i = pt.fvector("x"), pt.fvector("y"), pt.lvector("i")
    wide, z = (
        (pt.cast(x[i] * y, of) * pt.cast(y, of)).astype("float32") + y
        for of in ("float64", "float16")
    )
    assert loops(pytensor.function([x, y, i], wide, mode="CLINCH"))
    ours = pytensor.function([x, y, i], z, mode="CLINCH")
    assert not loops(ours)
    theirs = pytensor.function([x, y, i], z, mode=Mode("py", "fast_compile"))
    values = np.linspace(1, 3, 7), np.linspace(0.1, 0.7, 5), [0, 1, 1, 3, 6]
    values = [np.asarray(v, t) for v, t in zip(values, "ffl", strict=True)]
    assert same_bits(ours(*values), theirs(*values))


def test_groups_in_order_and_one_group():
    a, b, y, i, s = numbers(600)
    for places in (np.sort(i), np.zeros_like(i), np.arange(600) % 7):
        check(*model(), a, b, y, places, s)


@pytest.mark.parametrize("index", ["int8", "int32", "uint8", "uint32"])
def test_indices_of_other_types(index):
    check(*model(index=index), *numbers(300, index=index))


def test_single_precision():
    """Sums are in double precision, and stay apart."""
    function = check(*model("float32"), *numbers(300, dtype="float32"))
    assert "Sum" in str(function.maker.fgraph.toposort())


def test_values_that_lie_apart():
    inputs, outputs = model()
    ours, theirs = pytensor.function(inputs, outputs, mode="CLINCH"), apart(inputs, outputs)
    a, b, y, i, s = numbers(300)
    wide = np.repeat(i, 2)[::2], np.repeat(y, 3)[::-3], np.repeat(a, 2)[::2]
    values = wide[2], b[::-1], wide[1], wide[0], s
    for left, right in zip(ours(*values), theirs(*values), strict=True):
        assert same_bits(left, right)


def test_only_a_gather_and_results_that_are_read():
    a, y, i = *pt.dvectors("a", "y"), pt.lvector("i")
    z = a[i] * y + 1
    values = _random.normal(size=5), _random.normal(size=300), _random.integers(-5, 5, 300)
    check([a, y, i], [z], *values)
    check([a, y, i], [z, z.sum(), (z * 2)[::2]], *values)
    check([a, y, i], [(z > 0) & (a[i] < y), pt.cast(z, "int8")], *values)
    check([a, y, i], [pt.sum(a[i] * a[i[::-1]] - y)], *values)
    check([a, y, i], [z * a.sum()], *values)


def test_values_of_other_types():
    a, f, i = pt.ivector("a"), pt.vector("f", dtype="bool"), pt.lvector("i")
    values = np.arange(5, dtype="int32"), _random.integers(0, 2, 300) > 0
    check([a, f, i], [pt.switch(f, a[i], -1)], *values, _random.integers(-5, 5, 300))


def test_only_scatters():
    x, y, i = *pt.dvectors("x", "y"), pt.lvector("i")
    values = _random.normal(size=5), _random.normal(size=300), _random.integers(-5, 5, 300)
    more = pt.exp(y)
    check([x, y, i], [x[i].inc(more), x * 2], *values)
    check([x, y, i], [x[i].inc(more), pt.ones(9)[i].inc(more), more.sum()], *values)


def test_several_sums():
    """None waits for another. One alone, and what a block of few items has, stay apart."""
    x, y = pt.dvectors("x", "y")
    sums = [pt.exp(x).sum(), (pt.exp(x) * y).sum(), pt.sqr(y - pt.exp(x)).sum()]
    check([x, y], sums, *_random.normal(size=(2, 919)))
    few = pt.vector("few", shape=(5,))
    for stays in (sums[:1], [pt.exp(few).sum(), pt.sqr(few).sum()]):
        assert not loops(pytensor.function([x, few], stays, mode="CLINCH"))


def test_what_is_not_added_stays_apart():
    x, y, i = *pt.dvectors("x", "y"), pt.lvector("i")
    values = np.ones(5), np.arange(4.0), np.array([0, 1, 2, 4])
    for made in (x[i].set(pt.exp(y)), x[i].inc(1.0), x[1:].inc(pt.exp(y))):
        function = pytensor.function([x, y, i], made, mode="CLINCH", on_unused_input="ignore")
        assert not loops(function)
        np.testing.assert_array_equal(function(*values), apart([x, y, i], made)(*values))


def test_a_scatter_into_what_the_loop_makes_waits_for_it():
    a, i = pt.dvector("a"), pt.lvector("i")
    z = pt.exp(a[i])
    sums = pt.zeros(7)[i].inc(z)
    outputs = [(z.sum() + a)[i].inc(z), sums[i].inc(z), z[i].inc(z)]
    values = _random.normal(size=300), np.arange(300) % 7
    check([a, i], outputs, *values)


def test_a_gather_that_others_read_stays_apart():
    a, i = pt.dvector("a"), pt.lvector("i")
    g = a[i]
    function = pytensor.function([a, i], [pt.exp(g), g], mode="CLINCH")
    assert not loops(function)


WRONG = {
    "an index": lambda a, b, y, i, s: (a, b, y, np.append(i[:-1], 7), s),
    "a negative index": lambda a, b, y, i, s: (a, b, y, np.append(-8, i[1:]), s),
    "a length": lambda a, b, y, i, s: (a, b, y[:-1], i, s),
    "one row": lambda a, b, y, i, s: (a, b, y[:1], i, s),
    "no group": lambda a, b, y, i, s: (a[:0], b, y, i, s),
    "fewer groups": lambda a, b, y, i, s: (a, b[:5], y, i, s),
}


@pytest.mark.parametrize("what", WRONG)
def test_errors_are_those_of_each_op(what):
    inputs, outputs = model()
    ours, theirs = pytensor.function(inputs, outputs, mode="CLINCH"), apart(inputs, outputs)
    a, b, y, i, s = numbers(300)
    values = WRONG[what](a, b, y, np.append(i[1:], 6), s)
    said = []
    for function in (ours, theirs):
        with pytest.raises((ValueError, IndexError)) as raised:
            function(*values)
        said.append((type(raised.value), str(raised.value).splitlines()[0]))
    assert said[0][0] is said[1][0]
    # PyTensor numbers the inputs of what it fused, which may be in another order.
    assert what in ("a length", "one row") or said[0] == said[1]
    right = a, b, y, i, s
    assert all(same_bits(p, q) for p, q in zip(ours(*right), theirs(*right), strict=True))


def test_a_scatter_out_of_bounds():
    y, i = pt.dvector("y"), pt.lvector("i")
    ours = pytensor.function([y, i], pt.zeros(3)[i].inc(pt.exp(y)), mode="CLINCH")
    assert loops(ours)
    with pytest.raises(IndexError, match="out of bounds"):
        ours(np.zeros(2), np.array([0, 3]))
    with pytest.raises(ValueError):
        ours(np.zeros(2), np.array([0, 1, 2]))
    assert ours(np.zeros(2), np.array([0, -1])).tolist() == [1.0, 0.0, 1.0]


def test_perform_does_the_same():
    inputs, outputs = model()
    (node,) = loops(pytensor.function(inputs, outputs, mode="CLINCH"))
    values = {}
    rest = iter(node.inputs)
    for gather in node.op.gathers:
        v = next(rest)
        fixed = v.type.broadcastable[0]
        values[v] = np.ones(1) if fixed else _random.normal(size=7 if gather else 300)
        if gather is not None:
            values[next(rest)] = np.arange(300) % 7
    for v in rest:
        values.setdefault(v, np.ones(7))
    how = {"on_unused_input": "ignore"}
    quick = pytensor.function(list(values), node.outputs, mode="CLINCH", **how)
    slow = pytensor.function(list(values), node.outputs, mode=Mode("py", None), **how)
    for left, right in zip(quick(*values.values()), slow(*values.values()), strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-12)


def test_a_pickled_loop_is_one_again():
    inputs, outputs = model()
    ours = pytensor.function(inputs, outputs, mode="CLINCH")
    again = pickle.loads(pickle.dumps(ours))
    assert loops(again)
    values = numbers(300)
    assert all(same_bits(a, b) for a, b in zip(ours(*values), again(*values), strict=True))


def test_the_length_of_an_index_is_that_of_the_result():
    """So that what reads it may be part of a block of few items."""
    x, y = pt.dvector("x"), pt.dvector("y")
    index = np.array([2, 0, 1, 1])
    z = x[index] - y[index]
    function = pytensor.function([x, y], z, mode="CLINCH")
    (node,) = [n for n in function.maker.fgraph.apply_nodes if isinstance(n.op, FusedLoop)]
    assert node.outputs[0].type.shape == (4,)
    assert function([1.0, 2.0, 3.0], [1.0, 1.0, 1.0]).tolist() == [2.0, 0.0, 1.0, 1.0]


@pytest.mark.parametrize("which", ["gather", "scatter", "small"])
def test_an_error_names_the_inputs_and_the_line(which):
    """As PyTensor's does where nothing is joined."""
    county, effect, size = pt.lvector("county"), pt.dvector("effect"), pt.dvector("size")
    if which == "gather":
        taken = effect[county]  # the line
        made = pt.exp(taken) + size
    elif which == "scatter":
        made = pt.zeros(3)[county].inc(pt.exp(size))  # the line
    else:
        effect = pt.dvector("effect", shape=(3,))
        county = pt.lvector("county", shape=(2,))
        made = pt.exp(effect[county]) * 2  # the line
    inputs = [v for v in (county, effect, size) if which != "small" or v is not size]
    values = [np.array([0, 7]), np.zeros(3), np.zeros(2)][: len(inputs)]
    said = []
    for mode in ("CLINCH", pytensor.compile.mode.Mode("cvm", "fast_run")):
        function = pytensor.function(inputs, made, mode=mode, on_unused_input="ignore")
        # From 3.0 on, PyTensor names the line only then.
        with pytensor.config.change_flags(exception_verbosity="medium"), \
                pytest.raises(IndexError) as raised:
            function(*values)
        text = str(raised.value) + "\n".join(getattr(raised.value, "__notes__", ()))
        assert "county" in text and "index 7" in text
        traced = text.partition("Backtrace when the node is created")[2]
        assert "# the line" in traced and "clinch/pytensor" not in traced
        said.append(traced.partition("HINT")[0])
    assert said[0] == said[1]
