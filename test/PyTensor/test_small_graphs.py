"""Applies on few items in one block: the bits and errors of each Op."""

import pickle
import shutil
import subprocess

import numpy as np
import pytensor.tensor as pt
import pytest
from conftest import same_bits
from pytensor.configdefaults import config
from pytensor.scalar.basic import Add, Composite, float64
from pytensor.tensor.elemwise import CAReduce

import clinch.pytensor
import pytensor
from clinch.pytensor import small_text
from clinch.pytensor.small import SmallGraph, joined

_random = np.random.default_rng(37)


def blocks(function):
    """The names of the Ops that are in one block, for each block."""
    fgraph = function.maker.fgraph
    ones = (one for one, _ in joined(fgraph, fgraph.toposort(), keep_order=False))
    return [
        [type(n.op).__name__ for n in one.op.nodes]
        for one in ones
        if isinstance(one.op, SmallGraph)
    ]


def apart(inputs, outputs, **how):
    try:
        clinch.pytensor.options.small_graphs = False
        return pytensor.function(inputs, outputs, mode="CLINCH", **how)
    finally:
        clinch.pytensor.options.small_graphs = True


def check(inputs, outputs, *values, count=1):
    """The same bits in blocks and apart, at both tiers; earlier results stay as they
    are. Returns the Ops that are together."""
    ours = pytensor.function(inputs, outputs, mode="CLINCH")
    theirs = apart(inputs, outputs)
    found = blocks(ours)
    assert len(found) == count
    first = ours(*values)
    kept = [np.array(v) for v in first]
    for _ in range(2):
        for left, right in zip(ours(*values), theirs(*values), strict=True):
            assert same_bits(left, right)
        clinch.pytensor.wait()
    assert all(same_bits(a, b) for a, b in zip(first, kept, strict=True))
    return found


def vector(name, n, dtype="float64"):
    return pt.tensor(name, shape=(n,), dtype=dtype)


def numbers(n, dtype="float64"):
    return (_random.normal(size=n) * 9).astype(dtype)


def test_a_model_of_few_parameters():
    """What a log-density and its gradient do with a vector of parameters."""
    x = vector("x", 12)
    mean, spread, rest = x[0], pt.exp(x[1]), x[2:]
    centred = mean + spread * rest
    density = -0.5 * pt.sqr(centred).sum() + x[1] + pt.log1p(spread)
    (names,) = check([x], [density, pt.grad(density, x)], numbers(12))
    assert {"Subtensor", "Elemwise", "Sum", "IncSubtensor", "Alloc"} <= set(names)


_DTYPES = ["bool", "int8", "uint8", "int32", "int64", "float32", "float64"]


@pytest.mark.parametrize("dtype", _DTYPES)
def test_items_of_each_type(dtype):
    x, y = vector("x", 7, dtype), vector("y", 1, dtype)
    z = [x + y, pt.switch(x > y, x, y) * x, pt.join(0, x[2:5], y), x[::2][1], y + y]
    z += [x[1:].sum(), x.max(), pt.stack([x[0], y[0]]), (x * x + y).prod()]
    for order in (1, -1):
        check([x, y], z, numbers(14, dtype)[::2 * order], numbers(1, dtype))


@pytest.mark.parametrize("n", [1, 2, 5, 33, 512])
def test_lengths(n):
    x, y = vector("x", n), pt.tensor("y", shape=(n, 1))
    z = pt.tanh(x) * 3 - pt.exp(-x)
    check([x, y], [z, z.sum(), y[:, 0] + z, (y + y).sum(axis=0)], numbers(n), numbers(n)[:, None])


def test_what_is_too_long_stays_apart():
    x = vector("x", 513)
    assert not blocks(pytensor.function([x], [x + 1, (x * 2).sum()], mode="CLINCH"))


def test_what_has_two_axes_or_no_known_shape_stays_apart():
    for x in (pt.tensor("x", shape=(3, 3)), pt.dvector("x"), vector("x", 0)):
        z = [x + 1, (pt.exp(x) * 2).sum()]
        assert not blocks(pytensor.function([x], z, mode="CLINCH"))


