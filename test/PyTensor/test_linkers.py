"""What functions know: storage, updates, pieces, profiles."""

import gc
import inspect
import sys
import tracemalloc
import weakref

import numpy as np
import pytensor.scalar as ps
import pytensor.tensor as pt
import pytest
from conftest import same_bits
from ops import CText, OnlyPython, Scaled
from pytensor.compile.io import In, Out
from pytensor.compile.mode import Mode
from pytensor.configdefaults import config
from pytensor.graph.basic import Apply
from pytensor.ifelse import ifelse

import pytensor
from clinch.pytensor import wait
from clinch.pytensor.machine import GraphMachine, PiecesMachine

BARE = Mode("clinch", None)
LINKERS = ["clinch", "clinch_nogc", "clinch_vm", "clinch_vm_nogc"]


class Shy(CText):
    """x * 7, whose hook says late that there is no C."""

    def c_code(self, *arguments):
        raise NotImplementedError("no C today")

    def perform(self, node, inputs, outputs):
        outputs[0][0] = np.asarray(inputs[0] * 7)


def x_and(name="x"):
    return pt.dvector(name)


def test_a_graph_with_c_is_one_thunk():
    x, y = pt.dvectors("x", "y")
    function = pytensor.function([x, y], [(x + y) * y, x.sum(), y[::-1]], mode=BARE)
    assert type(function.vm) is GraphMachine
    assert len(function.vm.nodes) >= 4


def test_python_ops_cut_a_graph_as_little_as_possible():
    x = x_and()
    left, right = OnlyPython()(x * 2), OnlyPython()(x * 3)
    function = pytensor.function([x], (left + 1) * (right - 1), mode=BARE)
    assert type(function.vm) is PiecesMachine
    assert [step.compiled for step in function.vm.steps] == [True, False, False, True]
    np.testing.assert_array_equal(function([1.0, 2.0]), [13 * 12.0, 15 * 15.0])


def test_an_op_whose_hooks_refuse_runs_in_python():
    x = pt.dscalar("x")
    function = pytensor.function([x], Shy()(CText()(x)) + 1, mode=BARE)
    assert function(1.0) == 15.0
    assert [step.compiled for step in function.vm.steps] == [True, False, True]


def test_a_refusal_leaves_what_reads_an_input_twice_alone():
    """Elemwise's C counts on one name for one variable when it is asked."""
    x = pt.dscalar("x")
    function = pytensor.function([x], Shy()(x * x) + x * x, mode=BARE)
    assert function(2.0) == 32.0
    assert [step.compiled for step in function.vm.steps].count(False) == 1


def test_an_exception_in_a_hook_arrives_whole():
    class Broken(CText):
        def c_code(self, *arguments):
            raise ZeroDivisionError("in a hook")

    x = pt.dscalar("x")
    with pytest.raises(ZeroDivisionError, match="^in a hook"):
        pytensor.function([x], Broken()(x), mode=BARE)


@pytest.mark.parametrize("linker", LINKERS)
def test_results_are_not_overwritten(linker):
    x = x_and()
    function = pytensor.function([x], [x * 2, (x * 3)[1:]], mode=Mode(linker, None))
    first = function([1.0, 2.0])
    second = function([10.0, 20.0])
    np.testing.assert_array_equal(first[0], [2.0, 4.0])
    np.testing.assert_array_equal(first[1], [6.0])
    np.testing.assert_array_equal(second[0], [20.0, 40.0])
    np.testing.assert_array_equal(second[1], [60.0])


def test_borrowed_outputs_are_reused():
    x = x_and()
    function = pytensor.function(
        [In(x, borrow=True)], Out(x * 2, borrow=True), mode=Mode("clinch_nogc", None)
    )
    first = function(np.array([1.0, 2.0]))
    second = function(np.array([5.0, 6.0]))
    assert first is second
    np.testing.assert_array_equal(second, [10.0, 12.0])


@pytest.mark.parametrize("linker", LINKERS)
def test_some_of_the_outputs(linker):
    """PyTensor 2.38 deprecates `output_subset`; later versions have none."""
    x, state = pt.dscalar("x"), pytensor.shared(1.0, "state")
    bare = pytensor.function([x], x, mode=BARE)
    if "output_subset" not in inspect.signature(type(bare).__call__).parameters:
        pytest.skip("this PyTensor has no output_subset")
    for outputs in ([x + 1, OnlyPython()(x), x**2], [x + 1, x + 2, x**2]):
        function = pytensor.function(
            [x], outputs, updates={state: state + x}, mode=Mode(linker, "fast_run")
        )
        with pytest.warns(FutureWarning, match="output_subset is deprecated"):
            some = function(3.0, output_subset=[2, 0])
        assert [float(v) for v in some] == [9.0, 4.0]
    assert float(state.get_value()) == 7.0


@pytest.mark.parametrize("linker", LINKERS)
def test_updates_happen_together(linker):
    a, b = pytensor.shared(1.0, "a"), pytensor.shared(10.0, "b")
    function = pytensor.function(
        [], a + b, updates={a: b, b: a + b}, mode=Mode(linker, "fast_run")
    )
    assert [float(function()) for _ in range(3)] == [11.0, 21.0, 32.0]
    assert (float(a.get_value()), float(b.get_value())) == (21.0, 32.0)


