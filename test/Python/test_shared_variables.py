"""Values that functions keep: `shared`, `updates=`, `givens=`."""

import pickle

import numpy as np
import pytest

from clinch import (Double, Generic, Mode, TensorType, double, function, generic,
                    matrix, scalar, shared, vector)
from clinch.testing import TextOp

WAYS = [{}, {"mode": Mode(linker="op")}, {"mode": Mode(form="function")},
        {"mode": "DebugMode"}, {"mode": Mode(language="c++")}]


@pytest.fixture(params=WAYS, ids=str)
def way(request):
    return request.param


def test_an_accumulator_as_on_theanos_page(way):
    state, inc = shared(0), scalar("inc", "int64")
    accumulator = function([inc], state, updates=[(state, state + inc)], **way)
    assert state.get_value() == 0
    assert accumulator(1) == 0
    assert state.get_value() == 1
    assert accumulator(300) == 1
    assert state.get_value() == 301
    state.set_value(-1)
    assert accumulator(3) == -1
    decrementor = function([inc], state, updates={state: state - inc}, **way)
    assert decrementor(2) == 2 and state.get_value() == 0


def test_all_updates_are_of_the_values_before(way):
    a, b = shared(np.arange(3.0), "a"), shared(np.ones(3), "b")
    swap = function([], updates={a: b, b: a}, **way)
    assert swap() == []
    assert a.get_value().tolist() == [1, 1, 1]
    assert b.get_value().tolist() == [0, 1, 2]
    swap()
    assert a.get_value().tolist() == [0, 1, 2]


def test_one_expression_for_two_and_for_the_caller(way):
    a, b, x = shared(np.zeros(2)), shared(np.zeros(2)), vector("x")
    f = function([x], [x + a, a], updates={a: x + a, b: x + a}, **way)
    total, before = f([1.0, 2.0])
    assert total.tolist() == [1, 2] and before.tolist() == [0, 0]
    values = [a.get_value(borrow=True), b.get_value(borrow=True), total]
    for k, one in enumerate(values):
        assert one.tolist() == [1, 2]
        assert not any(np.shares_memory(one, other) for other in values[k + 1:])
    total[:] = 9.0
    again, before = f([1.0, 1.0])
    assert again.tolist() == [2, 3] and before.tolist() == [1, 2]
    assert values[0].tolist() == [1, 2]  # The next run wrote elsewhere.


def test_nothing_is_set_if_the_call_fails(way):
    def same(x):
        if x < 0:
            raise ValueError("below zero")
        return x

    positive = TextOp("""
        if ({x} < 0) {
          PyErr_SetString(PyExc_ValueError, "below zero");
          {fail}
        }
        {z} = {x};""", perform=same)

    x, count = double("x"), shared(0)
    f = function([x], positive(x), updates={count: count + 1}, **way)
    assert f(1.0) == 1.0
    with pytest.raises(ValueError, match="below zero"):
        f(-1.0)
    assert count.get_value() == 1


def test_new_values_of_other_kinds(way):
    number, flag = shared(1.5, type=Double()), shared([1], type=Generic())
    x, z = double("x"), shared(np.zeros((2, 2)))
    f = function([x], number, updates={
        number: x, flag: flag, z: np.ones((2, 2))}, **way)
    assert f(2.5) == 1.5 and number.get_value() == 2.5
    assert f(3.5) == 2.5 and number.get_value() == 3.5
    assert flag.get_value() == [1] and z.get_value().tolist() == [[1, 1], [1, 1]]
    total = shared(0.0)
    add = function([x], updates=[(total, x)], **way)
    add(4.0)
    assert total.get_value() == 4.0 and total.get_value().shape == ()


def test_the_type_is_that_of_the_value():
    assert shared(3).type == TensorType("int64", ())
    assert shared(np.float32(3)).type == TensorType("float32", ())
    assert shared(np.zeros((2, 1), "int8")).type == TensorType("int8", (None, None))
    assert shared({"a": 1}).type == generic and shared("text").type == generic
    assert repr(shared(1.0, "w")) == "w"
    assert repr(shared(1.0)) == "<shared TensorType(float64, ())>"


