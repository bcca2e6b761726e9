"""What PyTensor with g++ answers wrongly, crashes on, or hangs on."""

import gc
import sys

import numpy as np
import pytensor.scalar as ps
import pytensor.tensor as pt
import pytest
from ops import CText
from pytensor.compile.mode import Mode
from pytensor.graph.fg import FunctionGraph
from pytensor.link.c.basic import CLinker

import pytensor
from clinch import CompileError
from clinch.pytensor.config import compiling

BARE = Mode("clinch", None)


def scalar_function(inputs, outputs, **how):
    return pytensor.function(inputs, outputs, mode=BARE, **how)


def test_wiring_of_temporaries_is_part_of_the_key():
    """`s - m`, then `m - s`, in one process: PyTensor's second answer is -10."""
    a, b = ps.float64("a"), ps.float64("b")
    s = a + b
    m = s * b
    assert scalar_function([a, b], s - m)(2.0, 3.0) == -10.0
    assert scalar_function([a, b], m - s)(2.0, 3.0) == 10.0


def test_consecutive_literals_are_all_inlined():
    x = ps.float64("x")
    parts = [ps.constant(float(n), dtype="float64") for n in (2, 3, 5, 7)]
    total = ps.add(x, *parts)
    function = scalar_function([x], total)
    assert function(1.0) == 18.0
    # What is no literal would have a cell of its own.
    assert len(function.vm.steps[0].thunk.run.cells) == 2


def test_failing_task_is_named_right():
    x = pt.dscalar("x")
    good = CText("z = x * 2;")
    bad = CText('PyErr_SetString(PyExc_ValueError, "too odd"); FAIL')
    function = pytensor.function([x], good(bad(good(x))), mode=BARE)
    with pytest.raises(ValueError, match="^too odd") as raised:
        function(1.0)
    assert function.vm.steps[0].thunk.position_of_error == 1
    failed = function.vm.steps[0].thunk.run.failed
    assert failed["hook"] == "c_code"
    assert failed["of"] is function.vm.nodes[1]
    assert "CText" in "\n".join(raised.value.__notes__)


def test_blame_is_not_stale():
    """After a failure in an apply, a failing extraction is not blamed on it."""
    x = pt.dscalar("x")
    bad = CText('if (x < 0) { PyErr_SetString(PyExc_ValueError, "odd"); FAIL }')
    function = pytensor.function([x], bad(x), mode=BARE, trust_input=True)
    with pytest.raises(ValueError, match="^odd"):
        function(np.array(-1.0))
    with pytest.raises(ValueError, match="^expected an ndarray") as raised:
        function("no array")
    assert "CText" not in "\n".join(raised.value.__notes__)
    assert function(np.array(1.0)).shape == ()


def test_return_in_c_code_is_refused():
    x = pt.dscalar("x")
    with pytest.raises(CompileError) as raised:
        pytensor.function([x], CText("return 0;")(x), mode=BARE)
    assert "return" in str(raised.value)
    assert "CText" in str(raised.value)


def test_fail_in_cleanup_is_refused():
    x = pt.dscalar("x")
    with pytest.raises(CompileError) as raised:
        pytensor.function([x], CText(cleanup="if (failure) FAIL")(x), mode=BARE)
    assert "c_code_cleanup" in str(raised.value)


def test_cpp_exception_is_an_exception():
    x = pt.dscalar("x")
    op = CText(
        'throw std::runtime_error("out of luck");', support="#include <stdexcept>"
    )
    function = pytensor.function([x], op(x), mode=BARE)
    gc.collect()
    before = sys.getrefcount(None)
    for _ in range(100):
        with pytest.raises(RuntimeError, match="out of luck"):
            function(1.0)
    gc.collect()
    assert abs(sys.getrefcount(None) - before) < 50


def test_silent_failure_is_an_exception():
    x = pt.dscalar("x")
    function = pytensor.function([x], CText("FAIL")(x), mode=BARE)
    with pytest.raises(RuntimeError):
        function(1.0)


def test_struct_init_failure_is_raised_and_unwound():
    x = pt.dscalar("x")
    op = CText(struct_init='PyErr_SetString(PyExc_ValueError, "not today"); FAIL')
    with pytest.raises(ValueError, match="^not today"):
        pytensor.function([x], op(x), mode=BARE)