@pytest.mark.parametrize("linker", LINKERS)
def test_updates_in_place(linker):
    state = pytensor.shared(np.zeros(3), "state")
    x = x_and()
    updates = {state: pt.inc_subtensor(state[:2], x)}
    function = pytensor.function([x], [], updates=updates, mode=Mode(linker, "fast_run"))
    function([1.0, 2.0])
    function([1.0, 2.0])
    np.testing.assert_array_equal(state.get_value(), [2.0, 4.0, 0.0])


def test_a_failing_call_leaves_shared_values_alone():
    state = pytensor.shared(5.0, "state")
    x = pt.dscalar("x")
    bad = CText('if (x < 0) { PyErr_SetString(PyExc_ValueError, "odd"); FAIL } z = x;')
    function = pytensor.function([x], [], updates={state: state + bad(x)}, mode=BARE)
    with pytest.raises(ValueError, match="^odd"):
        function(-1.0)
    assert state.get_value() == 5.0
    function(1.0)
    assert state.get_value() == 6.0


def test_temporaries_go_after_the_call_with_gc():
    """With `allow_gc`, as is the default, a call keeps no array."""
    made = []

    class Spy(OnlyPython):
        def perform(self, node, inputs, outputs):
            made.append(weakref.ref(inputs[0]))
            outputs[0][0] = inputs[0] + 10

    x = x_and()
    for linker, kept in (("clinch", False), ("clinch_nogc", True)):
        made.clear()
        function = pytensor.function([x], Spy()(x * 2) + 1, mode=Mode(linker, None))
        function([1.0])
        gc.collect()
        assert (made[0]() is not None) is kept


def test_temporaries_go_when_they_were_used_last():
    """With `allow_gc` few of them are there at once, in one thunk, too."""
    x = x_and()
    value, length, settled = x, 12, (False, True)
    for n in range(length):
        value = value * 2 if n % 2 else value + 1
    given = np.zeros(100_000)
    peaks = {}
    for linker in ("clinch", "clinch_nogc"):
        function = pytensor.function([x], value, mode=Mode(linker, None))
        for better in settled:
            if better:
                wait()
            tracemalloc.start()
            try:
                result = function(given)
                peaks[linker, better] = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
            assert result[0] == 126
    for better in settled:
        # One that is read, one that is written, and small change.
        assert peaks["clinch", better] < 2.5 * given.nbytes
    assert peaks["clinch_nogc", False] > (length - 0.5) * given.nbytes


class Copied(CText):
    """A copy, made by a function that the code hands its input to."""

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_support_code(self, **kwargs):
        return """static PyArrayObject *copied_here(PyArrayObject *x) {
          return (PyArrayObject *)PyArray_NewCopy(x, NPY_CORDER);
        }"""

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        return f"Py_XDECREF({z}); {z} = copied_here({x}); if (!{z}) {sub['fail']}"


def test_temporaries_that_have_an_object_beside_them_go_too():
    """A function may release what it is given, so an object holds that as well."""
    x = x_and()
    value, length = x, 12
    for _ in range(length):
        value = Copied()(value)
    given = np.zeros(100_000)
    peaks = {}
    for linker in ("clinch", "clinch_nogc"):
        function = pytensor.function([x], value, mode=Mode(linker, None))
        wait()
        tracemalloc.start()
        try:
            assert function(given).shape == given.shape
            peaks[linker] = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peaks["clinch"] < 2.5 * given.nbytes
    assert peaks["clinch_nogc"] > (length - 0.5) * given.nbytes


def test_small_temporaries_stay_from_call_to_call():
    """They are not worth freeing if their types say how small they are."""
    for size, stays in ((128, True), (512, False), (None, False)):
        x = pt.tensor("x", dtype="float64", shape=(2, size))
        value = ((x + 1) * 2 + 1) * 2
        function = pytensor.function([x], value, mode=Mode("clinch", None))
        wait()
        given = np.zeros((2, size or 128))
        tracemalloc.start()
        try:
            assert function(given)[0, 0] == 6
            held = tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()
        assert (held > 3 * given.nbytes) is stays


@pytest.mark.parametrize("linker", LINKERS)
def test_no_call_writes_to_a_result_of_another(linker):
    """Not even to parts of what is kept from call to call."""
    x = pt.tensor("x", dtype="float64", shape=(4,))
    results = [(x * 2)[1:], (x + 1)[::-1].reshape((2, 2)), pt.set_subtensor((x - 1)[0], 7)]
    function = pytensor.function([x], results, mode=Mode(linker, "fast_run"))
    first = function(np.arange(4.0))
    kept = [r.copy() for r in first]
    function(np.full(4, 5.0))
    assert all(same_bits(*pair) for pair in zip(first, kept, strict=True))


def test_inputs_and_constants_as_outputs():
    x = x_and()
    two = pt.constant([2.0])
    function = pytensor.function([x], [x, two, x * two, x], mode=BARE)
    results = function([3.0])
    assert [r.tolist() for r in results] == [[3.0], [2.0], [6.0], [3.0]]


