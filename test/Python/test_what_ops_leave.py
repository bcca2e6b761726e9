"""What an Op leaves in its outputs is looked at before anything uses it."""

import re
import sys

import numpy as np
import pytest

from clinch import Apply, COp, Generic, Mode, Op, TensorType, function, vector
from clinch.testing import Number
from ways import each_way

VECTOR = TensorType("float64", (None,))


def leaving(code, out=VECTOR, name="y"):
    """Returns an Op of a vector whose `c_code` is `code`."""
    class Leaves(COp):
        def make_node(self, x):
            return Apply(self, [x], [out(name)])

        def c_headers(self, c_compiler=None):
            return ["<numpy/arrayobject.h>"]

        def c_code(self, node, name, inputs, outputs, sub):
            return code.format(x=inputs[0], y=outputs[0], fail=sub["fail"])
    return Leaves()


NEW = """npy_intp shape[3] = {{3, 1, 1}};
Py_XDECREF({y});
{y} = (PyArrayObject *)PyArray_ZEROS(%s, shape, %s, 0);
if (!{y}) {fail}"""
UNALIGNED = """npy_intp shape[1] = {{3}}, strides[1] = {{8}};
static char bytes[33];
Py_XDECREF({y});
{y} = (PyArrayObject *)PyArray_New(&PyArray_Type, 1, shape, NPY_FLOAT64, strides,
                                   bytes + 1, 8, NPY_ARRAY_WRITEABLE, NULL);
if (!{y}) {fail}"""
SWAPPED = """npy_intp shape[1] = {{3}};
PyArray_Descr *swapped = PyArray_DescrNewByteorder(
    PyArray_DescrFromType(NPY_FLOAT64), NPY_SWAP);
Py_XDECREF({y});
{y} = (PyArrayObject *)PyArray_Zeros(1, shape, swapped, 0);
if (!{y}) {fail}"""


def unnamed(error):
    """The message, with the name for one that code shared by applies has."""
    return re.sub(r"\(`V\d+`\)", "(`y`)", str(error))


MUST = "`Leaves.c_code` must set output 1 (`y`) to "
WANTED = MUST + "an array of float64 with 1 dimension; it left "
WRONG = {
    "dtype": (NEW % (1, "NPY_FLOAT32"), "an array of float32 with shape (3,)"),
    "dimensions": (NEW % (2, "NPY_FLOAT64"),
                   "an array of float64 with shape (3, 1)"),
    "nothing": ("(void){x}; Py_CLEAR({y});", "NULL"),
    "alignment": (UNALIGNED,
                  "an array of float64 with shape (3,), not aligned in memory"),
    "byte order": (SWAPPED, "an array of >f8 with shape (3,)"),
}


@each_way
@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_array_is_an_error_that_names_the_op(what, way):
    code, found = WRONG[what]
    x = vector("x")
    y = leaving(code)(x)
    for outputs in (y, y + x, [y, x * 2]):
        f = function([x], outputs, Mode(**way))
        for _ in range(2):
            with pytest.raises(TypeError) as caught:
                f([1.0, 2.0, 3.0])
            assert unnamed(caught.value) == WANTED + found
            assert "`Leaves.c_code` for `node_" in caught.value.__notes__[0]


@each_way
def test_a_right_array_is_none(way):
    x = vector("x")
    f = function([x], leaving(NEW % (1, "NPY_FLOAT64"))(x) + x, Mode(**way))
    assert f([1.0, 2.0, 3.0]).tolist() == [1.0, 2.0, 3.0]


def test_another_number_of_the_same_dtype_is_right():
    x = vector("x")
    y = leaving(NEW % (1, "NPY_LONGLONG"), TensorType("int64", (None,)))(x)
    assert function([x], y)([1.0]).tolist() == [0, 0, 0]


def test_static_lengths_and_contiguity():
    x = vector("x")
    y = leaving(NEW % (1, "NPY_FLOAT64"), TensorType("float64", (4,)))(x)
    with pytest.raises(TypeError) as caught:
        function([x], y)([1.0])
    assert str(caught.value) == (
        MUST + "an array of float64 with 1 dimension, length 4 in dimension 0; it "
        "left an array of float64 with shape (3,)")


def test_a_pending_exception_is_the_one_that_is_raised():
    x = vector("x")
    y = leaving('Py_CLEAR({y}); PyErr_SetString(PyExc_KeyError, "mine");')(x)
    with pytest.raises(KeyError, match="mine"):
        function([x], y)([1.0])


