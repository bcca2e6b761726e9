"""Each allocation of a run made to fail: an error or a result, never both, no
reference lost, the output of the last run unharmed."""

import gc
import sys

import numpy
import pytest

import clinch
from clinch import ParamsType, Scalar, TensorType, double, generic
from clinch.testing import TextOp
from clinch.generic_ops import deep_copy_op, shape
from thunks import Raw, passing

testcapi = pytest.importorskip("_testcapi")


#: x plus a parameter that is an array of one.
parameter = TextOp("{z} = {x} + {params}->b + *(double *)PyArray_DATA({params}->a);",
                   params_type=ParamsType(a=TensorType("float64", (1,)), b=double),
                   get_params=lambda node: {"a": numpy.array([1.5]), "b": 2.0})


def graphs():
    x, v, o = double("x"), TensorType("float64", (None,))("v"), generic("o")
    s, c = Scalar("int16")("s"), Scalar("complex128")("c")
    return {
        "double": ([x], [x + x], [1.0]),
        "scalar": ([s], [s + s], [numpy.int16(4)]),
        "complex": ([c], [c * c], [numpy.complex128(2j)]),
        "bool": ([x], [clinch.tensor.lt(x, 2.0)], [1.0]),
        "array": ([v], [deep_copy_op(v), shape(v)], [numpy.arange(5.0)]),
        "object": ([o], [deep_copy_op(o), passing(o)], [[1, [2.5]]]),
        "params": ([x], [parameter(x)], [1.0]),
    }


def same(a, b):
    return numpy.array_equal(a, b) if isinstance(a, numpy.ndarray) else a == b


def run_without(run, allocation):
    """Runs with that allocation failing; the exception, or None."""
    thunk = run.thunk
    floats = [i + 0.5 for i in range(200)]  # Those that Python keeps ready.
    testcapi.set_nomemory(allocation, allocation + 1)
    try:
        thunk()
    except BaseException as error:
        testcapi.remove_mem_hooks()
        return type(error), str(error)
    finally:
        testcapi.remove_mem_hooks()
        del floats
    return None


@pytest.mark.parametrize("kind", graphs())
@pytest.mark.parametrize("form", ["function", "struct"])
def test_every_allocation(kind, form):
    inputs, outputs, values = graphs()[kind]
    run = Raw(inputs, outputs, form=form)
    wanted = run(*values)
    for place in run.outputs:
        run.cells[place][0] = None
    before = [sys.getrefcount(v) for v in values]
    failures = successes = 0
    for allocation in range(200):
        for place in run.outputs:
            run.cells[place][0] = None
        failed = run_without(run, allocation)
        results = [run.cells[place][0] for place in run.outputs]
        if failed:
            failures += 1
            assert failed[0] is MemoryError, failed
        else:
            successes += 1
            assert all(map(same, results, wanted)), allocation
        for place in run.outputs:
            run.cells[place][0] = None
        del results
        if successes > 5:
            break
    gc.collect()
    assert [sys.getrefcount(v) for v in values] == before
    assert successes > 5
    # A bool is one of two objects that are there already.
    assert failures or kind == "bool"
    assert all(map(same, run(*values), wanted))
