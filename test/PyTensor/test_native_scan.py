"""`Scan` as a loop in C: the values of PyTensor's own, and its errors."""

import pickle
import sys
import threading
import types
import warnings

import numpy as np
import pytensor.tensor as pt
import pytest
from conftest import by_pytensor, in_python, run, same_bits
from pytensor.compile.mode import Mode
from pytensor.raise_op import Assert
from pytensor.scalar.basic import ScalarType
from pytensor.scan.basic import scan
from pytensor.scan.op import Scan
from pytensor.scan.utils import until

import clinch.pytensor
import pytensor
from clinch.pytensor.machine import GraphMachine
from clinch.pytensor.native import scan as native_scan

_random = np.random.default_rng(15)


def steps(*args, **kwargs):
    """What `scan` returns, without updates, in all versions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        found = scan(*args, **kwargs)
    return found[0] if isinstance(found, tuple) else found


def check(inputs, outputs, *values):
    """Equal to the bit to what PyTensor's loop makes, in two calls, for what the
    first made may be reused; and all of it is one thunk."""
    ours = pytensor.function(inputs, outputs, mode="CLINCH")
    assert isinstance(ours.vm, GraphMachine)
    theirs = by_pytensor(inputs, outputs)
    for scale in (1, 2):
        given = [v if v.dtype.kind == "i" else (v * scale).astype(v.dtype) for v in values]
        for left, right in zip(ours(*given), theirs(*given), strict=True):
            assert same_bits(left, right)
    return ours


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("ndim", [0, 1, 2])
def test_one_state(ndim, dtype):
    shape = (3, 2)[:ndim]
    e = pt.tensor("e", dtype=dtype, shape=(None,) * (ndim + 1))
    start = pt.tensor("start", dtype=dtype, shape=(None,) * ndim)
    path = steps(lambda e, x: x * 2 - e, sequences=[e], outputs_info=[start])
    values = _random.normal(size=(7, *shape)).astype(dtype)
    begin = np.ones(shape, dtype)
    check([e, start], [path], values, begin)
    # Kept is only what is asked for: a ring of rows.
    check([e, start], [path[-1]], values, begin)
    check([e, start], [path[-3:]], values, begin)
    check([e, start], pt.grad((path**2).sum(), [e, start]), values, begin)


def test_several_states_and_taps():
    e, start, matrix = pt.dvector("e"), pt.dvector("start"), pt.dmatrix("matrix")

    def step(e0, e1, x2, x1, m, k):
        return x1 - x2 * e0 + e1, m @ m.T * 0.1 + k, e1 * x1

    sequences = [{"input": e, "taps": [0, 1]}]
    states = [{"initial": start, "taps": [-2, -1]}, matrix, None]
    made = steps(step, sequences=sequences, outputs_info=states, non_sequences=[matrix * 2])
    values = _random.normal(size=9), _random.normal(size=2), _random.normal(size=(3, 3))
    check([e, start, matrix], made, *values)
    check([e, start, matrix], [made[0][-1], made[2]], *values)


def test_a_gradient_of_rows_that_are_numbers():
    """PyTensor's loop fails there, with g++ too; so the same is written out."""
    e, start, weight = pt.dvector("e"), pt.dvector("start"), pt.dvector("weight")

    def step(e, x, y, w):
        return x * e + y.sum(), y * w + x, e * x

    begins = [start[0], start, None]
    parts = steps(step, sequences=[e], outputs_info=begins, non_sequences=[weight])
    x, y, loss = start[0], start, 0
    for i in range(4):
        x, y, z = step(e[i], x, y, weight)
        loss += x**2 + (y**2).sum() + z**2
    inputs = [e, start, weight]
    values = _random.normal(size=(3, 4))
    ours = pytensor.function(
        inputs, pt.grad(sum((part**2).sum() for part in parts), inputs), mode="CLINCH"
    )
    assert isinstance(ours.vm, GraphMachine)
    expected = in_python(inputs, pt.grad(loss, inputs))(*values)
    for left, right in zip(ours(*values), expected, strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-12)


