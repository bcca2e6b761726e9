"""Calling compiled graphs: arguments, results, what is refused."""

import struct
import sys

import pytest

import clinch

from clinch import add, double, function, mul


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
        "9007199254740993 (a int) is no float without a loss; "
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
    f = function([x, y, z], (x + y) * z, tier="fast", form="function")
    stats = f.stats
    assert (stats["tier"], stats["form"], stats["linker"],
            stats["language"]) == ("fast", "function", "graph", "c")
    assert (stats["cache"], stats["cache_from"]) in (
        ("miss", None), ("hit", "memory"), ("hit", "disk"))
    assert stats["stages"][0]["name"] == "assemble"
    assert all(stage["ms"] >= 0 for stage in stats["stages"])
    again = function([x, y, z], (x + y) * z, tier="fast", form="function")
    assert again.stats["cache_from"] == "memory"
    assert again.key == f.key


def test_the_quick_way_and_the_cells_agree(xyz):
    x, y, z = xyz
    graph = clinch.sin(x * y) - clinch.exp(z) / 3.0 + clinch.minimum(x, z)
    quick = function([x, y, z], graph)
    assert "clinch_quick" in quick.emit("c")
    cells = function([x, y, z], [graph])  # A list has no quick way.
    for values in [(1.0, 2.0, 3.0), (float("inf"), 0.0, -1.0),
                   (float("nan"), 1.0, 1.0), (-0.0, 5.0, 1e308)]:
        a, (b,) = quick(*values), cells(*values)
        assert struct.pack("d", a) == struct.pack("d", b)
    assert quick(1, 2, 3) == quick(1.0, 2.0, 3.0)


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
