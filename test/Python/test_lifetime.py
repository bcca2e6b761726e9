"""What a function holds, and that it lets go of it."""

import gc
import os
import subprocess
import sys
import textwrap
import weakref

import numpy
import pytest

import clinch
from clinch import Mode, TensorType, double, function, generic
from theano_ops import ExternalVectorProduct, VectorTimesVector
from test_errors import call, Text

vector = TensorType("float64", (None,))
scalar = TensorType("float64", ())
FORMS = pytest.mark.parametrize("form", ["struct", "function"])


def counts(*objects):
    gc.collect()
    return [sys.getrefcount(o) for o in objects] + [len(gc.get_objects())]


def no_growth(before, after):
    """Other code makes and drops a few references and objects (to None, to
    dtypes), far fewer than there were calls: a leak adds one for each."""
    return all(abs(q - p) < 100 for p, q in zip(before, after))


@FORMS
@pytest.mark.parametrize("op", [VectorTimesVector, ExternalVectorProduct])
def test_calls_leave_counts_as_they_were(form, op):
    x, y = vector("x"), vector("y")
    f = function([x, y], op()(x, y), mode=Mode(form=form))
    a, b, short = numpy.ones(5), numpy.ones(5), numpy.ones(4)

    def calls():
        for _ in range(200):
            f(a, b)
            try:
                f(a, short)
            except ValueError:
                pass
    calls()
    before = counts(f, a, b, short, a.dtype, None, x, y, x.type)
    calls()
    after = counts(f, a, b, short, a.dtype, None, x, y, x.type)
    assert no_growth(before, after)


@FORMS
def test_any_object_keeps_its_count(form):
    x = generic("x")
    f = function([x], [call(x)], mode=Mode(form=form))
    result = object()

    def give():
        return result

    def fail():
        raise KeyError

    f(give)
    before = counts(result, give, fail)
    for _ in range(500):
        assert f(give)[0] is result
        with pytest.raises(KeyError):
            f(fail)
    after = counts(result, give, fail)
    # The cell of a recycled output may still hold the last result.
    assert no_growth(before, after)


@FORMS
@pytest.mark.parametrize("linker", ["graph", "op"])
def test_dropping_a_function_frees_what_it_held(form, linker):
    class Held:
        pass

    x = generic("x")
    constant = clinch.constant(Held(), type=generic)
    f = function([x], [clinch.view_op(constant), call(x)],
                 mode=Mode(form=form, linker=linker))
    given = Held()
    assert f(lambda: given)[1] is given
    gone = [weakref.ref(constant.data), weakref.ref(given), weakref.ref(f)]
    del f, constant, given
    gc.collect()
    assert [r() for r in gone] == [None] * 3


def test_dropping_a_function_frees_its_code():
    x = double("x")
    op = Text("{z} = {x} + 123.0625;")
    gc.collect()
    before = clinch.cache_info()["live_modules"]
    f = function([x], op(x))
    g = function([x], op(x))
    assert clinch.cache_info()["live_modules"] == before + 1
    del f
    gc.collect()
    assert g(1.0) == 124.0625
    del g
    gc.collect()
    assert clinch.cache_info()["live_modules"] == before


@FORMS
def test_a_cycle_through_a_cell(form):
    x = generic("x")
    f = function([x], [call(x)], mode=Mode(form=form))
    f.cells[x][0] = f
    gone = weakref.ref(f)
    del f
    gc.collect()
    assert gone() is None


def test_a_cycle_through_the_op_and_the_type():
    class Mine(VectorTimesVector):
        __props__ = ()

    x = vector("x")
    op = Mine()
    f = function([x], op(x, x))
    f(numpy.ones(3))
    op.function = f
    gone = weakref.ref(f)
    del f, op
    gc.collect()
    assert gone() is None


def test_dropping_a_function_from_its_own_call():
    x = generic("x")
    holder = [function([x], [call(x)])]

    def drop():
        holder.clear()
        gc.collect()
        return 42

    assert holder[0](drop) == [42]
    assert holder == []


def test_dropping_it_in_a_finalizer_of_an_argument():
    class Last:
        def __del__(self):
            holder.clear()

        def __call__(self):
            return 1

    x = generic("x")
    holder = [function([x], [call(x)])]
    assert holder[0](Last()) == [1]
    gc.collect()
    assert holder == []


@pytest.mark.parametrize("where", [
    "keep = f", "sys.keep = f", "f.cells[x][0] = f",
    "import builtins; builtins.keep = [f]", "atexit.register(f, print)",
    "threading.local().f = f",
])
def test_at_interpreter_exit(where, tmp_path):
    script = textwrap.dedent(f"""
        import atexit, sys, threading
        from clinch import generic, function
        from test_errors import call
        x = generic("x")
        f = function([x], [call(x)])
        f(list)
        {where}
    """)
    done = subprocess.run([sys.executable, "-c", script], text=True,
                          capture_output=True, cwd=tmp_path,
                          env=dict(os.environ,
                                   PYTHONPATH=":".join(sys.path),
                                   CLINCH_CACHE_DIR=str(tmp_path)))
    assert (done.returncode, done.stderr) == (0, "")


SUBINTERPRETER = """
try:
    import {name} as interpreters
except ImportError:
    interpreters = None
if interpreters:
    made = interpreters.create()
    ended = interpreters.{run}(made, '''
try:
    import clinch
except ImportError as error:
    print(error)
''')
"""


def test_subinterpreters_are_refused():
    name, run = ("_interpreters", "exec") if sys.version_info >= (3, 13) \
        else ("_xxsubinterpreters", "run_string")
    done = subprocess.run(
        [sys.executable, "-c", SUBINTERPRETER.format(name=name, run=run)],
        text=True, capture_output=True,
        env=dict(os.environ, PYTHONPATH=":".join(sys.path)))
    assert done.returncode == 0, done.stderr
    if sys.version_info >= (3, 12):  # Python's own words, for a module's slot.
        assert "does not support loading in subinterpreters" in done.stdout
    else:
        assert done.stdout.endswith(
            ": Clinch works in the main interpreter of a process, and in no "
            "subinterpreter\n")


def test_many_functions_at_once():
    x = double("x")
    functions = [function([x], Text("{z} = {x};")(x)) for _ in range(300)]
    assert {f(1.5) for f in functions} == {1.5}
    info = clinch.cache_info()
    del functions
    gc.collect()
    assert clinch.cache_info()["live_bytes"] <= info["live_bytes"]
