"""A call in which one allocation fails, each in its turn: an error or the
right result, never both, nothing lost, and the call before it unharmed."""

import gc
import re
import sys

import numpy
import pytest

from clinch import (In, Mode, ParamsType, Scalar, TensorType, deep_copy_op, double,
                    function, generic, shape, view_op)
from clinch.testing import PythonOp, TextOp
from theano_ops import VectorTimesScalar, VectorTimesVector
from test_misuse import Increment

pytest.importorskip("_testcapi")
import nomemory  # Needs it.

vector = TensorType("float64", (None,))
scalar = TensorType("float64", ())


#: Has no C: with linker="op" its `perform` runs.
in_python = PythonOp(lambda x: x + 1)


def floats():
    x, y = double("x"), double("y")
    return [x, y], (x + y) * 2.5, [1.5, 2.5], None


def mixed_numbers():
    x, n, c = double("x"), Scalar("int16")("n"), Scalar("complex128")("c")
    return ([x, n, c], [x + x, n // n, c * c],
            [1.5, numpy.int16(7), numpy.complex128(2j)],
            ([1.5, numpy.int16(0), numpy.complex128(2j)], ZeroDivisionError))


#: x plus a parameter that is an array of one.
parameter = TextOp("{z} = {x} + {params}->b + *(double *)PyArray_DATA({params}->a);",
                   params_type=ParamsType(a=TensorType("float64", (1,)), b=double),
                   get_params=lambda node: {"a": numpy.array([1.5]), "b": 2.0})


def parameters():
    x = double("x")
    return [x], [parameter(x), x < 2.0], [1.0], None


def vectors():
    x, y, s = vector("x"), vector("y"), scalar("s")
    return ([x, y, s], [VectorTimesVector()(x, VectorTimesScalar()(y, s))],
            [numpy.arange(4.0), numpy.ones(4), numpy.array(2.0)],
            ([numpy.arange(4.0), numpy.ones(3), numpy.array(2.0)], ValueError))


def copies():
    x, o = vector("x"), generic("o")
    return ([x, o], [deep_copy_op(x), shape(x), view_op(x), deep_copy_op(o)],
            [numpy.arange(4.0), [1, [2.5]]], None)


def in_place():
    x = vector("x")
    return [x], Increment()(deep_copy_op(x)), [numpy.zeros(3)], None


def defaults():
    x, y = vector("x"), scalar("y")
    return ([x, In(y, value=numpy.array(3.0))], VectorTimesScalar()(x, y),
            [numpy.ones(3)], None)


def filtered():
    """Arguments that the filters have to make fit. (NumPy 1.24 itself crashes
    when it reduces an array without memory: no arrays here.)"""
    x, y = vector("x"), double("y")
    return ([x, y], [deep_copy_op(x), y + 1.0], [numpy.arange(3.0), 2],
            ([numpy.arange(3.0), "two"], ValueError))


CASES = dict(floats=floats, mixed_numbers=mixed_numbers, parameters=parameters,
             vectors=vectors, copies=copies, in_place=in_place, defaults=defaults,
             filtered=filtered)


class Run:
    """A function, called with one allocation failing."""

    def __init__(self, f, arguments, fails_with=None):
        self.f, self.arguments, self.fails_with = f, arguments, fails_with
        self.last = None if fails_with else f(*arguments)
        self.wanted = repr(self.last)

    def without(self, how, allocation):
        """Whether the allocation was missed."""
        floats = [i + 0.5 for i in range(200)]  # Those that Python keeps ready.
        error = result = None
        with how(allocation):
            try:
                result = self.f(*self.arguments)
            except BaseException as raised:
                # With its traceback this frame would hold it for a while, and
                # Python has 16 MemoryErrors to lend.
                error = raised.with_traceback(None)
        del floats
        assert repr(self.last) == self.wanted
        if error is None:
            assert self.fails_with is None
            assert repr(result) == self.wanted, allocation
            self.last = result  # Held: the next run needs storage of its own.
            return False
        if self.fails_with and isinstance(error, self.fails_with):
            return False
        # Python 3.11 itself loses the error of a frame without memory.
        if isinstance(error, SystemError) and re.match(
                r"<function .* at \w+> returned NULL without",
                str(error)):
            return True
        # A message may be lost with the memory for it, never the error.
        assert isinstance(error, MemoryError), (allocation, repr(error))
        return True


def each_allocation(run, how):
    """How many allocations were missed."""
    missed = quiet = allocation = 0
    while quiet < 12 and allocation < 400:
        if run.without(how, allocation):
            missed, quiet = missed + 1, 0
        else:
            quiet += 1
        allocation += 1
    assert quiet >= 12
    return missed


LINKERS = [("graph", "struct"), ("graph", "function"), ("op", "struct"),
           ("op", "function")]


def all_runs(f, good, bad, allocates_arrays):
    """Each way to run out of memory, in good calls and in failing ones."""
    kept = f(*good)
    text = repr(kept)
    runs = [Run(f, good)]
    if bad:
        runs.append(Run(f, *bad))
    for how in (nomemory.objects, nomemory.arrays):
        missed = [each_allocation(run, how) for run in runs]
        assert missed[0] > 0 or (how is nomemory.arrays
                                 and not allocates_arrays)
    assert repr(kept) == text == repr(f(*good))


@pytest.mark.parametrize("linker, form", LINKERS,
                         ids=["-".join(pair) for pair in LINKERS])
@pytest.mark.parametrize("name", CASES)
def test_each_allocation_of_a_call(name, linker, form):
    inputs, outputs, good, bad = CASES[name]()
    watched = [*good, *(bad[0] if bad else ())]
    gc.collect()
    before = [sys.getrefcount(v) for v in watched]
    f = function(inputs, outputs, mode=Mode(linker=linker, form=form))
    ins = [v.variable if isinstance(v, In) else v for v in inputs]
    defaults = [f.cells[v][0] for v in ins]
    all_runs(f, good, bad, name in ("vectors", "copies", "in_place",
                                    "defaults", "filtered"))
    assert all(f.cells[v][0] is d for v, d in zip(ins, defaults))
    del f
    gc.collect()
    assert [sys.getrefcount(v) for v in watched] == before


@pytest.mark.parametrize("form", ["struct", "function"])
def test_a_bare_thunk_without_memory(form):
    x, y = vector("x"), scalar("y")
    thunk = function([x, y], VectorTimesScalar()(x, y), mode=Mode(form=form)).thunk
    thunk.cells[0][0], thunk.cells[1][0] = numpy.ones(3), numpy.array(2.0)
    thunk()
    kept = thunk.cells[2][0]
    for how in (nomemory.objects, nomemory.arrays):
        thunk.cells[0][0] = numpy.ones(4)  # A new output is needed.
        with pytest.raises(MemoryError) as error:
            with how(0):
                thunk()
        assert thunk.cells[2][0] is kept and kept.tolist() == [2.0] * 3
        assert thunk.failed["hook"] == "c_code"
        assert error.value.__notes__ == [] or "VectorTimesScalar.c_code" in (
            error.value.__notes__[0])


def test_perform_without_memory():
    x = vector("x")
    f = function([x], VectorTimesVector()(in_python(x), x), mode=Mode(linker="op"))
    given = numpy.arange(3.0)
    kept = f(given)
    run = Run(f, [given])
    before = sys.getrefcount(given)
    for how in (nomemory.objects, nomemory.arrays):
        assert each_allocation(run, how) > 0
    gc.collect()
    run.last = None
    assert sys.getrefcount(given) == before
    assert kept.tolist() == f(given).tolist() == [0.0, 2.0, 6.0]
