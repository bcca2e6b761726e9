"""Values that are not what a function expects, or only just."""


import numpy
import pytest

import clinch
from clinch import Apply, COp, In, Mode, Scalar, TensorType, double, function
from theano_ops import (VectorTimesScalar)

vector = TensorType("float64", (None,))
scalar = TensorType("float64", ())


def times_two():
    x, y = vector("x"), scalar("y")
    return function([x, y], VectorTimesScalar()(x, y))


class Increment(COp):
    """Works in place."""

    __props__ = ()
    destroy_map = {0: [0]}

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        return f"""
        Py_XDECREF({z});
        {z} = {x};
        Py_INCREF({z});
        for (npy_intp i = 0; i < PyArray_DIMS({x})[0]; i++)
            *(double *)PyArray_GETPTR1({x}, i) += 1;
        """

    def perform(self, node, inputs, output_storage):
        inputs[0] += 1
        output_storage[0][0] = inputs[0]


@pytest.mark.parametrize("linker", ["graph", "op"])
def test_a_read_only_array_to_an_op_in_place(linker):
    x = vector("x")
    f = function([In(x, mutable=True)], Increment()(clinch.view_op(x)),
                 mode=Mode(linker=linker))
    array = numpy.zeros(3)
    assert f(array) is array and array.tolist() == [1.0] * 3
    array.flags.writeable = False
    with pytest.raises(ValueError) as error:
        f(array)
    assert str(error.value) == ("argument 1 (`x`) is read-only, and an Op of "
                                "this function works in place on it")
    assert array.tolist() == [1.0] * 3


def unaligned(values):
    raw = numpy.zeros(8 * len(values) + 1, "uint8")
    array = raw[1:].view("float64")
    array[:] = values
    assert not array.flags.aligned
    return array


class Subclass(numpy.ndarray):
    pass


@pytest.mark.parametrize("array", [
    numpy.arange(4.0).astype(">f8"), unaligned([0.0, 1.0, 2.0, 3.0]),
    numpy.arange(3.0, -1.0, -1.0)[::-1], numpy.arange(8.0)[::2] / 2,
    numpy.arange(4.0).view(Subclass), [0, 1, 2, 3], numpy.arange(4),
    numpy.arange(4, dtype="float32"), (0.0, 1.0, 2.0, 3.0),
], ids=["byte order", "misaligned", "negative strides", "strided", "subclass",
        "list", "int64", "float32", "tuple"])
def test_arrays_that_become_what_is_needed(array):
    result = times_two()(array, 2.0)
    assert result.tolist() == [0.0, 2.0, 4.0, 6.0]
    assert type(result) is numpy.ndarray and result.dtype == "float64"


@pytest.mark.parametrize("value, message", [
    (numpy.zeros((2, 2)), "expected 1 dimensions for TensorType(float64, "
     "(None,)), and found 2"),
    (3.0, "expected 1 dimensions for TensorType(float64, (None,)), and "
     "found 0"),
    (numpy.zeros((1,) * 32), "expected 1 dimensions for TensorType(float64, "
     "(None,)), and found 32"),
    (numpy.array(["a"]), "expected TensorType(float64, (None,)), not an array "
     "of <U1 with shape (1,)"),
    (["a"], "expected TensorType(float64, (None,)), not a list whose item [0] "
     "is 'a', a str"),
    (numpy.array([1 + 1j]), "the values of an array of complex128 with shape "
     "(1,) do not fit TensorType(float64, (None,)) without a loss; "
     "allow_downcast=True permits it"),
])
def test_arrays_that_do_not(value, message):
    f = times_two()
    with pytest.raises(TypeError) as error:
        f(value, 2.0)
    assert str(error.value) == message
    assert error.value.__notes__ == [
        "Clinch was filtering argument 1 (`x`) of function."]
    assert f([1.0], 2.0).tolist() == [2.0]


def test_a_masked_array_keeps_its_mask():
    masked = numpy.ma.array([1.0, 2.0], mask=[0, 1])
    f = times_two()
    for strict in (False, True):
        with pytest.raises(TypeError, match="^expected TensorType"):
            vector.filter(masked, strict)
    with pytest.raises(TypeError) as error:
        f(masked, 2.0)
    assert str(error.value) == (
        "expected TensorType(float64, (None,)), not a masked array: its mask "
        "would be lost; `filled()` gives a plain one")
    assert f(masked.filled(0.0), 2.0).tolist() == [2.0, 0.0]


@pytest.mark.parametrize("use", [
    lambda x, m: numpy.maximum(x, m), lambda x, m: x @ m,
    lambda x, m: x[m.astype(int)], lambda x, m: numpy.interp(x, m, [1.0, 2.0]),
    lambda x, m: numpy.interp(x, [1.0, 2.0], m), lambda x, m: numpy.union1d(x, [m, m]),
    lambda x, m: clinch.set_subtensor(x[:2], m), lambda x, m: clinch.tensor.stack([x, m]),
    lambda x, m: clinch.constant(m), lambda x, m: clinch.shared(m) + x,
    lambda x, m: clinch.where(m, x, x), lambda x, m: clinch.tensor.add(x, m[1])])
def test_masked_arrays_in_graphs(use):
    with pytest.raises(TypeError, match="not a masked array: its mask would be lost; "
                                        "`filled\\(\\)` gives a plain one$"):
        use(vector("x"), numpy.ma.array([1.0, 2.0], mask=[0, 1]))
    for use in (lambda x, m: x + m, lambda x, m: m * x):
        with pytest.raises(TypeError, match="has no values before a function computes it"):
            use(vector("x"), numpy.ma.array([1.0, 2.0], mask=[0, 1]))


def test_a_length_that_the_type_names():
    x = TensorType("float64", (3,))("x")
    f = function([x], clinch.deep_copy_op(x))
    assert f(numpy.ones(3)).tolist() == [1.0] * 3
    with pytest.raises(TypeError) as error:
        f(numpy.ones(4))
    assert str(error.value) == ("expected a length of 3 in dimension 0 of "
                                "TensorType(float64, (3,)), and found 4")


@pytest.mark.parametrize("dtype, value, fits", [
    ("int64", 2**63 - 1, True), ("int64", 2**63, False),
    ("int64", -2**63, True), ("int64", -2**63 - 1, False),
    ("uint64", 2**64 - 1, True), ("uint64", 2**64, False),
    ("uint64", -1, False), ("int8", 128, False), ("int8", 1.5, False),
    ("bool", 2, False), ("float32", 1e300, True), ("int64", 10**30, False),
    ("int64", "7", False), ("int64", None, False), ("int64", [7], False),
])
def test_integers_beyond_their_type(dtype, value, fits):
    x = Scalar(dtype)("x")
    f = function([x], clinch.tensor.identity(x))
    if fits:
        with numpy.errstate(all="ignore"):
            assert f(value) == numpy.dtype(dtype).type(value)
    else:
        with pytest.raises(TypeError) as error:
            f(value)
        assert dtype in str(error.value)


def test_strict_and_allow_downcast():
    x, y = double("x"), double("y")
    f = function([In(x, strict=True), In(y, allow_downcast=True)], x + y)
    assert f(1.0, 2**53 + 1) == 2.0**53 + 1
    with pytest.raises(TypeError, match=r"^expected a float, not an int(\n|$)"):
        f(1, 2.0)
