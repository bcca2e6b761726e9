"""`==` and `!=` of Variables make a graph, as `<` does; identity is `is`."""

import copy
import math
import pickle

import numpy
import pytest

import clinch
from clinch import (Apply, Mode, Op, Scalar, double, function, generic, vector,
                    vectorize)
from clinch.testing import TextOp

NO_TRUTH = ("{} has no truth value before it is computed: in a graph "
            "`where(condition, one, other)` stands for `if`, `logical_and` for "
            "`and`, `maximum` for `max`; `is` asks whether two Variables are "
            "the same one")
NO_NUMBER = ("{} is no number before it is computed, as `float`, `range`, `math.sin` or "
             "an item of an array must be; for a graph Clinch has `sin`, `stack` and "
             "others of its own")


def test_arrays_are_compared_item_by_item():
    x, y = vector("x"), vector("y")
    made = [numpy.where(x == 2, 100, x), (x == 2) | (x > 2), x[x == 2], x != y, 2 == x,
            numpy.array([1.0, 0.0, 3.0]) == x, numpy.float64(2) != x,
            x == [1, 2, 4]]
    f = function([x, y], made)
    assert [r.tolist() for r in f([1, 2, 3], [1, 0, 3])] == [
        [1, 100, 3], [False, True, True], [2], [False, True, False],
        [False, True, False], [True, False, True], [True, False, True],
        [True, True, False]]


def test_numbers_are_compared():
    d, i = double("d"), Scalar("int32")("i")
    f = function([d, i], [d == 2, d != i, i == 3, 2 == d])
    assert f(2.0, 3) == [True, True, True, True]
    assert f(3.0, 3) == [False, False, True, False]


def test_none_is_no_number():
    """As everywhere in Python, and what `x in (None, ...)` asks first."""
    x = vector("x")
    assert (x == None) is False and (x != None) is True  # noqa: E711
    assert (None == x) is False and None not in [x]  # noqa: E711
    assert x in (x, None)


@pytest.mark.parametrize("compare, kind, message", [
    (lambda x, d, g: x == "a", TypeError,
     "a str of dtype <U1 is nothing that Clinch computes with"),
    (lambda x, d, g: d != "a", TypeError,
     "a str is no Variable, and none can be made of it"),
    (lambda x, d, g: g == g, clinch.GraphError,
     "`eq` takes numbers, and a variable of `Generic` is none in C: "
     "`PyObject *x;`."),
    (lambda x, d, g: g == 1, clinch.GraphError,
     "`eq` takes numbers, and a variable of `Generic` is none in C: "
     "`PyObject *x;`."),
    (lambda x, d, g: x != g, TypeError,
     "g has type Generic, which is not an array")])
def test_what_cannot_be_compared_is_an_error_and_not_false(compare, kind,
                                                           message):
    with pytest.raises(kind) as error:
        compare(vector("x"), double("d"), generic("g"))
    assert str(error.value) == message


@pytest.mark.parametrize("ask, said", [
    (lambda x, d: bool(d == x), "Elemwise{eq}(d, x)"),
    (lambda x, d: d in [x, d], "Elemwise{eq}(d, x)"),
    (lambda x, d: [x].index(d), "Elemwise{eq}(d, x)"),
    (lambda x, d: (x, 1) == (d, 1), "Elemwise{eq}(x, d)"),
    (lambda x, d: max(x, d), "Elemwise{gt}(d, x)"),
    (lambda x, d: 1 if d > 0 else 2, "gt(d, 0.0)")])
def test_the_truth_of_a_comparison(ask, said):
    with pytest.raises(TypeError) as error:
        ask(vector("x"), double("d"))
    text = str(error.value)
    swapped = said.replace("(d, x)", "(x, d)")
    assert text in (NO_TRUTH.format(said), NO_TRUTH.format(swapped))


def test_dictionaries_know_a_variable_by_identity():
    many = [vector() for _ in range(2000)]
    places = {v: k for k, v in enumerate(many)}
    assert [places[v] for v in many] == list(range(2000))
    assert len(set(many) | {vector()}) == 2001
    assert (many[0], many[1]) == (many[0], many[1])
    assert hash(many[0]) == object.__hash__(many[0])


def test_copies_and_pickles_of_functions_that_compare():
    x = vector("x")
    f = function([x], [x == 2, x != 2, x + 0])
    for g in (copy.deepcopy(f), pickle.loads(pickle.dumps(f))):
        assert [r.tolist() for r in g([1.0, 2.0])] == [
            [False, True], [True, False], [1.0, 2.0]]


