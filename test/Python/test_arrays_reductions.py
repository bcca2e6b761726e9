"""Reductions along axes, against NumPy."""

import itertools
import random
from fractions import Fraction

import numpy
import pytest

import clinch
from arrays import array, check, check_all, over, variable
from clinch import TensorType, function
from clinch.testing import TextOp
from clinch.tensor import Reduce

NAMES = ["sum", "prod", "mean", "max", "min", "any", "all"]
DTYPES = ["bool", "int8", "int64", "uint8", "uint64", "float16", "float32", "float64",
          "complex64", "complex128"]


def call(name, axis, keepdims):
    """numpy.NAME, which a Variable answers, too."""
    return lambda x: getattr(numpy, name)(x, axis=axis, keepdims=keepdims)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_reduction_of_every_dtype(dtype):
    x = array((3, 40, 5), dtype)
    if dtype == "bool":
        x[0] = False
    names = [n for n in NAMES
             if not (n in ("max", "min") and dtype.startswith("c"))]
    check_all([x], [call(name, axis, False) for name in names
                    for axis in (None, 1, (0, 2))])


SHAPES = [(), (1,), (7,), (2000,), (3, 5), (1, 5), (5, 1), (1000, 7),
          (7, 1000), (40, 50, 60), (2, 3, 4, 5), (30, 2), (70, 600)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_axes_and_strides(shape):
    count = len(shape)
    generator = random.Random(count)
    axes = [None, *range(count), *range(-count, 0)]
    if count > 1:
        axes += [tuple(generator.sample(range(count), 2)), tuple(range(count))]
    makers = [call(name, axis, keep) for name in ("sum", "max")
              for axis in axes for keep in (False, True)]
    x = array(shape)
    v = variable(x)
    f = function([v], [maker(v) for maker in makers])
    for value in (x, x.copy("F"), numpy.repeat(x, 2, -1)[..., ::2]
                  if count else x, numpy.flip(x)):
        for maker, got in zip(makers, f(value)):
            check(got, maker(value))


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_searches(name):
    for dtype in ("float64", "int32", "uint8", "bool"):
        x = array((30, 40), dtype)
        check_all([x], [lambda x, a=a: getattr(numpy, name)(x, a)
                        for a in (None, 0, 1, -1)])
    x = array((3, 2000))
    x[1, 700] = x[1, 1500] = numpy.nan
    check_all([x, x.T], [lambda x, y: getattr(numpy, name)(x),
                         lambda x, y: getattr(numpy, name)(x, 1),
                         lambda x, y: getattr(numpy, name)(y, 0),
                         lambda x, y: getattr(numpy, name)(y)])


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "uint64", "bool"])
def test_what_is_first_or_last_of_many(dtype):
    """The last items that change something lie in any of the parts that the loops
    take at once."""
    x = numpy.ones(20_011, dtype)
    a = variable(x)
    names = ["max", "min", "argmax", "argmin", "any", "all"]
    f = function([a], [getattr(a, name)() for name in names])
    values = [0, 1] + ([2] if dtype != "bool" else [])
    if dtype.startswith("float"):
        values += [-3, numpy.nan, numpy.inf]
    for place in (0, 1, 63, 64, 511, 512, 1023, 1024, 1100, 8191, 8192, 20_010):
        for value, fill in itertools.product(values, (0, 1)):
            x[:] = fill
            x[place] = value
            x[-1] = value
            for got, name in zip(f(x), names):
                check(got, getattr(numpy, name)(x))


def test_items_that_grow():
    for dtype in ("float64", "float32", "int16"):
        x = numpy.arange(20_011).astype(dtype)
        a = variable(x)
        f = function([a], [a.max(), a.min(), a.argmax(), a.argmin()])
        for given in (x, -x, x[::-1]):
            for got, name in zip(f(given), ("max", "min", "argmax", "argmin")):
                check(got, getattr(numpy, name)(given))