@pytest.mark.parametrize("linker", LINKERS)
def test_a_constant_whose_name_an_op_needs(linker):
    """No literal stands for it then, as PyTensor's ScalarLoop wants it."""

    class Named(ps.BinaryScalarOp):
        def c_code(self, node, name, inputs, outputs, sub):
            (x, y), (z,) = inputs, outputs
            return f"double {y}_twice = {y} * 2; {z} = {x} + {y}_twice;"

    x, three = ps.float64("x"), ps.constant(3.0, dtype="float64")
    named = Named(ps.upgrade_to_float, name="named")
    function = pytensor.function([x], named(x, three) * three, mode=Mode(linker, None))
    assert [function(v) for v in (1.0, 2.0)] == [21.0, 24.0]


def test_nothing_to_compute():
    x = x_and()
    assert pytensor.function([x], x, mode="CLINCH")([4.0]).tolist() == [4.0]
    assert pytensor.function([], [], mode="CLINCH")() == []
    assert pytensor.function([], pt.constant(3.0), mode="CLINCH")() == 3.0


def test_unused_input():
    x, y = pt.dvectors("x", "y")
    function = pytensor.function([x, y], x * 2, mode=BARE, on_unused_input="ignore")
    assert function([1.0], [9.0]).tolist() == [2.0]


def test_trust_input():
    x = x_and()
    function = pytensor.function([x], x * 2, mode=BARE, trust_input=True)
    assert function(np.array([1.0])).tolist() == [2.0]
    with pytest.raises(TypeError, match="expected type_num"):
        function(np.array([1], dtype="int32"))


def test_arguments_are_filtered():
    x = x_and()
    function = pytensor.function([x], x * 2, mode=BARE)
    assert function([1, 2]).tolist() == [2.0, 4.0]
    with pytest.raises(TypeError):
        function([[1.0]])
    with pytest.raises(TypeError):
        function()


def test_params():
    x = x_and()
    times, minus = Scaled(3.0, 0), Scaled(1.0, 1)
    outputs = [times(x), minus(times(x)), Scaled(3.0, 0)(minus(x))]
    results = pytensor.function([x], outputs, mode=BARE)([1.0, 2.0])
    assert [r.tolist() for r in results] == [[3.0, 6.0], [2.0, 5.0], [0.0, 3.0]]


def test_lazy_branches_run_only_when_needed():
    x = pt.dscalar("x")
    bad = CText('PyErr_SetString(PyExc_ValueError, "must not run"); FAIL')
    function = pytensor.function([x], ifelse(x > 0, x * 2, bad(x)), mode="CLINCH")
    assert function(3.0) == 6.0
    with pytest.raises(ValueError, match="^must not run"):
        function(-3.0)


def test_profile():
    x = x_and()
    function = pytensor.function([x], pt.exp(x) * 2 + x[0], mode="CLINCH", profile=True)
    function([1.0, 2.0])
    profile = function.profile
    assert profile.fct_callcount == 1
    assert len(profile.apply_time) == len(function.maker.fgraph.apply_nodes)
    assert set(profile.apply_callcount.values()) == {1}
    assert all(profile.apply_cimpl.values())


def test_float16_falls_back():
    x = pt.vector("x", dtype="float16")
    function = pytensor.function([x], pt.cumsum(x * 2), mode="CLINCH")
    result = function(np.array([1.0, 2.0], "float16"))
    assert result.dtype == "float16"
    assert result.tolist() == [2.0, 6.0]


def test_check_input_off():
    x = x_and()
    with config.change_flags(check_input=False):
        function = pytensor.function([x], x * 2 + 1, mode="CLINCH")
    assert function([1.0]).tolist() == [3.0]


def test_calls_leak_nothing():
    x = x_and()
    value = np.array([1.0, 2.0])
    function = pytensor.function([x], (x * 2)[1:] + x.sum(), mode=BARE)
    function(value)
    before = sys.getrefcount(value), sys.getrefcount(None)
    for _ in range(2000):
        function(value)
    after = sys.getrefcount(value), sys.getrefcount(None)
    assert after[0] == before[0]
    assert abs(after[1] - before[1]) < 50


def test_failing_calls_leak_nothing():
    x = x_and()
    value = np.array([1.0, 2.0])
    function = pytensor.function([x], (x * 2) + x[:1].repeat(3), mode=BARE)
    with pytest.raises(ValueError):
        function(value)
    gc.collect()
    before = sys.getrefcount(value), sys.getrefcount(None)
    for _ in range(500):
        with pytest.raises(ValueError):
            function(value)
    gc.collect()  # A traceback and its exception hold one another.
    after = sys.getrefcount(value), sys.getrefcount(None)
    assert after[0] == before[0]
    assert abs(after[1] - before[1]) < 50


def test_functions_go_away():
    x = x_and()
    function = pytensor.function([x], x * 2 + 1, mode="CLINCH")
    function([1.0])
    alive = weakref.ref(function.vm)
    del function
    gc.collect()
    assert alive() is None
