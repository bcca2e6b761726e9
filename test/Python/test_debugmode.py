"""DebugMode names what breaks its promises, and leaves the rest alone."""

import numpy
import pytest

from clinch import (Apply, COp, DebugMode, DebugModeError, TensorType, double,
                    function)
from seed_ops import VectorTimesScalar, VectorTimesVector

vector = TensorType("float64", (None,))
scalar = TensorType("float64", ())

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
    (LeaksItsOutput, "references",
     "`LeaksItsOutput.c_code`: each run leaves 1 reference too many to "
     "output 0"),
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


def test_modes_that_are_none():
    x = vector("x")
    with pytest.raises(ValueError, match="there is no mode 'Quick'"):
        function([x], AddOne()(x), mode="Quick")
    with pytest.raises(TypeError, match="a mode is a name or a DebugMode"):
        function([x], AddOne()(x), mode=3)
