"""DebugMode names what breaks its promises, and leaves the rest alone."""

import sys

import numpy
import pytest

import clinch
from clinch import (Apply, COp, DebugMode, DebugModeError, Scalar, TensorType,
                    deep_copy_op, double, function, generic, shape, shape_i)
from clinch.testing import TextOp
from theano_ops import Double, VectorTimesScalar, VectorTimesVector

vector = TensorType("float64", (None,))
scalar = TensorType("float64", ())

#: With PYTHONMALLOC=malloc, as under a sanitizer, Python counts no blocks.
needs_blocks = pytest.mark.skipif(not sys.getallocatedblocks(),
                                  reason="Python does not count its blocks")

ALLOCATE = """
if (!%(z)s || PyArray_DIMS(%(z)s)[0] != PyArray_DIMS(%(x)s)[0]) {
    Py_XDECREF(%(z)s);
    %(z)s = (PyArrayObject *)PyArray_EMPTY(1, PyArray_DIMS(%(x)s),
                                           NPY_DOUBLE, 0);
    if (!%(z)s)
        %(fail)s
}
"""
LOOP = """
for (npy_intp i = 0; i < PyArray_DIMS(%(x)s)[0]; i++)
    *(double *)PyArray_GETPTR1(%(z)s, i) =
        *(double *)PyArray_GETPTR1(%(x)s, i) + 1;
"""


class AddOne(COp):
    """Right in C and in Python."""

    __props__ = ()
    code = ALLOCATE + LOOP

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return self.code % dict(x=inputs[0], z=outputs[0], fail=sub["fail"])

    def perform(self, node, inputs, output_storage):
        output_storage[0][0] = inputs[0] + 1


class WrongInC(AddOne):
    code = ALLOCATE + LOOP.replace("+ 1", "+ 2")


class ChangesItsInput(AddOne):
    code = (ALLOCATE + LOOP
            + "*(double *)PyArray_GETPTR1(%(x)s, 0) = 99;")


class GivesItsInput(AddOne):
    code = ("Py_XDECREF(%(z)s); %(z)s = %(x)s; Py_INCREF(%(z)s);")

    def perform(self, node, inputs, output_storage):
        output_storage[0][0] = inputs[0].copy()


class Leaks(AddOne):
    code = ALLOCATE + LOOP + "Py_INCREF(%(x)s);"


class LeaksItsOutput(AddOne):
    code = ALLOCATE + LOOP + "Py_INCREF(%(z)s);"


class TrustsItsStorage(AddOne):
    """Takes whatever stands in its output for contiguous."""

    code = ALLOCATE + """
    for (npy_intp i = 0; i < PyArray_DIMS(%(x)s)[0]; i++)
        ((double *)PyArray_DATA(%(z)s))[i] =
            *(double *)PyArray_GETPTR1(%(x)s, i) + 1;
    """


def run(op, **checks):
    x = vector("x")
    f = function([x], op(x), mode=DebugMode(**checks) if checks
                 else "DebugMode")
    return f(numpy.arange(3.0))


@pytest.mark.parametrize("op, message", [
    (ChangesItsInput, "`ChangesItsInput.c_code`: input 0, a constant, was changed: "
     "array([0., 1., 2.]) became array([99.,  1.,  2.])"),
    (GivesItsInput, "`GivesItsInput.c_code`: output 0 shares memory with input 0, "
     "and neither view_map nor destroy_map says so: array([0., 1., 2.])"),
])
def test_what_is_done_to_a_constant_is_seen(op, message):
    f = function([], op()(clinch.constant(numpy.arange(3.0))), mode="DebugMode")
    with pytest.raises(DebugModeError) as error:
        f()
    assert message in str(error.value)


def test_what_is_right_passes():
    numpy.testing.assert_array_equal(run(AddOne()), [1.0, 2.0, 3.0])
    x, y = vector("x"), scalar("y")
    f = function([x, y], VectorTimesScalar()(VectorTimesVector()(x, x), y),
                 mode="DebugMode")
    numpy.testing.assert_array_equal(f(numpy.arange(4.0), 2.0),
                                     [0.0, 2.0, 8.0, 18.0])
    a, b = double("a"), double("b")
    assert function([a, b], (a + b) * b / a, mode="DebugMode")(2, 3) == 7.5


