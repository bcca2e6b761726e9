"""`clinch.testing`: what it says of functions that are not the same in every way."""

import numpy
import pytest

import clinch
from clinch import DebugModeError, double, function, shared, vector
from clinch.testing import WAYS, PythonOp, TextOp, assert_same_in_every_way
from ways import FOUR

FIRST = "Mode(tier='fast', form='struct', linker='auto')"


def refused(output, x, *arguments, **how):
    with pytest.raises(AssertionError) as error:
        assert_same_in_every_way(function([x], output), *arguments, **how)
    return str(error.value)


def test_all_ways_are_tried():
    made = []
    x = double("x")
    seen = PythonOp(lambda value: made.append(value) or value)
    f = function([x], seen(x))
    made.clear()
    assert_same_in_every_way(f, 2.0)
    assert len(WAYS) == 6 + 6 + 3 * 2
    assert made.count(2.0) >= 1 + 3 * len(WAYS)


def test_four_ways_have_each_form_linker_and_tier():
    assert all(way in WAYS for way in FOUR)
    for name in ("form", "linker", "tier"):
        assert {way[name] for way in FOUR} == {way[name] for way in WAYS}


def test_a_value_that_differs():
    x = double("x")
    counts = TextOp("static int calls;\n{z} = {x} + calls++;")
    assert refused(counts(x), x, 1.0) == (
        f"{FIRST}, second call: output 1 is 2.0, instead of 1.0")


def test_an_exception_that_differs():
    x = double("x")
    once = TextOp("static int calls;\nif (calls++ == 0) {\n"
                  '  PyErr_SetString(PyExc_ValueError, "not yet");\n  {fail}\n}\n'
                  "{z} = {x};")
    assert refused(once(x), x, 1.0) == (
        f"{FIRST}, second call: [1.0], instead of ValueError('not yet')")
    always = TextOp('PyErr_SetString(PyExc_ValueError, "never"); {fail}')
    assert_same_in_every_way(function([x], always(x)), 1.0)


def test_c_and_perform():
    x = double("x")
    f = function([x], TextOp("{z} = {x};", perform=lambda value: value + 1)(x))
    with pytest.raises(DebugModeError, match="output 0 is 3.0, and perform gives 4.0"):
        assert_same_in_every_way(f, 3.0)


def test_c_that_raises_where_perform_gives_a_value():
    x = double("x")
    fails = TextOp('PyErr_SetString(PyExc_ValueError, "mine"); {fail}',
                   perform=lambda value: value + 1)
    with pytest.raises(DebugModeError,
                       match=r"raised ValueError\('mine'\), and perform gives 4.0"):
        assert_same_in_every_way(function([x], fails(x)), 3.0)


def test_exactly_and_approximately():
    x = double("x")
    nearly = TextOp("static int calls;\n{z} = {x} + 1e-12 * calls++;")
    assert "output 1 is 1.000000000001, instead of 1.0" in refused(nearly(x), x, 1.0)
    assert_same_in_every_way(function([x], nearly(x)), 1.0, approximately=True)


def test_arguments_are_copied():
    v = vector("v")
    clears = PythonOp(lambda value: value.fill(0) or value, destroy_map={0: [0]})
    given = numpy.ones(3)
    assert_same_in_every_way(function([clinch.In(v, borrow=True)], clears(v)), given)
    assert given.tolist() == [1, 1, 1]


def test_a_function_with_a_state_is_refused():
    total = shared(0.0)
    f = function([], total, updates={total: total + 1})
    with pytest.raises(ValueError, match="has shared Variables, which each call may"):
        assert_same_in_every_way(f)


def test_all_texts_of_an_op():
    x = double("x")
    op = TextOp("{z} = half({x}) + own_{name}() + kept_{name} + there;\n{u} = {y};",
                [double, double], headers=["<math.h>"], version=(1,),
                cleanup="/* after {z} */",
                support="static double there; static double half(double t) "
                        "{ return t / 2; }",
                support_apply="static double own_{name}(void) { return 10; }",
                struct="double kept_{name};", init="there = 1000;",
                init_struct="kept_{name} = 100;", cleanup_struct="kept_{name} = 0;",
                name="all")
    f = function([x], op(x, x))
    assert f(4.0) == [1112.0, 4.0]
    assert "/* after " in f.emit("c") and str(op(x, x)[0]) == "all(x, x).0"


def test_texts_and_types_tell_ops_apart():
    op = TextOp("{z} = {x};", double)
    assert op == TextOp("{z} = {x};", double) and hash(op) == hash(TextOp("{z} = {x};",
                                                                          double))
    assert op != TextOp("{z} = {x};") and op != TextOp("{z} = {x};", double,
                                                       version=(1,))
