"""What a failing run says, and what it leaves alone."""

import numpy
import pytest

import clinch
from clinch import Apply, Mode, TensorType, Type, double, function, generic
from failing_ops import Text, call, notes
from theano_ops import Double, VectorTimesScalar, VectorTimesVector

vector = TensorType("float64", (None,))
scalar = TensorType("float64", ())


def test_the_exception_arrives_whole_with_a_note():
    def fails():
        raise KeyError("mine")

    x = generic("x")
    f = function([x], call(x))
    assert f(lambda: 42) == 42
    with pytest.raises(KeyError) as error:
        f(fails)
    assert error.value.args == ("mine",)
    assert error.traceback[-1].name == "fails"
    lines = notes(error).splitlines()
    assert lines[0] == ("Clinch: block 3, `TextOp.c_code` for `node_3`, apply 1 "
                        "of 1, failed.")
    assert lines[1] == "  argument 1 `x`: Generic, a `function`"
    assert lines[2].startswith(f"  made at {__file__}:")
    assert lines[2].endswith(" in test_the_exception_arrives_whole_with_a_note")
    assert f(list) == []


def test_shapes_and_strides_of_the_arguments():
    x, y = vector("x"), vector("y")
    f = function([x, y], VectorTimesVector()(x, y))
    with pytest.raises(ValueError) as error:
        f(numpy.ones(4)[::2], numpy.ones(3))
    lines = notes(error).splitlines()
    assert lines[1:3] == [
        "  argument 1 `x`: TensorType(float64, (None,)), a `numpy.ndarray`, "
        "dtype float64, shape (2,), strides (16,)",
        "  argument 2 `y`: TensorType(float64, (None,)), a `numpy.ndarray`, "
        "dtype float64, shape (3,), strides (8,)"]


def test_a_failing_extract_names_its_input():
    real = Double()
    x, y = real("x"), real("y")
    f = function([x, y], x + y, trust_input=True)
    with pytest.raises(TypeError) as error:
        f(1.0, "two")
    assert str(error.value) == "expected a float"
    assert notes(error) == (
        "Clinch: block 2, `Double.c_extract` for `y`, input 2 (`y`), failed.\n"
        "  type: double, a `str` of value 'two'")


def test_a_block_that_fails_silently():
    x = double("x")
    f = function([x], Text("if ({x} > 0) {fail} {z} = {x};")(x))
    assert f(-1.0) == -1.0
    with pytest.raises(RuntimeError) as error:
        f(2.5)
    assert str(error.value) == ("block 3, `Text.c_code` for `node_3`, failed "
                                "without setting an exception")
    assert "argument 1 `x`: double, a `float` of value 2.5" in notes(error)


@pytest.mark.parametrize("form", ["struct", "function"])
def test_a_number_that_no_block_has(form):
    x = double("x")
    expected = "a block set `failure` to -1, and no block has that number; use `fail`"
    f = function([x], Text("{z} = {x}; failure = -1;")(x), mode=Mode(form=form))
    with pytest.raises(RuntimeError) as error:
        f(2.5)
    assert str(error.value) == expected
    assert not hasattr(error.value, "__notes__")
    f = function([x], Text("{z} = {x}; PyErr_SetNone(PyExc_KeyError); "
                           "failure = -1;")(x), mode=Mode(form=form))
    with pytest.raises(KeyError) as error:
        f(2.5)
    assert notes(error) == f"Clinch: {expected}."


def test_an_exception_left_pending():
    x = double("x")
    f = function([x], Text('PyErr_SetString(PyExc_OSError, "lost"); '
                           '{z} = {x};')(x))
    with pytest.raises(OSError) as error:
        f(1.0)
    assert str(error.value) == "lost"
    assert notes(error) == (
        "Clinch: this exception was pending after a run that reported no "
        "failure; some block set it without `fail`. mode=\"DebugMode\" says "
        "which.")


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("form", ["struct", "function"])
def test_outputs_of_the_call_before_are_unharmed(language, form):
    x, y = vector("x"), vector("y")
    f = function([x, y], VectorTimesVector()(x, y),
                 mode=Mode(language=language, form=form))
    first = f(numpy.arange(3.0), numpy.ones(3))
    kept = first.copy()
    held = {v: cell[0] for v, cell in f.cells.items()}
    with pytest.raises(ValueError):
        f(numpy.ones(3), numpy.ones(4))
    assert first.tolist() == kept.tolist()
    assert {v: cell[0] for v, cell in f.cells.items()} == held
    second = f(numpy.ones(3), numpy.ones(3))
    assert first.tolist() == kept.tolist() and second is not first


def test_storage_is_used_again_when_nobody_holds_it():
    x, y = vector("x"), scalar("y")
    f = function([x, y], VectorTimesScalar()(x, y))
    address = f(numpy.ones(1000), 2.0).ctypes.data
    assert f(numpy.ones(1000), 3.0).ctypes.data == address
    view = f(numpy.ones(1000), 4.0)[10:20]
    assert f(numpy.ones(1000), 5.0).ctypes.data != view.base.ctypes.data
    assert view.tolist() == [4.0] * 10


def test_a_c_plus_plus_exception():
    x = double("x")
    f = function([x], Text('if ({x} > 0) throw std::runtime_error("thrown"); '
                           '{z} = {x};', "c++")(x), mode=Mode(language="c++"))
    assert f(-1.0) == -1.0
    with pytest.raises(RuntimeError) as error:
        f(1.0)
    assert "thrown" in str(error.value)
    assert "`Text.c_code` for `node_3`" in str(error.value) + notes(error)
    assert f(-2.0) == -2.0


