"""More than one caller; test_free_threading.py has functions that all of them make."""

import copy
import os
import subprocess
import sys
import threading

import pytest

from clinch import Mode, double, function, generic
from clinch.testing import TextOp
from test_errors import call


def eq(found, expected):
    assert found == expected


def in_threads(count, work):
    failures = []

    def run(number):
        try:
            work(number)
        except BaseException as error:
            failures.append(error)
    threads = [threading.Thread(target=run, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_all_may_be_first_to_need_the_code_for_cells():
    x, y = double("x"), double("y")
    for number in range(10):
        f = function([x, y], x * y + (number + 0.125), mode="fast")
        in_threads(4, lambda n: eq(f(n, 2), 2 * n + number + 0.125))


def test_another_thread_finds_the_struct_form_busy():
    x = generic("x")
    f = function([x], call(x))
    inside, seen = threading.Event(), threading.Event()
    caught = []

    def wait():
        inside.set()
        assert seen.wait(30)
        return "done"

    def other():
        inside.wait(30)
        try:
            f(int)
        except RuntimeError as error:
            caught.append(str(error))
        seen.set()

    thread = threading.Thread(target=other)
    thread.start()
    assert f(wait) == "done"
    thread.join()
    assert caught[0].startswith("this function is running already")
    assert f(int) == 0


@pytest.mark.parametrize("make", [
    lambda f: copy.copy(f), lambda f: function(f.inputs, f.outputs[0],
                                               mode=Mode(form="function"))])
def test_a_copy_or_the_function_form_is_not_busy(make):
    x = generic("x")
    f = function([x], call(x), mode=Mode(form="function"))
    g = make(f)
    assert f(lambda: g(lambda: f(int))) == 0


def without(first=""):
    """An Op that needs no Python: it meets the other thread in C."""
    return TextOp(first + """
        __atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) % 2) {}
        {z} = {x} * 2;""", double, support="static int arrived;", nogil=True)


def test_two_threads_are_in_c_at_once():
    x = double("x")
    one = function([x], without()(x))
    two = copy.copy(one)
    results = {}
    # Each waits, without the GIL, for the other to be in there, too.
    in_threads(2, lambda n: results.setdefault(n, (one, two)[n](n + 1.0)))
    assert results == {0: 2.0, 1: 4.0}


def test_failing_takes_the_gil_back():
    x = double("x")
    f = function([x], without("if ({x} < 0) {fail}")(x))
    with pytest.raises(RuntimeError, match="`TextOp.c_code` for `node_3`"):
        f(-1.0)
    with pytest.raises(RuntimeError):
        f(-1.0)


def failing(text, compiler=""):
    """An Op that fails as every page teaches, without the GIL."""
    return TextOp(f"if ({{x}} < 0) {{ {text} {{fail}} }}\n{{z}} = {{x}};", double,
                  nogil=True, c_compiler=lambda: compiler)


@pytest.mark.parametrize("compiler", ["c", "c++"])
@pytest.mark.parametrize(("text", "error", "message"), [
    ('PyErr_SetString(PyExc_ValueError, "less than zero");', ValueError,
     "less than zero"),
    ('PyErr_Format(PyExc_IndexError, "%d of %s", 3, "four");', IndexError,
     "3 of four"),
    ("PyErr_SetNone(PyExc_KeyError);", KeyError, ""),
    ("PyErr_NoMemory();", MemoryError, ""),
])
def test_exceptions_are_set_without_the_gil(text, error, message, compiler):
    x = double("x")
    f = function([x], failing(text, compiler)(x))
    for _ in range(3):
        with pytest.raises(error) as caught:
            f(-1.0)
        assert str(caught.value) == message
        assert f(1.0) == 1.0


def test_a_throw_takes_the_gil_back():
    x = double("x")
    f = function([x], failing("throw 3;", "c++")(x))
    for _ in range(3):
        with pytest.raises(RuntimeError, match="`int`"):
            f(-1.0)
        assert f(1.0) == 1.0


DAEMONS = """
import sys, threading, time
sys.path.insert(0, {fuzz!r})
import life, numpy
from clinch import double, function, vector

class Hooked(life.Adds):
    def c_code(self, *given):
        for number in range(2000):
            str(number)
        return super().c_code(*given)

x, y = vector("x"), double("y")
f = function([x], x * 2, "fast")

def compiles(number):
    life.made(number, 5)

def asks_hooks(number):
    function([y], Hooked(number)(y), "fast")

def calls(number):
    assert f([1, 2, 3])[2] == 6 and f(numpy.ones(3))[0] == 2

def ever(work, number):
    while True:
        number += 1
        work(number)

for number in range(9):
    threading.Thread(target=ever, daemon=True, args=(
        [compiles, asks_hooks, calls][number % 3], number * 10**6)).start()
time.sleep({seconds})
"""


@pytest.mark.parametrize("seconds", [0.05, 0.1, 0.2, 0.4])
def test_daemon_threads_end_where_python_ends(seconds):
    """Python unwinds those that ask for the GIL when it has ended: what ours hold then
    is left alone."""
    fuzz = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                        "Fuzz")
    ended = subprocess.run(
        [sys.executable, "-c", DAEMONS.format(fuzz=fuzz, seconds=seconds)],
        capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")