@each_way
def test_a_wrong_array_is_not_given_to_the_next_run(way):
    spoils = NEW % (1, "{x}[0] < 0 ? NPY_FLOAT32 : NPY_FLOAT64")
    code = """if ({y} && PyArray_TYPE({y}) != NPY_FLOAT64) {{
        PyErr_SetString(PyExc_SystemError, "the wrong one is here");
        {fail}
    }}\n""" + spoils.replace("{x}[0]", "*(double *)PyArray_DATA({x})")
    x = vector("x")
    f = function([x], leaving(code)(x) + x, Mode(**way))
    for _ in range(2):
        with pytest.raises(TypeError):
            f([-1.0, 2.0, 3.0])
        assert f([1.0, 2.0, 3.0]).tolist() == [1.0, 2.0, 3.0]


def test_nothing_is_lost():
    x = vector("x")
    values = np.ones(3)
    f = function([x], [leaving(NEW % (1, "NPY_FLOAT32"))(x), x * 2])

    def fail(times):
        for _ in range(times):
            try:  # What pytest.raises keeps is not to be counted.
                f(values)
            except TypeError:
                continue
            pytest.fail("no error")
    fail(10)  # What Python keeps of the first ones, such as lines of this file.
    before = sys.getrefcount(values), sys.getallocatedblocks()
    fail(1000)
    assert sys.getrefcount(values) == before[0]
    assert sys.getallocatedblocks() < before[1] + 500


def test_an_object_that_was_never_set():
    x = vector("x")
    y = leaving("(void){x};", Generic())(x)
    for linker in ("graph", "op"):
        with pytest.raises(TypeError) as caught:
            function([x], y, mode=Mode(linker=linker))([1.0])
        assert unnamed(caught.value) == MUST + "an object; it left NULL"


def test_ops_of_the_package_are_not_looked_at():
    x = vector("x")
    text = function([x], [np.tanh(x).sum(), x[1:], x @ x, np.concatenate([x, x])])
    assert "clinch_wrong_output" not in text.emit("c")
    assert "clinch_wrong_output" in function([x], leaving("")(x)).emit("c")


class Returns(Op):
    """Puts `values` into its storage, and returns what `perform` must not."""

    def __init__(self, returned=None, *values, out=VECTOR):
        self.returned, self.values, self.out = returned, values, out

    def make_node(self, x):
        return Apply(self, [x], [self.out("y")])

    def perform(self, node, inputs, storage):
        for cell, value in zip(storage, self.values):
            cell[0] = value
        return self.returned


@pytest.mark.parametrize("op, message", [
    (Returns(2.0), "it left None; what it returned, a float, is not used: put it "
     "into `output_storage[0][0]`"),
    (Returns(), "it left None"),
    (Returns(None, np.ones(3, "float32")),
     "it left an array of float32 with shape (3,)"),
    (Returns(None, 1.5), "it left a float"),
])
def test_perform(op, message):
    x = vector("x")
    for outputs, linker in ((op(x), "op"), (op(x) + x, "auto")):
        with pytest.raises(TypeError) as caught:
            function([x], outputs, mode=Mode(linker=linker))([1.0, 2.0, 3.0])
        assert str(caught.value) == (
            f"`Returns.perform` must set output 1 (`y`) to a value of {VECTOR}; "
            f"{message}")
        assert caught.value.__notes__[0].startswith(
            "Clinch: `Returns.perform` failed.")


def test_perform_may_leave_numpys_number_for_an_array_of_none():
    x = vector("x")
    f = function([x], Returns(None, np.float64(4), out=TensorType("float64", ()))(x))
    assert f([1.0]).shape == () and f([1.0]) == 4.0


class Forgetful(Number):
    """Its `c_sync` leaves NULL for a negative number."""

    raises = True

    def c_sync(self, name, sub):
        error = "PyErr_NoMemory();" if self.raises else ""
        return (f"Py_XDECREF(py_{name}); py_{name} = NULL;\n"
                f"if ({name} < 0) {{ {error} }}\n"
                f"else py_{name} = PyFloat_FromDouble({name});")


class Silent(Forgetful):
    raises = False


class Same(COp):
    def make_node(self, x):
        return Apply(self, [x], [x.type("z")])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]};"


@each_way
@pytest.mark.parametrize("made, error, message", [
    (Forgetful, MemoryError, ""),
    (Silent, RuntimeError, "left `py_V"),
])
def test_a_sync_that_leaves_null_fails(way, made, error, message):
    x = made()("x")
    f = function([x], [Same()(x), Same()(Same()(x))], Mode(**way))
    assert f(2.0) == [2.0, 2.0]
    for _ in range(3):
        with pytest.raises(error) as caught:
            f(-1.0)
        assert message in str(caught.value)
        assert "`Silent.c_sync` for `" in str(caught.value) or not message
        assert f(3.0) == [3.0, 3.0]


def test_a_sync_before_code_that_names_the_object():
    class Named(Same):
        def c_code(self, node, name, inputs, outputs, sub):
            return f"{outputs[0]} = PyFloat_AsDouble(py_{inputs[0]});"
    x = Forgetful()("x")
    f = function([x], Named()(Same()(x)))
    with pytest.raises(MemoryError):
        f(-1.0)
    assert f(2.0) == 2.0
