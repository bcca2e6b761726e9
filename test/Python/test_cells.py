"""Cells that are no lists of one, or stop being so while a function runs."""

import sys

import pytest

import clinch
from clinch import Apply, Mode, double, function, generic
from clinch.testing import TextOp
from failing_ops import Text, call, notes


@pytest.mark.parametrize("spoil, found", [
    (lambda cell: cell.clear(), "a list of 0"),
    (lambda cell: cell.append(1), "a list of 2"),
])
def test_a_wrong_cell(spoil, found):
    x, y = double("x"), double("y")
    f = function([x, y], [x + y])
    cell = f.cells[y]
    good = list(cell)
    spoil(cell)
    with pytest.raises(TypeError) as error:
        f(1.0, 2.0)
    assert str(error.value) == (f"the cell of input 2 (`y`) must be a list of "
                                f"one item; it is {found}")
    cell[:] = good
    assert f(1.0, 2.0) == [3.0]


@pytest.mark.parametrize("form", ["struct", "function"])
@pytest.mark.parametrize("linker", ["graph", "op"])
@pytest.mark.parametrize("spoil", [list.clear, lambda cell: cell.append(1)])
def test_an_input_s_cell_spoilt_while_the_function_runs(spoil, form, linker):
    x = generic("x")
    f = function([x], [call(x)], mode=Mode(form=form, linker=linker))

    def spoils():
        spoil(f.cells[x])
        return 42

    assert f(spoils) == [42]
    with pytest.raises(TypeError, match="list of one item"):
        f(list)
    f.cells[x][:] = [None]
    assert f(list) == [[]]


class Calling(clinch.Generic):
    """Calls its value when it comes in."""

    def c_extract(self, name, sub, check_input=True):
        return f"""{name} = NULL;
        {name} = PyObject_CallNoArgs(py_{name});
        if (!{name})
          {sub["fail"]}
        """


#: Its second argument.
second = TextOp("Py_XSETREF({z}, Py_NewRef({y}));", generic)


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("form", ["struct", "function"])
@pytest.mark.parametrize("kind, op", [
    (generic, second), (double, Text("(void){x}; {z} = {y};"))])
@pytest.mark.parametrize("spoil", [list.clear, lambda cell: cell.append(1)])
def test_an_input_s_cell_spoilt_before_its_turn(language, form, kind, op,
                                                spoil):
    x, y = Calling()("x"), kind("y")
    f = function([x, y], op(x, y), mode=Mode(form=form, language=language))
    value = 1234.5
    before = sys.getrefcount(value)

    def spoils():
        spoil(f.cells[y])

    for _ in range(3):
        with pytest.raises(TypeError) as error:
            f(spoils, value)
        assert str(error.value) == (
            "the cell of input 2 (`y`) must be a list of one item; it is a "
            f"list of {len(f.cells[y])}")
        assert "block 2, `" in notes(error)
        del error
        f.cells[y][:] = [None]
        assert sys.getrefcount(value) == before
    assert f(list, value) == value


class Cleared:
    """Clears a cell when it goes."""

    def __init__(self, cell):
        self.cell = cell

    def __del__(self):
        self.cell.clear()


def test_an_output_s_cell_spoilt_by_a_finalizer():
    x = generic("x")
    for single in (True, False):
        out = call(x)
        f = function([x], out if single else [out])
        f.cells[out][0] = Cleared(f.cells[out])
        with pytest.raises(TypeError) as error:
            f(list)
        assert str(error.value) == ("the cell of an output was changed while "
                                    "the function ran")
        f.cells[out][:] = [None]
        assert f(list) == ([] if single else [[]])


class Seen(clinch.Generic):
    """A Type whose cleanup sees the Python object of its variable."""

    def c_cleanup(self, name, sub):
        return (f"if (py_{name} == Py_Ellipsis) puts(\"an ellipsis\");\n"
                f"Py_CLEAR({name});")


@pytest.mark.parametrize("form", ["struct", "function"])
@pytest.mark.parametrize("linker", ["graph", "op"])
@pytest.mark.parametrize("cls", [clinch.Generic, Seen])
@pytest.mark.parametrize("spoil", [list.clear, lambda cell: cell.append(1)])
def test_an_output_s_cell_spoilt_while_the_function_runs(form, linker, cls,
                                                         spoil):
    x = generic("x")
    first, second = (Apply(call, [x], [cls()()]).outputs[0]
                     for _ in range(2))
    f = function([x], [first, second], mode=Mode(form=form, linker=linker))
    value, old = object(), object()
    before = sys.getrefcount(value), sys.getrefcount(old)

    def spoils():
        spoil(f.cells[second])
        return value

    for _ in range(3):
        f.cells[second][:] = [old]
        with pytest.raises(TypeError) as error:
            f(spoils)
        assert str(error.value) == {
            "graph": "the cell of an output was changed while the function "
                     "ran",
            "op": "the cell of output 1 must be a list of one item; it is a "
                  f"list of {len(f.cells[second])}"}[linker]
        del error
        f.cells[first][0] = None
        f.cells[second][:] = [None]
        assert (sys.getrefcount(value), sys.getrefcount(old)) == before
    assert f(list) == [[], []]


def test_cells_that_are_no_lists():
    x = double("x")
    program = function([x], [x + 1.0]).thunk.program
    with pytest.raises(TypeError) as error:
        program.instantiate([(1.0,), [None]])
    assert str(error.value) == ("the cell of input 1 (`x`) must be a list of "
                                "one item; it is a `tuple`")
    with pytest.raises(ValueError, match="^this program has 2 cells, and 1 "):
        program.instantiate([[1.0]])
