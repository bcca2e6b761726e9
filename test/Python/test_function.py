"""Calling compiled graphs: arguments, results, what is refused."""

import builtins
import math
import struct
import sys

import pytest

import clinch

from clinch import In, Mode, add, double, function, mul


@pytest.fixture
def xyz():
    return double("x"), double("y"), double("z")


def test_the_line_of_the_seeds(xyz):
    x, y, z = xyz
    f = function([x, y, z], mul(add(x, y), z))
    assert f(1.0, 2.0, 3.0) == 9.0
    assert f(1.0, -1.0, 3.0) == 0.0


def test_operators_make_the_same_graph(xyz):
    x, y, z = xyz
    assert function([x, y, z], (x + y) * z)(1.0, 2.0, 3.0) == 9.0


def test_a_list_of_outputs_gives_a_list(xyz):
    x, y, _ = xyz
    assert function([x, y], [x + y])(1.0, 2.0) == [3.0]
    assert function([x, y], [x + y, x, y])(1.0, 2.0) == [3.0, 1.0, 2.0]


def test_integers_become_floats_without_loss(xyz):
    x, y, _ = xyz
    f = function([x, y], x + y)
    assert f(1, 2) == 3.0
    with pytest.raises(TypeError) as error:
        f(1, 2**53 + 1)
    assert str(error.value) == (
        "9007199254740993 (an int) is no float without a loss; "
        "allow_downcast=True permits it")
    assert error.value.__notes__ == [
        "Clinch was filtering argument 2 (`y`) of function."]


def test_names_of_inputs_are_keywords(xyz):
    x, y, z = xyz
    f = function([x, y, z], (x + y) * z)
    assert f(1.0, z=3.0, y=2.0) == 9.0


@pytest.mark.parametrize("args, kwargs, message", [
    ((), {}, "function() takes 3 arguments (x, y, z), and 0 were given"),
    ((1.0,), {}, "function() takes 3 arguments (x, y, z), and 1 was given"),
    ((1.0,) * 4, {},
     "function() takes 3 arguments (x, y, z), and 4 were given"),
    ((1.0, 2.0), {"w": 3.0},
     "function() takes 3 arguments (x, y, z), none of them `w`"),
    ((1.0, 2.0), {"x": 3.0}, "function() got two values for `x`"),
    ((1.0,), {"z": 3.0}, "function() takes 3 arguments (x, y, z), and the "
     "value of number 2 (`y`) is missing"),
])
def test_wrong_arguments(xyz, args, kwargs, message):
    x, y, z = xyz
    f = function([x, y, z], (x + y) * z)
    with pytest.raises(TypeError) as error:
        f(*args, **kwargs)
    assert str(error.value) == message
    assert f(1.0, 2.0, 3.0) == 9.0


def test_stats_tell_how_it_was_made(xyz):
    x, y, z = xyz
    f = function([x, y, z], (x + y) * z, mode=Mode(tier="fast", form="function"))
    stats = f.stats
    assert (stats["tier"], stats["form"], stats["linker"],
            stats["language"]) == ("fast", "function", "graph", "c")
    assert (stats["cache"], stats["cache_from"]) in (
        ("miss", None), ("hit", "memory"), ("hit", "disk"))
    assert stats["stages"][0]["name"] == "assemble"
    assert all(stage["ms"] >= 0 for stage in stats["stages"])
    again = function([x, y, z], (x + y) * z, mode=Mode(tier="fast", form="function"))
    assert again.stats["cache_from"] == "memory"
    assert again.key == f.key


def test_one_output_and_a_list_of_one_agree(xyz):
    x, y, z = xyz
    graph = clinch.tensor.sin(x * y) - clinch.exp(z) / 3.0 + clinch.minimum(x, z)
    single = function([x, y, z], graph)
    in_list = function([x, y, z], [graph])
    assert single.emit("c") == in_list.emit("c")  # One text.
    for values in [(1.0, 2.0, 3.0), (float("inf"), 0.0, -1.0),
                   (float("nan"), 1.0, 1.0), (-0.0, 5.0, 1e308)]:
        a, (b,) = single(*values), in_list(*values)
        assert struct.pack("d", a) == struct.pack("d", b)
    assert single(1, 2, 3) == single(1.0, 2.0, 3.0)
    assert single(1.0, 2.0, z=3.0) == single(1.0, 2.0, 3.0)
    for values in [(1.0, 2.0), (1.0, 2.0, 3.0, 4.0)]:
        with pytest.raises(TypeError, match="takes 3 arguments"):
            single(*values)
    with pytest.raises(TypeError):
        single(1.0, "2.0", 3.0)


def test_a_subclass_of_float_is_a_float(xyz):
    class Metres(float):
        def __add__(self, other):
            raise AssertionError("C code knows no __add__")

    x, y, z = xyz
    f = function([x, y, z], (x + y) * z)
    result = f(Metres(1.0), Metres(2.0), 3.0)
    assert result == 9.0 and type(result) is float