def test_nothing_is_contracted_across_ops():
    """As in PyTensor's C, where each result is stored: with FMA the product would not be
    rounded before it is added."""
    x, y, c = (vector(name, 1) for name in "xyc")
    mode = clinch.pytensor.CLINCH.excluding("fusion")
    ours = pytensor.function([x, y, c], x * y - c, mode=mode)
    assert blocks(ours) == [["Elemwise", "Elemwise"]]
    value = np.full(1, 1 + 2.0**-30)
    for _ in range(3):
        assert same_bits(ours(value, value, value * value), np.zeros(1))
        clinch.pytensor.wait()


_AROUND = """
typedef double npy_float64; typedef long npy_intp;
struct PyObject; struct PyArrayObject;
extern "C" {
void *clinchItems(PyArrayObject *, int, const npy_intp *, int, PyArrayObject **);
char *clinchPlace(PyArrayObject **, int, npy_intp *, int);
int clinchAsk(PyObject *, int, void *, int, void *);
void Py_XDECREF(PyArrayObject *); PyObject *PyErr_Occurred();
}
int f(PyArrayObject *x, PyArrayObject *y, PyArrayObject *c, PyArrayObject *&z, PyObject *params)
"""


@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.parametrize("n", [1, 3, 8])
def test_nothing_is_contracted_by_a_compiler_that_ends_lifetimes(n, stored, monkeypatch):
    """As Clang does: it would leave out what is stored only for the next Op, and then
    contract. Clinch's own pipeline has no marks of lifetimes today."""
    compiler = shutil.which("clang++-22")
    if compiler is None:
        pytest.skip("there is no clang++-22, which builds Clinch")
    if not stored:
        monkeypatch.setattr(small_text, "_STORED", "")
    x, y, c = (vector(name, n) for name in "xyc")
    mode = clinch.pytensor.CLINCH.excluding("fusion")
    fgraph = pytensor.function([x, y, c], x * y - c, mode=mode).maker.fgraph
    ((one, _),) = joined(fgraph, fgraph.toposort(), keep_order=False)
    sub = {"fail": "return -1;", "params": "params"}
    text = one.op.c_code(one, "name", ["x", "y", "c"], ["z"], sub)
    flags = "-w -O3 -mfma -ffp-contract=fast --target=x86_64-linux-gnu -S -xc++ - -o -".split()
    given = _AROUND + "{" + text + "return 0; }"
    made = subprocess.run([compiler, *flags], input=given, capture_output=True, text=True, check=True)
    assert ("vfm" in made.stdout) != stored


def test_sums_follow_the_memory():
    """Also of what is read backwards, where the Ops run one by one."""
    assert 1e16 + 1.0 - 1e16 + 1.0 != 1.0 - 1e16 + 1.0 + 1e16
    x = vector("x", 4)
    value = np.array([1e16, 1.0, -1e16, 1.0])
    for given in (value, value[::-1]):
        check([x], [x.sum(), x[0] + 1.0], given)
        check([x], [x[:3], x[0] + 1.0, x[1:].sum()], given)


def test_reductions():
    x, b = vector("x", 6), vector("b", 6, "bool")
    kinds = [x.sum(), x.prod(), x.max(), x.min(), b.all(), b.any(), x.argmax()]
    check([x, b], kinds, numbers(6), numbers(6, "bool"))
    f = vector("f", 6, "float32")
    check([f], [f.sum(), f.sum(acc_dtype="float32"), f.mean()], numbers(6, "float32"))
    column = pt.tensor("c", shape=(5, 1))
    check([column], [column.sum(axis=1), column.sum(axis=0) + 1], -numbers(5)[:, None] * 0)
    acc, item = float64("acc"), float64("item")
    squares = Composite([acc, item], [acc + item * item])
    squares.identity = Add.identity
    check([x], [CAReduce(squares, axis=0)(x), x[0] * 2], numbers(6))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_cumulated(dtype):
    x = vector("x", 7, dtype)
    check([x], [pt.cumsum(x), pt.cumprod(x[::2]), pt.cumsum(x * 2)[-1]], numbers(7, dtype))


def test_what_is_quicker_also_alone():
    x, y = vector("x", 3), vector("y", 4)
    for z in (pt.join(0, x, y), pt.cumsum(x), pt.inc_subtensor(x[1:], 2.0)):
        assert len(check([x, y], [z], numbers(3), numbers(4))[0]) == 1
    check([x, y], [x[1:]], numbers(3), numbers(4), count=0)


