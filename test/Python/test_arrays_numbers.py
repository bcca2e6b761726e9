"""Ops of the numbers at the borders, against NumPy 2, bit for bit: the slice of the
random search that is always the same, and what was wrong once."""

import os
import sys

import numpy
import pytest

import clinch
from clinch import Mode, Scalar, TensorType, double, function
from clinch.ops.scalar_ops import scalar_ops
from arrays import over, variable

FUZZ = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Fuzz")
sys.path.insert(0, FUZZ)
import number_terms  # noqa: E402
sys.path.remove(FUZZ)
from number_terms import (BINARY, COMPARISONS, DTYPES, NUMBERS,  # noqa: E402
                          UNARY)

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
LEAST, MOST = -2**63, 2**63 - 1
#: Of WITH_NUMBERS; the search draws all.
SOME = ["equal", "less", "greater_equal", "logical_and", "divide", "add"]


def agree(terms, least):
    compared, wrong = number_terms.check(terms)
    assert not wrong, wrong
    assert compared >= least


@pytest.mark.parametrize("dtype", DTYPES)
def test_one_operand(dtype):
    agree([[name, dtype] for name in UNARY],
          (10 if dtype[0] != "c" else 5) * len(number_terms.values(dtype)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_two_operands_are_compared(dtype):
    agree([[name, dtype, other] for name in COMPARISONS for other in DTYPES],
          2 * 100 * len(number_terms.values(dtype)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_two_operands(dtype):
    some = DTYPES[DTYPES.index(dtype) % 3::3]
    agree([[name, dtype, other] for name in BINARY if name not in COMPARISONS
           for other in some], 5 * 10 * len(number_terms.values(dtype)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_pythons_numbers(dtype):
    agree([[name, dtype, k] if (k + place) % 2 else [name, k, dtype]
           for place, name in enumerate(SOME) for k in range(len(NUMBERS))],
          50 * len(number_terms.values(dtype)))


INTEGERS = [LEAST, LEAST + 1, -2, -1, 0, 1, 2**53, 2**53 + 1, MOST - 1, MOST, MOST + 1,
            MOST + 2, 2**64 - 2, 2**64 - 1]
ORDERS = {"eq": lambda a, b: a == b, "neq": lambda a, b: a != b,
          "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
          "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}


@pytest.mark.parametrize("tier", ["fast", "default", "max"])
@pytest.mark.parametrize("signed", ["int8", "int64"])
def test_signed_and_unsigned_are_compared_as_integers(signed, tier):
    ends = numpy.iinfo(signed)
    some = [n for n in INTEGERS if ends.min <= n <= ends.max] * 5
    other = [n for n in INTEGERS if n >= 0]
    a, b = numpy.array(some, signed)[:, None], numpy.array(other, "uint64")
    v, w = variable(a), variable(b)
    f = function([v, w], [scalar_ops[n](*pair) for n in ORDERS
                          for pair in ((v, w), (w, v))], mode=Mode(tier=tier))
    made = iter(f(a, b))
    for compare in ORDERS.values():
        assert next(made).tolist() == [[compare(x, y) for y in other] for x in some]
        assert next(made).tolist() == [[compare(y, x) for y in other] for x in some]


@pytest.mark.parametrize("mode", [None, "DebugMode", Mode(language="c++")])
def test_numbers_in_c_are_compared_as_integers(mode):
    a, b = Scalar("int64")("a"), Scalar("uint64")("b")
    f = function([a, b], [scalar_ops[n](*pair) for n in ORDERS
                          for pair in ((a, b), (b, a))], mode)
    for x in (LEAST, -1, 0, MOST - 1, MOST):
        for y in (0, 1, MOST, MOST + 1, 2**64 - 1):
            assert f(numpy.int64(x), numpy.uint64(y)) == [
                compare(*pair) for compare in ORDERS.values()
                for pair in ((x, y), (y, x))]


def test_debug_mode_compares_arrays_as_numpy_2():
    a, b = numpy.array([MOST, -1]), numpy.array([MOST + 1, 2**64 - 1], "uint64")
    v, w = variable(a), variable(b)
    f = function([v, w], [v == w, v < w, v >= w], mode="DebugMode")
    assert [r.tolist() for r in f(a, b)] == [[False] * 2, [True] * 2, [False] * 2]
    z = numpy.array([0j, 1j])
    v = variable(z)
    g = function([v], [v ** (2 + 0.5j), clinch.tensor.fabs(v.real), clinch.tensor.rint(v)],
                 mode="DebugMode")
    assert g(z)[0][0] == 0


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "uint64"])
def test_integers_of_any_size_are_compared_exactly(dtype):
    x, s = TensorType(dtype, (None,))("x"), Scalar(dtype)("s")
    given = numpy.array([0, 1], dtype)
    for number in (2**63, 2**64, 2**100, 10**5000):
        made = [x < number, x == number, number > x, x >= -number, s < number,
                s == number, s >= -number]
        got = function([x, s], made)(given, given[1])
        assert [numpy.all(r) for r in got] == [1, 0, 1, 1, 1, 0, 1]
    for number in (10**400, -10**5000):
        with pytest.raises(OverflowError) as error:
            TensorType("float64", (None,))() < number
        assert str(error.value) == "int too large to convert to float"


@pytest.mark.parametrize("dtype, number, said", [
    ("uint8", 300, "Python integer 300 out of bounds for uint8"),
    ("uint8", -1, "Python integer -1 out of bounds for uint8"),
    ("uint32", 2**63, "Python integer 9223372036854775808 out of bounds for uint32"),
    ("int64", 2**64, "Python int too large to convert to C long"),
    ("bool", 2**64, "Python int too large to convert to C long"),
    ("int8", -10**5000, "Python int too large to convert to C long")],
    ids=["above", "below", "wide", "int64", "bool", "huge"])
def test_integers_that_a_dtype_does_not_hold(dtype, number, said):
    x = TensorType(dtype, (None,))("x")
    for op in (clinch.add, clinch.int_div, clinch.maximum, clinch.tensor.mod):
        with pytest.raises(OverflowError) as error:
            op(x, number)
        assert str(error.value) == said
    if not -2**63 <= number < 2**63:
        with pytest.raises(OverflowError):
            Scalar(dtype)() + number


def test_a_quotient_of_any_integer():
    u, s = TensorType("uint8", (None,))("u"), Scalar("uint8")("s")
    got = function([u, s], [u / 300, u / -1, 2**64 / u, u / 2**100, s / 2**64,
                            numpy.arctan2(u, 300)])(
        numpy.array([3], "uint8"), numpy.uint8(3))
    assert [numpy.ravel(r)[0] for r in got[:5]] == [3 / 300, -3.0, 2**64 / 3, 3 / 2**100,
                                           3 / 2**64]
    assert [r.dtype for r in got] == ["float64"] * 5 + ["float16"]
    assert got[5] == numpy.arctan2(numpy.float16(3), numpy.float16(300))
    d = double("d")
    assert function([d], [d / 2**70, d < 2**64 - 1, d + (2**64 + 1)])(2.0) == [
        2.0**-69, True, 2.0**64]


def test_absolute_values_and_rounded_ones_are_floats():
    kinds = {"bool": "float16", "int8": "float16", "uint16": "float32",
             "int32": "float64", "int64": "float64", "float32": "float32"}
    for dtype, made in kinds.items():
        x = TensorType(dtype, (None,))()
        assert numpy.fabs(x).type.dtype == numpy.rint(x).type.dtype == made
        assert clinch.tensor.fabs(Scalar(dtype)()).type.dtype == made
        assert numpy.round(x).type.dtype == x.round().type.dtype == dtype
    assert over(numpy.fabs, numpy.array([LEAST])).tolist() == [2.0**63]
    z = numpy.array([2.5 - 3.5j, complex(-0.0, numpy.inf)])
    for function_ in (numpy.rint, numpy.round):
        assert over(function_, z).tolist() == [2 - 4j, complex(-0.0, numpy.inf)]
    with pytest.raises(clinch.DtypeError) as error:
        numpy.fabs(variable(z))
    assert str(error.value) == "`fabs` is not defined for complex128."


def test_powers_of_complex_zero():
    nan = complex(numpy.nan, numpy.nan)
    given = numpy.array([2 + 0.5j, 1j, -1 + 1j, 0, 3, 5e-324 - 1j])
    want = [0, nan, nan, 1, 0, 0]
    for base in numpy.zeros(1, "int8"), numpy.zeros(1, "complex128"):
        numpy.testing.assert_array_equal(over(clinch.tensor.pow, base, given), want)
    with_singles = over(clinch.tensor.pow, numpy.zeros(1, "float32"),
                        given[:5].astype("complex64"))
    assert with_singles.dtype == "complex64"
    numpy.testing.assert_array_equal(with_singles, want[:5])


def test_complex64_divides_in_its_own_precision():
    """As NumPy: one over the least subnormal is infinite, and 0 times that NaN."""
    least = numpy.complex64(1e-45)
    for op in (clinch.true_div, lambda x, y: x * 0 + clinch.tensor.reciprocal(y)):
        got = over(op, numpy.array([1], "complex64"), numpy.array([least]))
        assert numpy.isinf(got[0].real) or numpy.isnan(got[0])
    got = over(clinch.true_div, numpy.array([0, 1], "complex64"), numpy.array([least]))
    assert numpy.isnan(got[0]) and got[1].real == numpy.inf
    assert over(clinch.true_div, numpy.array([1 + 1j]), numpy.array([3 + 1j]))[0] == \
        numpy.complex128(1 + 1j) / numpy.complex128(3 + 1j)


def test_any_number_that_is_not_zero_is_true():
    for dtype in ("uint8", "float32", "int64"):
        x, s = TensorType(dtype, (None,))(), Scalar(dtype)()
        made = [numpy.logical_and(v, n) for v in (x, s) for n in (300, 1e-46, 2**70, 0)]
        got = function([x, s], made)(numpy.ones(1, dtype), numpy.dtype(dtype).type(1))
        assert [bool(r) for r in got] == [True, True, True, False] * 2


def test_limits_beyond_a_dtype_are_none():
    x = numpy.array([0, 200], "uint8")
    v = variable(x)
    made = [v.clip(-5, 300), v.clip(3, 2**70), numpy.clip(v, -1, 100), v.clip(None, 999)]
    got = function([v], made)(x)
    assert [r.tolist() for r in got] == [[0, 200], [3, 200], [0, 100], [0, 200]]
    assert all(r.dtype == "uint8" for r in got)
    with pytest.raises(OverflowError):
        v.clip(300, None)
