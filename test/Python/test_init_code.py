"""`c_init_code` runs once for a loaded module, whoever uses it."""

import gc
import os
import sys
import threading

import pytest

from clinch import Mode, double, function
from clinch.testing import TextOp


def beginning(text=""):
    """An Op that counts in `sys.clinch_begun` how often its `c_init_code` ran."""
    return TextOp("{z} = {x} + 0.5;", version=(1,), init="""
        PyObject *begun = PySys_GetObject("clinch_begun");
        PyList_Append(begun, Py_True);""" + text)


@pytest.fixture
def begun():
    sys.clinch_begun = []
    yield sys.clinch_begun
    del sys.clinch_begun


def make(text="", **options):
    x = double("x")
    return function([x], beginning(text)(x), Mode(**options))


@pytest.mark.parametrize("form", ["function", "struct"])
def test_further_functions_of_a_text_do_not_run_it_again(begun, form):
    functions = [make("// once", form=form) for _ in range(3)]
    functions.append(functions[0].copy())
    assert [f(1.0) for f in functions] == [1.5] * 4
    assert begun == [True]


def test_equal_applies_share_it(begun):
    x = double("x")
    op = beginning("// equal")
    f = function([x], op(op(op(x))), mode=Mode(linker="op"))
    assert f(1.0) == 2.5
    assert begun == [True]


def test_code_that_is_loaded_again_runs_it_again(begun):
    f = make("// again")
    del f
    gc.collect()
    g = make("// again")
    assert g(1.0) == 1.5
    assert begun == [True, True]


def test_a_failing_one_is_tried_again_by_the_next_function(begun):
    text = """
        if (PyList_GET_SIZE(begun) == 1)
            PyErr_SetString(PyExc_OSError, "not yet");"""
    with pytest.raises(OSError, match="(?m)^not yet$") as caught:
        make(text)
    assert caught.value.__notes__ == [
        "Clinch was running the c_init_code of a module."]
    functions = [make(text), make(text)]
    assert [f(1.0) for f in functions] == [1.5, 1.5]
    assert begun == [True, True]


def test_threads_wait_for_the_one_that_runs_it(begun):
    """The first thread is held inside until the second has asked."""
    entered, leave = threading.Event(), threading.Event()
    sys.clinch_pause = lambda: (entered.set(), leave.wait(60))
    text = """
        PyObject *paused = PyObject_CallNoArgs(PySys_GetObject("clinch_pause"));
        Py_XDECREF(paused);"""
    results = []
    makers = [threading.Thread(target=lambda: results.append(make(text)(1.0)))
              for _ in range(3)]
    try:
        makers[0].start()
        assert entered.wait(60)
        for maker in makers[1:]:
            maker.start()
        makers[1].join(0.2)
        assert results == []
        leave.set()
        for maker in makers:
            maker.join(60)
    finally:
        leave.set()
        del sys.clinch_pause
    assert results == [1.5] * 3
    assert begun == [True]


def test_one_that_needs_itself_is_an_error(begun):
    text = """
        PyObject *made = PyObject_CallNoArgs(PySys_GetObject("clinch_make"));
        Py_XDECREF(made);"""
    sys.clinch_make = lambda: make(text)
    try:
        with pytest.raises(ValueError) as caught:
            make(text)
    finally:
        del sys.clinch_make
    assert str(caught.value) == (
        "A `c_init_code` makes a function that needs this `c_init_code` "
        "itself, which has not ended: expected it to make functions of other "
        "texts only.")
    assert begun == [True]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_the_child_of_a_fork_does_not_run_it_again(begun):
    f = make("// forked")
    child = os.fork()
    if child == 0:
        g = make("// forked")
        os._exit(0 if g(1.0) == 1.5 and begun == [True] else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert f(1.0) == 1.5