def test_the_struct_form_is_not_called_twice_at_once():
    x = generic("x")
    f = function([x], call(x))
    with pytest.raises(RuntimeError) as error:
        f(lambda: f(int))
    assert str(error.value).startswith(
        "this function is running already, and it keeps one state; ")
    with pytest.raises(RuntimeError, match="it keeps one state"):
        f.cells[x][0] = lambda: f.thunk()
        f.thunk()
    f.cells[x][0] = None
    assert f(int) == 0


def test_the_function_form_may_be_called_within_itself():
    x = generic("x")
    f = function([x], [call(x)], mode=Mode(form="function"))
    assert f(lambda: f(lambda: f(int))) == [[[0]]]
    assert f(list) == [[]]


def test_a_bare_thunk():
    x, y = double("x"), double("y")
    thunk = function([x, y], x + y).thunk
    by_variable = dict(zip(thunk.program.cells, thunk.cells))
    by_variable[x][0], by_variable[y][0] = 1.0, 2.0
    assert thunk() is None
    assert [cell[0] for cell in thunk.cells] == [1.0, 2.0, 3.0]
    assert thunk.failed is None
    by_variable[y][0] = "two"
    with pytest.raises(TypeError, match=r"^expected a float, not str(\n|$)"):
        thunk()
    assert thunk.cells[2][0] == 3.0  # On failure no cell changes.
    assert (thunk.failed["number"], thunk.failed["hook"],
            thunk.failed["of"]) == (2, "c_extract", y)
    with pytest.raises(TypeError, match="^a thunk takes no arguments; fill "):
        thunk(1.0)


class Boxed(Type):
    """An int, and no word of how an output's cell is read."""

    def filter(self, value, strict=False, allow_downcast=None):
        return value

    def c_declare(self, name, sub, check_input=True):
        return f"PyObject *{name};"

    def c_init(self, name, sub):
        return f"{name} = 0;"

    def c_extract(self, name, sub, check_input=True):
        return f"""
        {name} = NULL;
        if (!PyLong_Check(py_{name})) {{
            PyErr_SetString(PyExc_TypeError, "expected an int");
            {sub['fail']}
        }}
        {name} = Py_NewRef(py_{name});"""

    def c_sync(self, name, sub):
        return f"Py_SETREF(py_{name}, Py_NewRef({name}));"

    def c_cleanup(self, name, sub):
        return f"Py_XDECREF({name});"


class BoxedTwice(Boxed):
    def c_extract_out(self, name, sub, check_input=True):
        return (f"if (py_{name} == Py_None) {name} = 0; else "
                f"{{ {self.c_extract(name, sub)} }}")


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("cls, hook", [(Boxed, "c_extract"),
                                       (BoxedTwice, "c_extract_out")])
def test_a_note_names_the_hook_that_the_author_wrote(cls, hook, language):
    x = double("x")
    out = Apply(Text("Py_XSETREF({z}, PyLong_FromDouble({x}));"), [x],
                [cls()("out")]).outputs[0]
    f = function([x], out, mode=Mode(language=language))
    assert f(3.0) == 3
    f.cells[out][0] = []
    with pytest.raises(TypeError) as error:
        f(4.0)
    assert notes(error).splitlines()[0] == (
        f"Clinch: block 2, `{cls.__name__}.{hook}` for `out`, output 1 "
        "(`out`), failed.")
    assert [t["hook"] for t in f.tasks] == ["c_extract", "c_extract_out",
                                            "c_code"]
    assert f"label_2  `{cls.__name__}.{hook}` for `out`  " in f.emit("labels")


def test_a_variable_that_nobody_gives():
    x, y = double("x"), double("y")
    with pytest.raises(clinch.GraphError) as error:
        function([x], x + y)
    assert str(error.value) == (
        "`y` is neither an input, nor a constant, nor made by an Op; name it "
        "among the inputs of the function.")


def test_a_failing_c_init_code_struct():
    class Init(Text):
        def c_init_code_struct(self, node, name, sub):
            return ('PyErr_SetString(PyExc_OverflowError, "no init"); '
                    + sub["fail"])

    x = double("x")
    with pytest.raises(OverflowError) as error:
        function([x], Init("{z} = {x};")(x))
    assert str(error.value) == "no init"
    assert "`Init.c_init_code_struct`" in notes(error)


def test_wrong_arguments_of_function():
    x, y = double("x"), double("y")
    for arguments, kind, message in [
            ((x, x), TypeError, "the inputs of a function are a list of "
             "Variables, not a Variable"),
            (([1.0], x), TypeError, "input 1 of a function must be a "
             "Variable, not a float"),
            (([x], 1.0), TypeError, "output 1 of a function must be a "
             "Variable, not a float"),
            (([x, y, x], x), ValueError, "input 3 of a function, x, is an "
             "input already")]:
        with pytest.raises(kind) as error:
            function(*arguments)
        assert str(error.value) == message
    with pytest.raises(ValueError) as error:
        function([x], x + 1.0, mode="warp")
    assert str(error.value) == (
        "there is no mode 'warp'; there are the tiers, 'DebugMode', 'FAST_RUN', and "
        "Mode(...) for all else")
    with pytest.raises(ValueError) as error:
        Mode(tier="warp")
    assert str(error.value) == ("tier is one of 'fast', 'default', 'max'; "
                                "'warp' is none of them")
