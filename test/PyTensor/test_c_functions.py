"""`f.c_address`: called from C, by ctypes and by SciPy, the values of `f`."""

import ctypes
import pickle
import sys
import threading

import numpy as np
import pytensor.tensor as pt
import pytest
from ops import CText, OnlyPython

import pytensor

_random = np.random.default_rng(15)


def called(function, values, room, *, kind=ctypes.CFUNCTYPE):
    """What a C function of these doubles returns, and what it has written."""
    doubles = ctypes.POINTER(ctypes.c_double)
    types = doubles, ctypes.c_uint64, doubles, ctypes.c_uint64
    given = np.array(values, "float64")
    made = np.full(room, 77.0)
    entry = kind(ctypes.c_int64, *types)(function.c_address)
    written = entry(
        given.ctypes.data_as(doubles), given.size, made.ctypes.data_as(doubles), room
    )
    return written, made.tolist()


def test_numbers_and_a_vector():
    a, x, b = pt.dscalar("a"), pt.dvector("x"), pt.dscalar("b")
    matrix = pt.outer(x, x) * b
    f = pytensor.function([a, x, b], [a * x + b, (x * x).sum(), matrix.T], mode="CLINCH")
    for size in (3, 0, 1, 5, 3):
        values = _random.normal(size=size + 2)
        line, total, square = f(values[0], values[1:-1], values[-1])
        expected = [*line, total, *square.ravel()]
        assert called(f, values, len(expected)) == (len(expected), expected)


def test_what_does_not_fit_writes_nothing():
    x, y = pt.dscalars("x", "y")
    f = pytensor.function([x, y], [x + y, x * y], mode="CLINCH")
    assert called(f, [2.0, 3.0], 2) == (2, [5.0, 6.0])
    assert called(f, [2.0, 3.0], 1) == (-1, [77.0])
    assert called(f, [2.0], 2) == called(f, [2.0, 3.0, 4.0], 2) == (-1, [77.0, 77.0])
    assert called(f, [2.0, 3.0], 3) == (2, [5.0, 6.0, 77.0])


def test_an_op_that_fails_is_told_by_the_result():
    x = pt.dscalar("x")
    code = 'if (x < 0) { PyErr_SetString(PyExc_ValueError, "less"); FAIL } z = x + 1;'
    f = pytensor.function([x], CText(code)(x), mode="CLINCH")
    assert called(f, [1.0], 1) == (1, [2.0])
    assert called(f, [-1.0], 1) == (-1, [77.0])
    assert called(f, [3.0], 1) == (1, [4.0])
    with pytest.raises(ValueError, match="less"):
        f(-1.0)


def test_shared_variables_count_as_they_are_now():
    x, scale = pt.dvector("x"), pytensor.shared(2.0)
    f = pytensor.function([x], x * scale, mode="CLINCH")
    assert called(f, [1.0, 2.0], 2) == (2, [2.0, 4.0])
    scale.set_value(5.0)
    assert called(f, [1.0, 2.0], 2) == (2, [5.0, 10.0])


def test_an_output_that_is_an_input():
    x = pt.dvector("x")
    f = pytensor.function([x], [pytensor.Out(x, borrow=True), x[::-1]], mode="CLINCH")
    for values in ([1.0, 2.0], [3.0, 4.0]):
        assert called(f, values, 4) == (4, [*values, *values[::-1]])
    assert sys.getrefcount(f) < 10


def test_threads_take_turns():
    """With the interpreter's lock and without."""
    x = pt.dvector("x")
    f = pytensor.function([x], pt.dot(x, x), mode="CLINCH")
    found = {}

    def work(number):
        kind = ctypes.PYFUNCTYPE if number % 2 else ctypes.CFUNCTYPE
        values = np.full(50, float(number))
        found[number] = {str(called(f, values, 1, kind=kind)) for _ in range(200)}

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == {n: {str((1, [50.0 * n * n]))} for n in range(6)}


def test_scipy_calls_it():
    from scipy.integrate import nquad, quad

    x, y = pt.dscalars("x", "y")
    f = pytensor.function([x, y], pt.exp(-x * y), mode="CLINCH")
    area, error = quad(f.low_level_callable(), 0, 1, args=(2.0,))
    assert abs(area - (1 - np.exp(-2)) / 2) < 1e-12
    volume, _ = nquad(f.low_level_callable(), [[0, 1], [0, 1]])
    assert abs(volume - 0.7965995992970531) < 1e-9
    v = pt.dvector("v")
    g = pytensor.function([v], (v**2).sum(), mode="CLINCH")
    assert abs(quad(g.low_level_callable(), 0, 3, args=(1.0,))[0] - 12) < 1e-12
    two = pytensor.function([x], [x, x], mode="CLINCH")
    with pytest.raises(TypeError, match="SciPy calls a function of one number"):
        two.low_level_callable()


def test_functions_without_an_address():
    x, i, m = pt.dscalar("x"), pt.lscalar("i"), pt.dmatrix("m")
    v = pt.dvector("v")
    state = pytensor.shared(0.0)
    refused = [
        (([x], OnlyPython()(x)), "not compiled code alone: in Python there run OnlyPython"),
        (([i], i * 1.0), "takes and gives doubles; i is Scalar"),
        (([x], pt.cast(x, "int64")), "takes and gives doubles"),
        (([m], m.sum()), "takes numbers, and at most one vector"),
        (([v, pytensor.In(v.type("w"))], v), "takes numbers, and at most one vector"),
    ]
    for (inputs, outputs), said in refused:
        f = pytensor.function(inputs, outputs, mode="CLINCH", on_unused_input="ignore")
        with pytest.raises(TypeError, match=said):
            f.c_address  # noqa: B018
    f = pytensor.function([x], x, updates={state: state + 1}, mode="CLINCH")
    with pytest.raises(TypeError, match="not compiled code alone"):
        f.c_address  # noqa: B018


def test_pickled_functions_and_copies_have_their_own():
    x = pt.dvector("x")
    f = pytensor.function([x], x * 3, mode="CLINCH")
    first = f.c_address
    for again in (pickle.loads(pickle.dumps(f)), f.copy()):
        assert type(again) is type(f)
        assert again.c_address != first == f.c_address
        assert called(again, [2.0], 1) == (1, [6.0])
        np.testing.assert_array_equal(again(np.ones(2)), [3.0, 3.0])