@pytest.mark.parametrize("op, check, message", [
    (WrongInC, "compare",
     "`WrongInC.c_code`: output 0 is array([2., 3., 4.]), and perform gives "
     "array([1., 2., 3.])"),
    (ChangesItsInput, "inputs",
     "`ChangesItsInput.c_code`: input 0 was changed and is not in "
     "destroy_map: array([0., 1., 2.]) became array([99.,  1.,  2.])"),
    (GivesItsInput, "aliases",
     "`GivesItsInput.c_code`: output 0 shares memory with input 0, and "
     "neither view_map nor destroy_map says so: array([0., 1., 2.])"),
    (Leaks, "references",
     "`Leaks.c_code`: each run changes the reference count of input 0 by +1: "
     "array([0., 1., 2.])"),
    pytest.param(
        LeaksItsOutput, "references",
        "`LeaksItsOutput.c_code`: each run leaves 1 reference too many to "
        "output 0", marks=needs_blocks),
    (TrustsItsStorage, "storage",
     "`TrustsItsStorage.c_code`: output 0 is "),
])
def test_what_is_wrong_is_named(op, check, message):
    with pytest.raises(DebugModeError) as error:
        run(op())
    assert str(error.value).startswith(
        f"apply 1 of 1, `{op.__name__}(x)`: {message}")
    assert error.value.node.op == op()
    assert error.value.hook == "c_code"
    # Each check stands alone: without it nobody minds.
    rest = dict(compare=False, inputs=False, aliases=False, references=False,
                storage=False)
    run(op(), **rest)
    with pytest.raises(DebugModeError):
        run(op(), **{**rest, check: True})