def test_whose_memory_it_is():
    given = np.zeros(3)
    copied, borrowed = shared(given), shared(given, borrow=True)
    given[0] = 1.0
    assert copied.get_value().tolist() == [0, 0, 0]
    assert borrowed.get_value(borrow=True) is given
    assert not np.shares_memory(borrowed.get_value(), given)
    copied.set_value(given)
    assert not np.shares_memory(copied.get_value(borrow=True), given)
    copied.set_value(given, borrow=True)
    assert copied.get_value(borrow=True) is given
    with pytest.raises(TypeError, match="expected 1 dimensions for TensorType"):
        copied.set_value(1.0)
    things = [[1]]
    kept = shared(things)
    things[0].append(2)
    assert kept.get_value() == [[1]]
    result = function([], borrowed)()
    assert not np.shares_memory(result, given)


def test_copies_and_pickles():
    w, x = shared(np.ones(2), "w"), vector("x")
    f = function([x], (w * x).sum(), updates={w: w + 1})
    g = f.copy()
    assert (f([1.0, 1.0]), g([1.0, 1.0])) == (2.0, 4.0)  # One value for both.
    assert w.get_value().tolist() == [3, 3]
    k, h, v = pickle.loads(pickle.dumps([f, g, w]))
    assert k([1.0, 1.0]) == 6.0 and v.get_value().tolist() == [4, 4]
    assert h([1.0, 1.0]) == 8.0
    assert w.get_value().tolist() == [3, 3]
    with pytest.raises(TypeError) as error:
        pickle.dumps(f.with_object())
    assert str(error.value) == (
        "a function with shared Variables is pickled with their values and its graph, "
        "not with its machine code")


def test_inputs_are_what_a_call_is_given():
    w, x = shared(2.0, "w"), double("x")
    f = function([x], w * x, updates={w: w + 1})
    assert f.inputs == [x] and len(f.outputs) == 1
    assert f.thunk is not None and "w: TensorType" in f.emit("graph")
    with pytest.raises(TypeError, match=r"takes 1 argument"):
        f(1.0, 2.0)


def test_givens_replace_variables(way):
    x, y, w = double("x"), double("y"), shared(np.array([1.0, 2.0]), "w")
    assert function([y], x * x, givens={x: y + 1}, **way)(2.0) == 9.0
    v = vector("v")
    assert function([], (v * 2).sum(), givens=[(v, w)], **way)() == 6.0
    assert function([v], (w * 2).sum(), givens=[(w, v)], **way)([5.0]) == 10.0
    inner = x + 1
    assert function([x], inner * inner, givens={inner: x}, **way)(3.0) == 9.0
    assert function([], x, givens={x: 4.0}, **way)() == 4.0
    # What replaces is not replaced in its turn.
    assert function([x, y], x - y, givens={}, **way)(3.0, 1.0) == 2.0
    a = double("a")
    assert function([y, a], x + y, givens={x: y, y: a}, **way)(1.0, 10.0) == 11.0


def test_givens_are_for_updates_too():
    x, w = scalar("x"), shared(1.0)
    f = function([], updates={w: w + x}, givens={x: 5.0})
    f()
    assert w.get_value() == 6.0


def refused(error, message, *arguments, **keywords):
    with pytest.raises(error) as found:
        function(*arguments, **keywords)
    assert str(found.value) == message


def test_what_is_refused():
    x, w, m = double("x"), shared(1.0, "w"), matrix("m")
    refused(TypeError, "input 1 of a function, w, is shared, and no call gives its "
            "value; `givens` replaces it by another Variable", [w], w)
    refused(TypeError, "`updates` are of shared Variables; x is none", [x], x,
            updates={x: x})
    refused(TypeError, "`updates` has for w, of type TensorType(float64, ()), a "
            "Variable of type TensorType(float64, (None, None))", [m], [],
            updates={w: m})
    refused(ValueError, "`updates` has two new values for w", [], [],
            updates=[(w, w), (w, w)])
    refused(TypeError, "`givens` is a dict, or a list of pairs (variable, new); a "
            "float is no pair", [], w, givens=[1.0])
    refused(TypeError, "`givens` has pairs (variable, new), and a float is no "
            "Variable", [], w, givens=[(1.0, w)])
    with pytest.raises(TypeError, match="an array of 1 dimensions"):
        function([], x, givens={x: np.zeros(3)})