def test_truths_are_one_and_zero():
    x = numpy.array([0, 2, 4], "uint8").view("bool")
    a = variable(x)
    results = function([a], [a.any(), a.all(), a[1:].all(), a[1:].any()])(x)
    assert [r.view("uint8").item() for r in results] == [1, 0, 1, 1]


def test_a_search_that_keeps_dimensions():
    x = array((3, 4))
    v = variable(x)
    a, b = function([v], [v.argmax(1, keepdims=True),
                          v.argmax(keepdims=True)])(x)
    check(a, x.argmax(1)[:, None])
    check(b, x.argmax().reshape(1, 1))


def test_nan_in_reductions():
    x = array((50, 60))
    x[3, 4] = numpy.nan
    x[7] = numpy.inf
    check_all([x], [call(name, axis, False)
                    for name in ("sum", "mean", "max", "min")
                    for axis in (None, 0, 1)])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_are_as_accurate_as_pairwise_ones(dtype):
    x = numpy.random.default_rng(1).uniform(0, 1, 300000).astype(dtype)
    exact = float(sum(Fraction(float(item)) for item in x))
    ulp = numpy.spacing(numpy.array(exact, dtype))
    columns = x.reshape(-1, 100)
    along = [float(sum(Fraction(float(item)) for item in column))
             for column in columns.T[:3]]
    v, m = variable(x), variable(columns)
    total, of_columns = function([v, m], [v.sum(), m.sum(axis=0)])(x, columns)
    assert abs(float(total) - exact) <= 8 * ulp
    for got, want in zip(of_columns, along):
        assert abs(float(got) - want) <= 8 * numpy.spacing(
            numpy.array(want, dtype))


@pytest.mark.parametrize("dtype, of_numpy", [
    ("float32", "inf"), ("complex64", "(nan+nanj)")])
def test_products_overflow_in_another_order_than_numpys(dtype, of_numpy):
    """NumPy multiplies from item to item; partial products here do not overflow."""
    x = numpy.ones(260, dtype)
    x[:2], x[-2:] = 1e30, 1e-30
    with numpy.errstate(all="ignore"):
        assert str(numpy.prod(x)) == of_numpy
    v = variable(x)
    got = function([v], v.prod())(x)
    assert got.dtype == dtype
    assert got == 1
    few = x[[0, 1, -2, -1]]  # They are multiplied one after another.
    assert str(function([v], v.prod())(few)) == of_numpy


def test_empty_arrays():
    for shape in ((0,), (0, 3), (3, 0)):
        x = numpy.zeros(shape)
        check_all([x], [call(n, None, False) for n in ("sum", "prod", "any",
                                                       "all")])
    x = numpy.zeros((0, 3))
    check_all([x], [call("sum", 0, False), call("sum", 1, False),
                    call("max", 1, False)])
    v = variable(x)
    for name, kind in (("max", "maximum"), ("min", "minimum")):
        with pytest.raises(ValueError) as raised:
            function([v], getattr(v, name)())(x)
        assert str(raised.value) == ("zero-size array to reduction operation "
                                     f"{kind} which has no identity")
    with pytest.raises(ValueError) as raised:
        function([v], v.argmax())(x)
    assert str(raised.value) == "attempt to get argmax of an empty sequence"


def test_axes_that_are_none():
    v = variable(numpy.zeros((2, 3)))
    with pytest.raises(numpy.AxisError if hasattr(numpy, "AxisError")
                       else numpy.exceptions.AxisError,
                       match="axis 2 is out of bounds for array of dimension "
                             "2"):
        v.sum(axis=2)
    with pytest.raises(ValueError, match="duplicate value in 'axis'"):
        v.sum(axis=(0, -2))
    with pytest.raises(TypeError):
        v.sum(axis=1.5)