def test_a_loop_that_ends_by_itself():
    start, end = pt.dscalars("start", "end")
    path = steps(
        lambda x, end: (x * 2, until(x * 2 > end)),
        outputs_info=[start],
        non_sequences=[end],
        n_steps=50,
    )
    for limit in (10.0, 1e40):
        check([start, end], [path, path[-1]], np.float64(1.0), np.array(limit))


def test_no_step_and_steps_that_are_not_known():
    n, start = pt.lscalar("n"), pt.dvector("start")
    path, sums = steps(
        lambda x: (x + 1, x.sum()), outputs_info=[start, None], n_steps=n
    )
    loop = check([n, start], [path, sums], np.array(4), np.arange(3.0))
    assert loop(0, np.ones(3))[0].shape == (0, 3)
    assert loop(0, np.ones(3))[1].shape == (0,)
    with pytest.raises((IndexError, AssertionError, ValueError)):
        loop(-1, np.ones(3))


def test_a_loop_in_a_loop():
    x = pt.dmatrix("x")
    inner = lambda row: steps(lambda v, s: s + v**2, [row], [pt.constant(np.float64(0))])[-1]  # noqa: E731
    sums = steps(inner, sequences=[x])
    check([x], [sums, pt.grad(sums.sum(), x)], _random.normal(size=(4, 5)))


def test_integers_and_booleans():
    i, flags = pt.ivector("i"), pt.tensor("flags", dtype="bool", shape=(None,))
    path = steps(
        lambda i, b, n, last: (pt.switch(b, n + i, n), pt.eq(n, i)),
        sequences=[i, flags],
        outputs_info=[pt.constant(np.int32(3)), pt.constant(np.bool_(False))],
    )
    values = np.arange(6, dtype="int32"), np.array([1, 0, 1, 1, 0, 1], bool)
    ours = pytensor.function([i, flags], path, mode="CLINCH")
    numbers, same = ours(*values)
    assert numbers.tolist() == [3, 3, 5, 8, 8, 13] and numbers.dtype == "int32"
    assert same.tolist() == [False] * 6 and same.dtype == "bool"


def test_numbers_that_are_no_tensors():
    """A condition of the steps is computed once, before the loop, as a C `bool`."""
    x, limit = pt.dvector("x"), pt.dscalar("limit")
    small = Assert("too large")
    made = steps(lambda v, limit: small(v * 2, limit < 9), sequences=[x], non_sequences=[limit])
    values = np.array([1.0, 2.0, 4.0])
    function = check([x, limit], [made], values, np.array(3.0))
    (node,) = (n for n in function.maker.fgraph.apply_nodes if isinstance(n.op, Scan))
    assert any(isinstance(v.type, ScalarType) for v in node.inputs)
    with pytest.raises(AssertionError, match="too large"):
        function(values, 10.0)


def test_an_inner_graph_with_python_in_it():
    x = pt.dtensor3("x")
    ranks = steps(lambda m: pt.linalg.pinv(m) * 2, sequences=[x])
    values = _random.normal(size=(3, 2, 2))
    ours = pytensor.function([x], ranks, mode="CLINCH")
    assert isinstance(ours.vm, GraphMachine)
    np.testing.assert_allclose(ours(values), 2 * np.linalg.pinv(values), rtol=1e-12)


def test_a_sequence_that_is_too_short():
    e = pt.dvector("e")
    n = pt.lscalar("n")
    path = steps(lambda e, x: x + e, sequences=[e], outputs_info=[pt.constant(np.float64(0))], n_steps=n)
    loop = pytensor.function([e, n], path, mode="CLINCH")
    assert loop(np.ones(3), 3).tolist() == [1.0, 2.0, 3.0]
    with pytest.raises((ValueError, AssertionError, IndexError)):
        loop(np.ones(3), 4)
    assert loop(np.ones(4), 4).tolist() == [1.0, 2.0, 3.0, 4.0]


