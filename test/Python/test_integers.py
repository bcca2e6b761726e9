"""Integers at the borders of what floats and 64 bits hold: what a filter takes
as it is, what it rounds, and what it refuses."""

import numpy
import pytest

from clinch import In, Scalar, TensorType, deep_copy_op, double, function

EXACT = 2**53
INT64, UINT64 = 2**63, 2**64
LOSS = "without a loss; allow_downcast=True permits it"


def type_error(variable_type, value, **options):
    with pytest.raises(TypeError) as error:
        variable_type.filter(value, **options)
    return str(error.value)


@pytest.mark.parametrize("value", [EXACT, -EXACT, EXACT + 2, INT64, UINT64,
                                   2**1023])
def test_integers_that_a_float_is(value):
    assert double.filter(value) == value
    assert Scalar("float64").filter(value) == float(value)
    assert TensorType("float64", ()).filter(value) == float(value)
    (item,) = TensorType("float64", (1,)).filter([value])
    assert int(item) == value


@pytest.mark.parametrize("value", [EXACT + 1, -EXACT - 1, INT64 - 1, INT64 + 1,
                                   UINT64 - 1, UINT64 + 1])
def test_integers_that_no_float_is(value):
    assert type_error(double, value) == (
        f"{value} (an int) is no float {LOSS}")
    assert type_error(Scalar("float64"), value) == (
        f"{value} (an int) is no float64 {LOSS}")
    for variable_type, given, what in (
            (TensorType("float64", ()), value, "an int"),
            (TensorType("float64", (1,)), [value], "a list")):
        assert type_error(variable_type, given) == (
            f"the values of {what} do not fit {variable_type} {LOSS}")
        assert variable_type.filter(given, allow_downcast=True) == float(value)
    assert double.filter(value, allow_downcast=True) == float(value)
    assert Scalar("float64").filter(value, allow_downcast=True) == float(value)


def test_what_has_a_dtype_is_judged_by_it():
    """As NumPy and PyTensor do: int64 is safe as float64, and rounds."""
    array = numpy.array([EXACT + 1])
    wide = TensorType("float64", (None,))
    assert wide.filter(array).tolist() == [float(EXACT)]
    assert Scalar("float64").filter(array[0]) == float(EXACT)
    assert double.filter(array[0]) == float(EXACT)
    # Not safe by dtype, so each value counts, exactly.
    narrow = TensorType("float32", (None,))
    assert type_error(narrow, array) == (
        f"the values of an array of int64 with shape (1,) do not fit {narrow} "
        f"{LOSS}")
    assert narrow.filter(array - 1).tolist() == [float(EXACT)]
    assert type_error(Scalar("float32"), array[0]).endswith(
        f" is no float32 {LOSS}")


@pytest.mark.parametrize("dtype, value, fits", [
    ("int64", INT64 - 1, True), ("int64", -INT64, True),
    ("int64", INT64, False), ("uint64", UINT64 - 1, True),
    ("uint64", INT64, True), ("uint64", -1, False), ("int8", 127, True),
    ("int8", 128, False), ("bool", 1, True), ("bool", 2, False),
    ("float32", 2**24, True), ("float32", 2**24 + 1, False),
    ("complex64", 2**24, True), ("complex64", 2**24 + 1, False),
])
def test_lists_at_the_borders(dtype, value, fits):
    variable_type = TensorType(dtype, (None,))
    if fits:
        result = variable_type.filter([value])
        assert result.dtype == dtype and int(result[0].real) == value
    else:
        assert type_error(variable_type, [value]) == (
            f"the values of a list do not fit {variable_type} {LOSS}")


@pytest.mark.parametrize("dtype", ["int64", "uint64", "int8", "bool"])
@pytest.mark.parametrize("value", [UINT64, -INT64 - 1, 10**30])
def test_integers_beyond_64_bits(dtype, value):
    variable_type = TensorType(dtype, (None,))
    for allow in (None, True):
        assert type_error(variable_type, [value], allow_downcast=allow) == (
            f"expected {variable_type}, and found an integer beyond 64 bits")
        if dtype == "bool":
            continue  # Any number is True or False.
        assert type_error(Scalar(dtype), value, allow_downcast=allow
                          ).startswith(f"{value} is no {dtype}: ")


def test_integers_beyond_floats():
    huge = 10**400
    assert type_error(double, huge).endswith(
        " is no float: int too large to convert to float")
    assert len(type_error(double, huge)) < 120
    assert type_error(Scalar("float64"), huge).endswith(
        " is no float64: int too large to convert to float")
    wide = TensorType("float64", (None,))
    assert type_error(wide, [huge]) == (
        f"expected {wide}: int too large to convert to float")


def test_other_objects_are_no_numbers():
    wide = TensorType("float64", (None,))
    for value in ([None], ["1"], [[1], [2, 3]], [object()]):
        with pytest.raises((TypeError, ValueError)):
            wide.filter(value)
    assert type_error(wide, [None]) == (
        f"expected {wide}, not a list whose item [0] is None, a NoneType")


@pytest.mark.parametrize("value, found", [
    ("1.5", "a str"), (b"1", "a bytes"),
    (numpy.ones(1), "an array of 1 dimensions")])
def test_what_is_no_float(value, found):
    assert type_error(double, value) == f"expected a float, not {found}"


def test_what_python_makes_no_float_of():
    assert type_error(double, None).startswith("float() argument must be")
    assert type_error(double, 1j).startswith("float() argument must be")
    with pytest.raises(ValueError) as error:
        double.filter("two")
    assert str(error.value) == "could not convert string to float: 'two'"


def test_in_a_call():
    x, y = double("x"), TensorType("float64", (None,))("y")
    f = function([x, In(y, allow_downcast=True)], [x + 1.0, deep_copy_op(y)])
    assert f(EXACT, [EXACT + 1])[1].tolist() == [float(EXACT)]
    with pytest.raises(TypeError) as error:
        f(EXACT + 1, [1])
    assert str(error.value) == f"{EXACT + 1} (an int) is no float {LOSS}"
    assert error.value.__notes__ == [
        "Clinch was filtering argument 1 (`x`) of function."]