class TwoOutputs(AddOne):
    """The second output trusts what stands in its cell."""

    def make_node(self, x):
        return Apply(self, [x], [x.type(), x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        good, bad = outputs
        return (AddOne.code % dict(x=inputs[0], z=good, fail=sub["fail"])
                + TrustsItsStorage.code % dict(x=inputs[0], z=bad,
                                               fail=sub["fail"]))

    def perform(self, node, inputs, output_storage):
        for cell in output_storage:
            cell[0] = inputs[0] + 1


class RightTwice(TwoOutputs):
    def c_code(self, node, name, inputs, outputs, sub):
        return "".join(AddOne.code % dict(x=inputs[0], z=z, fail=sub["fail"])
                       for z in outputs)


FRESH = "Py_XDECREF({z}); {z} = PyList_New(0);"


def collects(text):
    """An Op for a list of its input; the text says what becomes of that in the cell."""
    return TextOp(text + """
        if (!{z} || PyList_Append({z}, {x}) < 0)
            {fail}""", generic, perform=lambda x: [x])


class Celsius(Double):
    """A Type of an author, whose outputs are read from their cells."""

    def c_is_simple(self):
        return False


class AddsUp(TextOp):
    """Adds to what `start` leaves in its output."""

    def __init__(self, start):
        super().__init__(start + " {z} += {x};", perform=lambda x: x)


def storage_finding(x, op, value):
    f = function([x], op(x), mode=DebugMode())
    with pytest.raises(DebugModeError) as error:
        f(value)
    assert error.value.hook == "c_code" and error.value.node.op == op
    assert function([x], op(x), mode=DebugMode(storage=False))(value) is not None
    return error.value


def test_storage_of_each_output():
    error = storage_finding(vector("x"), TwoOutputs(), numpy.arange(3.0))
    assert str(error).startswith(
        "apply 1 of 1, `TwoOutputs(x)`: `TwoOutputs.c_code`: output 1 is ")
    assert " in the cell of output 1 gives array([1., 2., 3.])" in str(error)
    x = vector("x")
    first, second = function([x], RightTwice()(x), mode="DebugMode")(
        numpy.arange(3.0))
    assert first.tolist() == second.tolist() == [1.0, 2.0, 3.0]


def test_storage_that_is_any_object():
    """An Op that appends to what it finds: right once, wrong ever after."""
    x = generic("x")
    right = collects(FRESH)
    assert function([x], right(x), mode="DebugMode")("item") == ["item"]
    error = storage_finding(x, collects(
        "if (!{z} || !PyList_Check({z})) { " + FRESH + " }"), "item")
    assert str(error).endswith(
        "output 0 is ['item', 'item'], and a run without the output of another "
        "run, ['item'], in the cell of output 0 gives ['item']")
    assert error.value == ["item", "item"]
    error = storage_finding(x, collects("if ({z} == Py_None || !{z}) { "
                                        + FRESH + " }"), "item")
    assert "fails when the cell of output 0 holds an object of another class: " \
        "SystemError(" in str(error)
    assert repr(error.value) == "a Stranger"


def test_storage_of_numbers():
    x = Celsius()("x")
    assert function([x], AddsUp("{z} = 0;")(x), mode="DebugMode")(2.5) == 2.5
    error = storage_finding(x, AddsUp(""), 2.5)
    assert str(error).endswith(
        "`AddsUp.c_code`: output 0 is 3.5, and a run without another number, "
        "1.0, in the cell of output 0 gives 2.5")
    assert error.value == 3.5
    # What lives on the stack never sees its cell.
    y = double("y")
    assert function([y], AddsUp("")(y), mode="DebugMode")(2.5) == 2.5
    s = Scalar("int8")("s")
    assert function([s], AddsUp("")(s), mode="DebugMode")(numpy.int8(3)) == 3


def test_storage_that_is_no_value_of_the_type():
    """A length that the Type names is there in every array that it meets."""
    x = TensorType("float64", (3,))("x")
    assert function([x], AddOne()(x), mode="DebugMode")(
        numpy.zeros(3)).tolist() == [1.0] * 3


@pytest.mark.parametrize("array", [
    numpy.zeros((0, 3)), numpy.ones((2, 2)), numpy.asfortranarray(
        numpy.arange(6.0).reshape(2, 3)), numpy.array(2.5).reshape(1, 1)])
def test_storage_of_shipped_ops(array):
    x = TensorType("float64", (None, None))("x")
    f = function([x], [deep_copy_op(x), shape(x), shape_i(x, 1)],
                 mode="DebugMode")
    copied, lengths, width = f(array)
    assert copied.tolist() == array.tolist()
    assert (lengths.tolist(), int(width)) == ([*array.shape], array.shape[1])


class Gives(TextOp):
    """Any object for any object, by C text."""

    def __init__(self, code, support=""):
        super().__init__(code + "\nif (!{z}) {fail}", generic, support=support)


def leak_finding(op, value="item"):
    x = generic("x")
    f = function([x], op(x), mode="DebugMode")
    with pytest.raises(DebugModeError) as error:
        f(value)
    assert error.value.node.op == op and error.value.hook == "c_code"
    quiet = function([x], op(x), mode=DebugMode(references=False))
    assert quiet(value) is not None
    head, _, message = str(error.value).partition("`Gives.c_code`: ")
    assert head.startswith("apply 1 of 1, ")
    return message


NEW = "Py_XDECREF({{z}}); {{z}} = {};".format


@needs_blocks
@pytest.mark.parametrize("made", [
    "PyList_New(0)", "PyLong_FromLong(1234567)", "PyFloat_FromDouble(2.5)",
    'PyUnicode_FromFormat("%zd", (Py_ssize_t)1234567)'])
def test_an_output_of_any_class_that_leaks(made):
    assert leak_finding(Gives(NEW(made) + "Py_XINCREF({z});")) == (
        "each run leaves 1 reference too many to output 0")
    x = generic("x")
    f = function([x], Gives(NEW(made))(x), mode="DebugMode")
    assert f("item") is not None


@needs_blocks
@pytest.mark.parametrize("code, blocks", [
    (NEW("PyLong_FromLong(3)") + "PyFloat_FromDouble(2.5);", "1 block"),
    (NEW("PyList_New(0)") + "PyList_New(1);", "2 blocks"),
    ("{z} = PyList_New(0);", "1 block")])  # The one in the cell is lost.
def test_an_object_that_is_never_released(code, blocks):
    assert leak_finding(Gives(code)) == (
        f"each run leaves {blocks} of Python's memory behind: something that "
        f"it made is never released")


@pytest.mark.parametrize("value", [["item"], "item", 3, (), None, 10 ** 20])
def test_an_input_of_any_class(value):
    x = generic("x")
    give = NEW("PyList_New(0)")
    assert function([x], Gives(give)(x), mode="DebugMode")(value) == []
    if sys.getrefcount(value) < 1 << 29:  # Not immortal.
        assert leak_finding(Gives(give + "Py_INCREF({x});"), value) == (
            f"each run changes the reference count of input 0 by +1: {value!r}")


def test_a_constant_that_leaks():
    f = function([], Leaks()(clinch.constant(numpy.arange(3.0))),
                 mode="DebugMode")
    with pytest.raises(DebugModeError) as error:
        f()
    assert str(error.value).endswith(
        "each run changes the reference count of input 0 by +1: "
        "array([0., 1., 2.])")


KEPT = "static PyObject *kept; static long n;"


@pytest.mark.parametrize("code", [
    # One object for ever; the one of the last run; the last input.
    "if (!kept) kept = PyList_New(0); Py_XINCREF(kept);" + NEW("kept"),
    NEW("PyList_New(0)") + "Py_XINCREF({z}); Py_XSETREF(kept, {z});",
    "Py_INCREF({x}); Py_XSETREF(kept, {x});" + NEW("PyList_New(0)"),
    # The results of the first hundred runs; what the collector frees.
    "if (!kept) kept = PyList_New(0);" + NEW("PyFloat_FromDouble(2.5)")
    + "if (n++ < 100) PyList_Append(kept, {z});",
    NEW("PyList_New(0)") + "PyObject *own = PyList_New(0); "
    "PyList_Append(own, own); Py_DECREF(own);",
    # What Python itself keeps: the names of attributes.
    NEW("PyList_New(0)") + 'Py_XDECREF(PyObject_CallMethod({z}, "copy", NULL));',
    # None, a small number, a truth.
    NEW("Py_NewRef(Py_None)"), NEW("PyLong_FromLong(5)"),
    NEW("PyBool_FromLong(1)")])
def test_what_is_kept_is_no_leak(code):
    x = generic("x")
    f = function([x], Gives(code, KEPT)(x), mode="DebugMode")
    for _ in range(3):
        f("item")


def test_the_input_that_leaks_is_numbered():
    class Second(Gives):
        def make_node(self, *inputs):
            return Apply(self, list(inputs), [generic()])

        def c_code(self, node, name, inputs, outputs, sub):
            return super().c_code(node, name, inputs[1:], outputs, sub)

    a, b = generic("a"), generic("b")
    f = function([a, b], Second(NEW("PyList_New(0)") + "Py_INCREF({x});")(a, b),
                 mode="DebugMode")
    with pytest.raises(DebugModeError) as error:
        f(["first"], ["second"])
    assert str(error.value).endswith("`Second.c_code`: each run changes the "
                                     "reference count of input 1 by +1: "
                                     "['second']")


def test_a_type_that_leaks_is_named():
    class Leaky(Double):
        def c_extract(self, name, sub, check_input=True):
            return (super().c_extract(name, sub)
                    + f"Py_INCREF(py_{name});")

    x = Leaky()("x")
    with pytest.raises(DebugModeError) as error:
        function([x], AddsUp("{z} = 0;")(x), mode="DebugMode")(2.5)
    assert str(error.value) == (
        "apply 1 of 1, `AddsUp(x)`: the hooks of `Leaky`, "
        "c_extract, c_sync or c_cleanup: each run changes the reference count "
        "of input 0 by +1: 2.5")
    assert error.value.hook == "c_extract"


class Pair(clinch.Type):
    """Two numbers, in C an array."""

    def filter(self, value, strict=False, allow_downcast=None):
        return (float(value[0]), float(value[1]))

    def c_declare(self, name, sub, check_input=True):
        return f"double {name}[2];"

    def c_init(self, name, sub):
        return f"{name}[0] = {name}[1] = 0;"

    def c_extract(self, name, sub, check_input=True):
        return f'if (!PyArg_ParseTuple(py_{name}, "dd", {name}, {name} + 1)) {sub["fail"]}'

    def c_sync(self, name, sub):
        return (f"Py_XDECREF(py_{name});"
                f'py_{name} = Py_BuildValue("(dd)", {name}[0], {name}[1]);')


class LeaksInSync(Pair):
    def c_sync(self, name, sub):
        return super().c_sync(name, sub).partition(";")[2]


class SetsNothing(Pair):
    def c_sync(self, name, sub):
        return ""


class Swap(COp):
    __props__ = ()

    def make_node(self, a):
        return Apply(self, [a], [a.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return "{z}[0] = {x}[1]; {z}[1] = {x}[0];".format(x=inputs[0], z=outputs[0])

    def perform(self, node, inputs, output_storage):
        output_storage[0][0] = inputs[0][::-1]


class SwapOnlyInC(Swap):
    perform = None


@pytest.mark.parametrize("op", [Swap, SwapOnlyInC])
@pytest.mark.parametrize("kind, message", [
    pytest.param(LeaksInSync, "the hooks of `LeaksInSync`, c_extract, c_sync or c_cleanup: "
                 "each run leaves 3 blocks of Python's memory behind: something that it "
                 "made is never released", marks=needs_blocks),
    (SetsNothing, "`OP.c_code` or `SetsNothing.c_sync`: output 0 is no valid value of "
     "SetsNothing: None"), (Pair, None)])
def test_what_a_types_sync_does_is_not_the_ops(op, kind, message):
    p = kind()("p")
    f = function([p], op()(p), mode="DebugMode")
    if message is None:
        assert f((1, 2)) == (2, 1)
        return
    with pytest.raises(DebugModeError) as error:
        f((1, 2))
    assert str(error.value) == (f"apply 1 of 1, `{op.__name__}(p)`: "
                                + message.replace("OP", op.__name__))


RAISES = 'PyErr_SetString(PyExc_ValueError, "mine"); {fail}'


def test_c_that_raises_where_perform_gives_a_value():
    x = double("x")
    op = TextOp(RAISES, perform=lambda value: value + 1)
    with pytest.raises(DebugModeError) as error:
        function([x], op(x), mode="DebugMode")(2.0)
    assert str(error.value) == (
        "apply 1 of 1, `TextOp(x)`: `TextOp.c_code` for `node_3`: raised "
        "ValueError('mine'), and perform gives 3.0")
    assert error.value.node.op == op and error.value.hook == "c_code"
    assert repr(error.value.value) == "ValueError('mine')"
    with pytest.raises(ValueError, match="(?m)^mine$"):
        function([x], op(x), mode=DebugMode(compare=False))(2.0)


def refuses(value):
    raise ValueError("mine")


@pytest.mark.parametrize("perform", [None, refuses])
def test_an_error_that_perform_does_not_gainsay_is_the_ops(perform):
    x = double("x")
    f = function([x], TextOp(RAISES, perform=perform)(x), mode="DebugMode")
    with pytest.raises(ValueError, match="(?m)^mine$"):
        f(2.0)


class Forgets(TextOp):
    """Sets an exception and goes on; `says` is the Op's own `fail`, or none."""

    def __init__(self, says=""):
        super().__init__('PyErr_SetString(PyExc_ValueError, "mine"); '
                         f"{says} {{z}} = {{x}};")


class SyncsWithPython(Double):
    """Its c_sync calls Python, which minds an exception that is pending."""

    def c_sync(self, name, sub):
        return f"""
        PyObject *fresh_{name} = PyObject_CallFunction(
            (PyObject *)&PyFloat_Type, "d", {name});
        if (fresh_{name}) {{
            Py_XDECREF(py_{name});
            py_{name} = fresh_{name};
        }}
        """


@pytest.mark.parametrize("variable_type", [double, SyncsWithPython()])
def test_a_forgotten_fail_is_named(variable_type):
    x = variable_type("x")
    middle = Forgets()(x)
    f = function([x], AddsUp("{z} = 0;")(middle), mode="DebugMode")
    with pytest.raises(DebugModeError) as error:
        f(1.0)
    assert str(error.value) == (
        "apply 1 of 2, `Forgets(x)`: `Forgets.c_code` for `node_3`:"
        " set an exception and went on without `fail`: ValueError('mine')")
    assert error.value.hook == "c_code" and error.value.node is middle.owner
    assert str(error.value.value) == "mine"
    # Without DebugMode the exception is still the author's own.
    plain = function([x], Forgets()(x))
    with pytest.raises(ValueError) as error:
        plain(1.0)
    assert str(error.value) == "mine" and error.value.__notes__ == [
        "Clinch: this exception was pending after a run that reported no "
        'failure; some block set it without `fail`. mode="DebugMode" says '
        "which."]
    failing = function([x], Forgets("{fail}")(x), mode="DebugMode")
    with pytest.raises(ValueError, match=r"^mine(\n|$)"):
        failing(1.0)


def test_modes_that_are_none():
    x = vector("x")
    with pytest.raises(ValueError, match="there is no mode 'Quick'"):
        function([x], AddOne()(x), mode="Quick")
    with pytest.raises(TypeError, match="a mode is a name or a Mode, not an? int"):
        function([x], AddOne()(x), mode=3)