@pytest.mark.parametrize("item", ["float32", "float64"])
def test_values_of_another_type(item):
    x = vector("x", 4, item)
    for dtype in ("bool", "int8", "uint16", "int64", "float32"):
        if np.can_cast(dtype, item):
            y = vector("y", 2, dtype)
            z = [pt.set_subtensor(x[1:3], y), pt.inc_subtensor(x[1:3], y)]
            check([x, y], z, numbers(4, item), numbers(2, dtype) + np.array(2**60 + 1).astype(dtype))


def test_parts():
    x = vector("x", 9)
    row = pt.tensor("r", shape=(1, 6))
    z = [x[2], x[-2], x[1:8:3], x[-4:], x[::4] + 1, x[2:][1:][::2], row[0, 1:3], row[0, 4]]
    check([x, row], z, numbers(9), numbers(6)[None])
    # Backwards, and with indices that are not known, they are PyTensor's.
    i = pt.lscalar("i")
    names = check([x, i], [x[::-1] * 2, x[i] + x[0] * 3, x[1]], numbers(9), 4, count=2)
    assert sum(n.count("Subtensor") for n in names) == 2


def test_other_shapes():
    x, s = vector("x", 4), pt.dscalar("s")
    z = [x.reshape((4, 1)) * 2, x[:, None], x[None] + s, pt.alloc(s, 5) * 2]
    z += [pt.alloc(x, 1, 4), pt.alloc(s, 3), pt.stack([s, s * 2, x[1]]), x[1:2].squeeze() + s]
    check([x, s], z, numbers(4), 1.5)


def test_a_result_is_not_a_part_of_its_input():
    x = vector("x", 4)
    function = pytensor.function([x], [x[1:3], x[0] + 1], mode="CLINCH")
    value = numbers(4)
    part, _ = function(value)
    part[:] = 0
    assert value[1] != 0


def test_what_works_in_place():
    x = vector("x", 5)
    state = pytensor.shared(np.arange(5.0), shape=(5,))
    z = pt.exp(pt.sqr(x) - 1) * x
    updates = {state: state * 2 + z}
    ours = pytensor.function([x], [z, z.sum()], updates=updates, mode="CLINCH")
    other = pytensor.shared(np.arange(5.0), shape=(5,))
    theirs = apart([x], [z, z.sum()], updates={other: other * 2 + z})
    value = numbers(5)
    for _ in range(3):
        assert all(map(same_bits, ours(value), theirs(value)))
        assert same_bits(state.get_value(), other.get_value())


def test_functions_with_support_code():
    x = vector("x", 5)
    z = [pt.gammaln(x), pt.psi(x) * 2, pt.erfcx(x), pt.gammaln(x[1:]) + pt.psi(x[:4])]
    check([x], z, abs(numbers(5)) + 0.5)


def test_a_shape_that_is_not_its_types():
    x = vector("x", 4)
    function = pytensor.function([x], [x[1:3] * 2, x.sum()], mode="CLINCH")
    function.trust_input = True
    with pytest.raises(TypeError, match="shape"):
        function(np.zeros(3))
    assert same_bits(function(np.ones(4))[1], np.float64(4))


def test_what_shares_memory_with_its_input():
    x, y = vector("x", 4), vector("y", 4)
    function = pytensor.function([x, y], [x * 2 + y[0], (x - y).sum(), y[:2]], mode="CLINCH")
    whole = numbers(9)
    left, right = whole[:8:2], whole[1:9:2]
    expected = left * 2 + right[0]
    assert same_bits(function(left, right)[0], expected)
    assert same_bits(function(left, left)[1], np.float64(0))


def test_a_pickle_has_its_code():
    x = vector("x", 4)
    function = pytensor.function([x], [pt.exp(x) * x[0], x.sum()], mode="CLINCH")
    value = numbers(4)
    again = pickle.loads(pickle.dumps(function))
    assert all(map(same_bits, again(value), function(value)))
    assert blocks(again) == blocks(function)


def test_an_error_names_an_apply_behind_a_block():
    x, i = vector("x", 4), pt.lscalar("i")
    function = pytensor.function([x, i], [x[i] + 1, x[1] * 2 + x[2]], mode="CLINCH")
    with config.change_flags(exception_verbosity="high"):
        with pytest.raises(IndexError, match=r"the error: Subtensor\{i\}\(x, S"):
            function(numbers(4), 7)