def test_no_cell_keeps_an_argument(xyz):
    x, y, _ = xyz
    value = 12345.678
    f = function([x, y], [x + y, y])
    before = sys.getrefcount(value)
    assert f(1.0, value) == [12346.678, value]
    assert sys.getrefcount(value) == before
    assert [cell[0] for cell in f.cells.values()] == [None, None, None]


def test_defaults_are_kept_from_run_to_run(xyz):
    x, y, z = xyz
    f = function([x, In(y, value=10), (z, 0.5)], [x + y, z])
    assert f(1.0) == [11.0, 0.5]
    assert f(1.0, 2.0) == [3.0, 0.5]
    assert f(1.0, z=7.0) == [11.0, 7.0]
    assert f(1.0) == [11.0, 0.5]
    with pytest.raises(TypeError):
        function([In(x, value="text", strict=True)], [x])


def test_filter_inplace_is_asked_instead_of_filter():
    calls = []

    class Inplace(type(double)):
        def filter_inplace(self, value, storage, strict=False,
                           allow_downcast=None):
            calls.append((value, storage))
            return float(value)

    x = Inplace()("x")
    f = function([x], [x])
    assert f("1.5") == [1.5]
    assert calls == [("1.5", None)]


def test_outputs_may_be_anything(xyz):
    x, y, _ = xyz
    five = clinch.constant(5.0)
    f = function([x, y], [x, five, x + y, x + y, x, five])
    assert f(1.0, 2.0) == [1.0, 5.0, 3.0, 3.0, 1.0, 5.0]
    assert function([x, y], five)(1.0, 2.0) == 5.0
    assert function([x, y], y)(1.0, 2.0) == 2.0
    assert function([x], [])(1.0) == []
    assert function([], five)() == 5.0
    twice = x + y
    assert function([x, y], [twice, twice])(1.0, 2.0) == [3.0, 3.0]


def test_an_input_inside_the_graph(xyz):
    x, y, z = xyz
    inner = x + y
    f = function([inner, z], inner * z)
    assert f(2.0, 3.0) == 6.0
    assert function([x, inner], inner + x)(1.0, 10.0) == 11.0


def test_any_object_with_the_hooks_will_do():
    class Plain:
        """No base class of ours."""

        def filter(self, value, strict=False, allow_downcast=None):
            return float(value)

        def c_declare(self, name, sub):
            return f"double {name};"

        def c_init(self, name, sub, **kwargs):
            return f"{name} = 0;"

        def c_extract(self, name, sub, **kwargs):
            assert kwargs == {"check_input": True}
            return f"{name} = PyFloat_AsDouble(py_{name});"

        def c_sync(self, name, sub):
            return (f"Py_XDECREF(py_{name}); "
                    f"py_{name} = PyFloat_FromDouble({name});")

        def c_headers(self, c_compiler):
            return ["<math.h>"]

    class PlainVariable:
        def __init__(self, type, name=None):
            self.type, self.name, self.owner = type, name, None

    class Root:
        def c_code(self, node, name, inputs, outputs, sub):
            assert node.op is self
            return f"{outputs[0]} = sqrt({inputs[0]});"

    class Node:
        def __init__(self, op, inputs, outputs):
            self.op, self.inputs, self.outputs = op, inputs, outputs
            for output in outputs:
                output.owner = self

    plain = Plain()
    x, y = PlainVariable(plain, "x"), PlainVariable(plain)
    Node(Root(), [x], [y])
    for form in ("struct", "function"):
        assert function([x], y, mode=Mode(form=form))(16) == 4.0


@pytest.mark.parametrize("name, values, result", [
    ("__sub__", (5, 3), 2.0), ("__truediv__", (5, 2), 2.5),
    ("__pow__", (2, 3), 8.0), ("__mod__", (7, 4), 3.0),
    ("__floordiv__", (7, 2), 3.0)])
def test_operators(xyz, name, values, result):
    x, y, _ = xyz
    a, b = values
    expression = getattr(x, name)(y)
    assert function([x, y], expression)(a, b) == result
    mixed = getattr(x, name)(b)
    assert function([x], mixed)(a) == result
    reverse = getattr(x, name.replace("__", "__r", 1))(b)
    assert function([x], reverse)(a) == getattr(float(b), name)(float(a))


def test_comparisons_and_unary(xyz):
    x, y, _ = xyz
    f = function([x, y], [x < y, x >= y, -x, abs(x)])
    assert f(-1.0, 2.0) == [True, False, 1.0, 1.0]
    with pytest.raises(TypeError):
        x + "text"


def test_a_large_graph(xyz):
    x = xyz[0]
    y = x
    for _ in range(5000):
        y = y + 1.0
    assert function([x], y, mode="fast")(0.5) == 5000.5


def test_all_names_leave_python_its_own(xyz):
    scope = {}
    exec("from clinch import *; from clinch.tensor import *", scope)
    assert not {n for n in scope if n in dir(builtins)} - {"__builtins__",
                                                           "compile"}
    x = xyz[0]
    f = function([x], [abs(x), pow(x, 2.0), round(x), math.floor(x)])
    assert f(-2.5) == [2.5, 6.25, -2.0, -3.0]