def test_what_fails_in_a_step_names_the_apply_within():
    x, i = pt.dvector("x"), pt.lvector("i")
    path = steps(lambda i, x: x[i], sequences=[i], non_sequences=[x])
    mode = Mode(clinch.pytensor.ClinchLinker(), "minimum_compile")
    loop = pytensor.function([x, i], path, mode=mode)
    with pytest.raises(IndexError) as raised:
        loop(np.ones(3), np.array([0, 2, 5]))
    said = "".join(raised.value.__notes__)
    assert said.index("`Subtensor.c_code`") < said.index("`Looped.c_code`")
    assert loop(np.arange(3.0), np.array([2, 0])).tolist() == [2.0, 0.0]


def test_the_switch_leaves_it_to_pytensor():
    e = pt.dvector("e")
    path = steps(lambda e, x: x + e, sequences=[e], outputs_info=[pt.constant(np.float64(0))])
    assert by_pytensor([e], path)(np.ones(3)).tolist() == [1.0, 2.0, 3.0]


def test_a_pickled_loop_is_a_loop_again():
    e, start = pt.dvector("e"), pt.dscalar("start")
    path = steps(lambda e, x: x * 2 - e, sequences=[e], outputs_info=[start])
    loss = (path**2).sum()
    ours = pytensor.function([e, start], [path, *pt.grad(loss, [e, start])], mode="CLINCH")
    values = _random.normal(size=7), 1.5
    expected = ours(*values)
    for again in (pickle.loads(pickle.dumps(ours)), pickle.loads(pickle.dumps(ours))):
        assert isinstance(again.vm, GraphMachine)
        for left, right in zip(again(*values), expected, strict=True):
            assert same_bits(left, right)
    del ours
    assert same_bits(again(*values)[0], expected[0])


def test_a_pickled_loop_runs_in_another_process():
    e = pt.dvector("e")
    path = steps(lambda e, x: x * 2 - e, sequences=[e], outputs_info=[pt.constant(np.float64(1))])
    ours = pytensor.function([e], path, mode="CLINCH")
    told = run(
        """
        import clinch.pytensor, pickle, sys
        from clinch.pytensor.machine import GraphMachine
        loop = pickle.loads(bytes.fromhex(sys.stdin.read()))
        assert isinstance(loop.vm, GraphMachine)
        print(loop([1.0, 2.0, 3.0]).tolist())
        """,
        given=pickle.dumps(ours).hex(),
    )
    assert told.strip() == str(ours([1.0, 2.0, 3.0]).tolist()) == "[1.0, 0.0, -3.0]"


def test_a_loop_of_constants_is_folded_without_pytensors_machine(monkeypatch):
    """PyTensor's rewriting makes its inner function, with `cvm`. PyTensor's machine in C,
    which a process has that has used g++, takes no thunk of Clinch's: it would abort."""
    made = []

    class Machine:
        def __init__(self, *_, **__):
            made.append(self)
            raise AssertionError("PyTensor's machine in C is given Clinch's thunks")

    module = types.ModuleType("pytensor.link.c.cvm")
    module.CVM = Machine
    monkeypatch.setitem(sys.modules, module.__name__, module)
    path = steps(lambda x: (x * x, x), non_sequences=[2], n_steps=2)
    function = pytensor.function([], path, mode="CLINCH")
    assert [v.tolist() for v in function()] == [[4, 4], [2, 2]]
    assert not made


def test_the_loop_is_compiled_while_the_graph_is_rewritten(monkeypatch):
    compiled, threads = native_scan.compiled_once, []
    fill, begun = native_scan.Plan.fill, []

    def noting(*files):
        threads.append(threading.current_thread())
        return compiled(*files)

    def asking(*args):
        begun.append(native_scan.begin.cache_info().currsize)
        fill(*args)

    monkeypatch.setattr(native_scan, "compiled_once", noting)
    monkeypatch.setattr(native_scan.Plan, "fill", asking)
    native_scan.begin.cache_clear()
    n = pt.iscalar("n")
    given = [n, pt.vector("x")]
    made = steps(lambda t: t * 2, outputs_info=[given[1]], n_steps=n)
    pytensor.function(given, made, mode=Mode(linker="py"))
    assert not threads
    check(given, [made], np.array(3, "int32"), np.arange(4.0))
    assert set(begun) == {1}  # Before the linker asks for it.
    assert threads[0] is native_scan.begin() and threads[0] is not threading.main_thread()