def test_dtype_is_what_is_added_up_in():
    x = numpy.full(1000, 100, "int8")
    v = variable(x)
    a, b, c = function([v], [v.sum(dtype="int8"), v.sum(dtype="float32"),
                             v.prod(dtype="float64")])(x)
    check(a, x.sum(dtype="int8"))
    check(b, x.sum(dtype="float32"))
    check(c, x.prod(dtype="float64"))


def test_the_result_is_new_memory():
    x = array((3, 4))
    v = variable(x)
    f = function([v], v.sum(axis=0))
    first = f(x)
    again = f(first[None])
    check(again, first)
    assert again is not first


#: An author's own scalar Op of two operands.
longer = TextOp("{z} = fabs({x}) >= fabs({y}) ? {x} : {y};", name="longer",
                perform=lambda x, y: x if abs(x) >= abs(y) else y)


@pytest.mark.parametrize("mode", [None, "DebugMode"])
def test_a_reduction_with_an_authors_op(mode):
    x = array((4, 50)) - 3
    v = variable(x)
    f = function([v], Reduce(longer, (1,), "float64")(v), mode=mode)
    want = x[range(4), abs(x).argmax(1)]
    numpy.testing.assert_array_equal(abs(f(x)), abs(want))
    with pytest.raises(ValueError, match="zero-size array to reduction "
                                         "operation longer"):
        function([v], Reduce(longer, (1,), "float64")(v))(x[:, :0])


def test_what_cannot_reduce():
    v = TensorType("float64", (None,))()
    with pytest.raises(TypeError, match="lt of two float64 gives bool"):
        Reduce(clinch.tensor.lt, (0,), "float64")(v)
    z = TensorType("complex128", (None,))()
    with pytest.raises((TypeError, clinch.GraphError)):
        z.max()
    with pytest.raises(TypeError, match="argmax is not defined for complex"):
        z.argmax()


def test_perform_is_the_same():
    x = array((6, 7), "int32")
    v = variable(x)
    made = [v.sum(axis=0), v.mean(), v.max(axis=1, keepdims=True), v.any(),
            v.argmin(axis=1), v.argmax()]
    for got, want in zip(function([v], made, mode="DebugMode")(x),
                         function([v], made)(x)):
        check(got, want)


def test_variance():
    x = array((30, 40))
    check_all([x], [lambda x: x.var(), lambda x: x.std(axis=1),
                    lambda x: x.var(axis=0, ddof=1)])


def test_ufuncs_reduce():
    x = array((3, 4))
    check_all([x], [numpy.add.reduce, numpy.maximum.reduce,
                    lambda x: numpy.multiply.reduce(x, axis=1), numpy.subtract.reduce])


def test_a_number_is_an_array_of_no_dimension():
    check(over(clinch.tensor.sum, numpy.array(3.0)), numpy.float64(3.0))


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin", "sum",
                                  "any", "mean"])
@pytest.mark.parametrize("shape", [(0,), (0, 0), (0, 2), (2, 0), (0, 2, 0)])
def test_of_nothing(name, shape):
    """Refused where nothing is reduced, though there be no results either."""
    x = numpy.zeros(shape)
    for axis in (None, *range(len(shape))):
        v = variable(x)
        f = function([v], getattr(v, name)(axis=axis), mode="fast")
        try:
            want = getattr(x, name)(axis=axis)
        except ValueError as error:
            with pytest.raises(ValueError) as ours:
                f(x)
            assert str(ours.value) == str(error)
        else:
            check(f(x), want)


@pytest.mark.filterwarnings("ignore")
def test_more_degrees_of_freedom_than_items():
    x = numpy.array([[1.0, 3.0], [5.0, 5.0]])
    for ddof in (1, 2, 3):
        for axis in (0, 1):
            check(over(lambda v: v.var(axis, ddof=ddof), x), x.var(axis, ddof=ddof))
            check(over(lambda v: v.std(axis, ddof=ddof), x), x.std(axis, ddof=ddof))