def test_ops_with_variables_among_their_props():
    class Holds(Op):
        __props__ = ("held",)

        def __init__(self, held):
            self.held = held

    x, y = vector("x"), vector("y")
    assert Holds(x) == Holds(x) and Holds((x, [y])) == Holds((x, [y]))
    assert Holds(x) != Holds(y) and Holds((x, 1)) != Holds((y, 1))
    assert Holds((x, 1)) != Holds((x, 2)) and Holds(x) != Holds(1)
    assert {Holds(x): 1}[Holds(x)] == 1


#: Has two outputs, and two inputs.
pair = TextOp("{z} = {x}; {u} = {y};", [double, double], perform=lambda x, y: (x, y))


@pytest.mark.parametrize("options", [
    {}, {"mode": Mode(linker="op")}, {"mode": "DebugMode"}])
def test_several_variables_in_every_linker(options):
    x, y = double("x"), double("y")
    a, b = pair(x, y)
    f = function([x, y], [a, b, a == b, x], **options)
    assert f(1.0, 2.0) == [1.0, 2.0, False, 1.0]
    assert f(2.0, 2.0) == [2.0, 2.0, True, 2.0]


@pytest.mark.parametrize("convert", [float, int, complex, math.sin])
def test_a_variable_is_no_number(convert):
    for variable in (vector("v"), double("v")):
        with pytest.raises(TypeError) as error:
            convert(variable)
        assert str(error.value) == NO_NUMBER.format("v")


@pytest.mark.parametrize("function, message", [
    (lambda x: x if x > 0 else -x,
     NO_TRUTH.format(f"gt(<Scalar(float64)>, {numpy.float64(0)!r})")),
    (lambda x, y: max(x, y),
     NO_TRUTH.format("gt(<Scalar(float64)>, <Scalar(float64)>)")),
    (lambda x: math.sin(x), NO_NUMBER.format("<Scalar(float64)>")),
    (lambda x: 3, "<function <lambda> at ")])
def test_vectorize_says_why_a_function_cannot_be_one(function, message):
    with pytest.raises(TypeError) as error:
        vectorize(function)
    assert str(error.value).startswith(message)


def test_vectorize_takes_what_is_for_some_dtypes():
    whole = vectorize(lambda x, y: x << y)
    assert not [t for t in whole.types if set(t) & set("fdFD")]
    assert whole(numpy.int32(3), numpy.int32(2)) == 12
    with pytest.raises(clinch.DtypeError) as error:
        vectorize(clinch.tensor.lshift, dtypes=["float32", "float64"])
    assert str(error.value) == "`lshift` is not defined for float64."


@pytest.mark.parametrize("value, said", [
    ([1, "a"], "[1] is 'a', a str"), (["1"], "[0] is '1', a str"),
    ((1.5, None), "[1] is None, a NoneType"),
    ([2**64, {}], "[1] is {}, a dict")])
def test_the_item_that_is_no_number_is_named(value, said):
    x = vector("x")
    with pytest.raises(TypeError) as error:
        function([x], x)(value)
    kind = type(value).__name__
    assert str(error.value) == (f"expected TensorType(float64, (None,)), not a "
                                f"{kind} whose item {said}")


def test_an_item_of_nested_lists_is_named():
    x = clinch.matrix("x")
    with pytest.raises(TypeError) as error:
        function([x], x)([[1, 2], [3, "b"]])
    assert str(error.value) == ("expected TensorType(float64, (None, None)), "
                                "not a list whose item [1][1] is 'b', a str")
    assert function([x], x)([[1, True], (2.5, numpy.int8(3))]).tolist() == [
        [1.0, 1.0], [2.5, 3.0]]


@pytest.mark.parametrize("inputs, outputs, what, said", [
    ("d", ["d"], "inputs", "d of type Variable"),
    ("x", ["d"], "inputs", "x of type Variable"),
    (["d", "d"], "d", "outputs", "d of type Variable"),
    (3, ["d"], "inputs", "3 of type int"),
    (None, [], "inputs", "None of type NoneType")])
def test_an_apply_takes_lists(inputs, outputs, what, said):
    known = {"d": double("d"), "x": vector("x")}

    def variables(value):
        if isinstance(value, list):
            return [known[name] for name in value]
        return known.get(value, value)

    with pytest.raises(TypeError) as error:
        Apply(clinch.add, variables(inputs), variables(outputs))
    assert str(error.value) == (f"the {what} of an Apply of add are a list of "
                                f"Variables; {said} is none")
    made = Apply(clinch.add, (known["d"], known["d"]), [double()])
    assert made.inputs == [known["d"], known["d"]]