@pytest.mark.parametrize("mode", ["clinch", "clinch_vm"])
def test_py_name_of_a_temporary_is_its_value(mode):
    """Ops that read `py_<input>` see the value, not None, in a whole graph too."""
    v = pt.dvector("v")
    out = pt.inc_subtensor(pt.zeros(6)[2:], v[:4] * 3)
    function = pytensor.function([v], out, mode=Mode(mode, None))
    np.testing.assert_array_equal(
        function(np.arange(6.0)), [0.0, 0.0, 0.0, 3.0, 6.0, 9.0]
    )


def test_clinker_itself():
    """PyTensor's CLinker, used directly, is Clinch's while Clinch is active."""
    x, y = ps.float64("x"), ps.float64("y")
    graph = FunctionGraph([x, y], [x + y * x])
    with compiling():
        thunk, inputs, outputs = CLinker().accept(graph).make_thunk()
    inputs[0].data, inputs[1].data = 2.0, 3.0
    thunk()
    assert outputs[0].data == 8.0


def extremes(x, y):
    """Maxima and minima alone, in a composite, in a fused loop, reduced, and in a block
    of few items."""
    places = pt.constant(np.array([1, 0, 1]))
    return [
        pt.maximum(x, y),
        pt.minimum(x, y) * 2 - 1,
        pt.maximum(x[places] - 3, y[places]),
        x.max(),
        pt.min(pt.maximum(y, 3)),
        pt.specify_shape(pt.maximum(x, y), (2,)).max() + 1,
    ]


@pytest.mark.parametrize("dtype, most", [("int64", 2**63 - 1), ("uint64", 2**64 - 1)])
@pytest.mark.parametrize("linker", ["clinch", "clinch_vm"])
@pytest.mark.parametrize("optimizer", [None, "fast_run"])
def test_extremes_of_large_integers_are_not_rounded(dtype, most, linker, optimizer):
    """PyTensor's C takes them as `double`, because of the NaN that it may give."""
    x, y = pt.vector("x", dtype=dtype), pt.vector("y", dtype=dtype)
    given = [np.array(of, dtype) for of in ([most - 1, 5], [2**53 + 1, 7])]
    made = pytensor.function([x, y], extremes(x, y), mode=Mode(linker, optimizer))
    expected = pytensor.function([x, y], extremes(x, y), mode=Mode("py", None))(*given)
    for ours, theirs in zip(made(*given), expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    # Which is what NumPy says, too.
    assert int(expected[3]) == most - 1


def test_extremes_of_large_integers_of_no_array():
    x, y = ps.int64("x"), ps.int64("y")
    made = scalar_function([x, y], ps.maximum(x, y))
    assert made(2**53 + 1, 1) == 2**53 + 1


@pytest.mark.parametrize("linker", ["clinch", "clinch_vm"])
def test_a_function_fused_into_a_sum_of_float16_is_of_all_items(linker):
    """It has no C, and PyTensor's `perform` takes the first item as it is: 33 for 35."""
    x = pt.tensor("x", dtype="float16", shape=(None, 2))
    items = np.array([[-1, 2], [-3, 4], [5, 0.5]], "float16")
    for made, expected, of_none in (
        ((x * x).sum(axis=0), [35.0, 20.25], [0.0, 0.0]),
        ((x * x).prod(axis=0), [225.0, 16.0], [1.0, 1.0]),
        ((x * x).sum(), 55.25, 0.0),
    ):
        function = pytensor.function([x], made, mode=Mode(linker, "fast_run"))
        assert function(items).dtype == "float16"
        assert function(items).tolist() == expected
        assert function(items[:0]).tolist() == of_none


@pytest.mark.parametrize("linker, optimizer", [("clinch", "fast_run"), ("clinch_vm", None)])
@pytest.mark.parametrize("other", ["int64", "bool", "float32", "complex64", "complex128"])
def test_imaginary_parts_count_where_numbers_are_compared(other, linker, optimizer):
    """PyTensor's C asks for the real part alone, or does not compile."""
    x, y = pt.zvector("x"), pt.vector("y", dtype=other)
    made = [pt.eq(x, y), pt.neq(x, y), pt.eq(y, x), pt.neq(y, x), pt.switch(pt.neq(y, x), 3, x * 2)]
    given = np.array([4j, 1, 0, 1 + 1j]), np.array([0, 1, 0, 1], other)
    function = pytensor.function([x, y], made, mode=Mode(linker, optimizer))
    equal, unequal, same, other, chosen = function(*given)
    assert equal.tolist() == same.tolist() == [False, True, True, False]
    assert unequal.tolist() == other.tolist() == [True, False, False, True]
    assert chosen.tolist() == [3, 2, 0, 3]
