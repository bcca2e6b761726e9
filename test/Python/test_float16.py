"""float16 as NumPy has it: computed as float32, and each result rounded. Bit for bit."""

import numpy
import pytest

import clinch
from clinch import Mode, Scalar, TensorType, function
from clinch.tensor import astype

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

EVERY = numpy.arange(1 << 16, dtype="uint16").view("float16")
EXACT = ["negative", "absolute", "sqrt", "square", "floor", "ceil", "trunc", "rint",
         "sign", "deg2rad", "rad2deg"]
MATHEMATICS = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan",
               "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh",
               "arctanh", "cbrt"]
OF_TWO = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "mod",
          "floor_divide", "copysign", "less", "equal"]


def half(*shape):
    return TensorType("float16", shape or (None,))()


def check(got, want):
    """The same bits; one NaN is as good as another."""
    got, want = numpy.asarray(got), numpy.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape
    if got.dtype.kind == "f":
        got, want = (numpy.where(numpy.isnan(x), x.dtype.type(numpy.nan), x).reshape(-1)
                     .view(f"u{x.itemsize}") for x in (got, want))
    wrong = numpy.flatnonzero(got != want)
    assert not len(wrong), (len(wrong), wrong[:5], got.flat[wrong[0]], want.flat[wrong[0]])


def pairs(count=200_000):
    random = numpy.random.default_rng(16)
    bits = random.integers(0, 1 << 16, (2, count), "uint16")
    bits[1, ::2] = bits[0, ::2] + random.integers(-3000, 3000, count // 2).astype("uint16")
    return bits.view("float16")


@pytest.mark.parametrize("tier", ["fast", "default", "max"])
def test_every_number_in_every_tier(tier):
    x = half()
    names = [*EXACT, *MATHEMATICS]
    found = function([x], [getattr(numpy, name)(x) for name in names],
                     mode=Mode(tier=tier))(EVERY)
    with numpy.errstate(all="ignore"):
        for name, got in zip(names, found):
            wide = EVERY.astype("float64" if name in MATHEMATICS else "float32")
            check(got, getattr(numpy, name)(wide).astype("float32").astype("float16"))
            if name in EXACT:
                check(got, getattr(numpy, name)(EVERY))


@pytest.mark.parametrize("tier", ["fast", "default"])
def test_two_numbers(tier):
    x, y = half(), half()
    given = pairs()
    found = function([x, y], [getattr(numpy, name)(x, y) for name in OF_TWO],
                     mode=Mode(tier=tier))(*given)
    with numpy.errstate(all="ignore"):
        for name, got in zip(OF_TWO, found):
            check(got, getattr(numpy, name)(*given))


@pytest.mark.parametrize("fuse", [True, False])
def test_each_operation_of_a_chain_is_rounded(fuse):
    x, y = half(), half()
    given = pairs()
    with numpy.errstate(all="ignore"):
        check(function([x, y], x * y + x - y * 3, mode=Mode(fuse=fuse))(*given),
              given[0] * given[1] + given[0] - given[1] * numpy.float16(3))


def test_dtypes_are_numpys():
    x, i, j = half(), TensorType("int8", (None,))(), TensorType("int16", (None,))()
    f = TensorType("float32", (None,))()
    made = [numpy.exp(i), numpy.exp(j), x + i, x + j, x + f, x + 1.5, x + 1, i / i, x.sum(),
            x.mean(), x.max(), numpy.var(x), numpy.std(x)]
    assert [v.type.dtype for v in made] == [
        "float16", "float32", "float16", "float32", "float32", "float16", "float16",
        "float64", "float16", "float16", "float16", "float16", "float16"]


@pytest.mark.parametrize("tier", ["fast", "default"])
def test_casts_round_once(tier):
    halfway = 1 + 2.0**-11  # And a little more, of which a float32 knows nothing.
    doubles = numpy.array([halfway, halfway + 2.0**-40, halfway - 2.0**-40, 65519.9, 65520,
                           2.0**-25, 2.0**-25 * (1 + 2.0**-50), -1e300, 0.1, numpy.nan])
    mode = Mode(tier=tier)
    d = TensorType("float64", (None,))()
    with numpy.errstate(all="ignore"):
        check(function([d], astype(d, "float16"), mode=mode)(doubles),
              doubles.astype("float16"))
        for dtype in ("bool", "int8", "int32", "int64", "uint64", "float32"):
            given = numpy.arange(-3000, 3000).astype(dtype) * 31
            v = TensorType(given.dtype.name, (None,))()
            check(function([v], astype(v, "float16"), mode=mode)(given),
                  given.astype("float16"))
    x = half()
    whole = EVERY[(abs(EVERY.astype("float32")) < 30000)]
    for dtype in ("int16", "int64", "bool"):
        check(function([x], astype(x, dtype), mode=mode)(whole), whole.astype(dtype))
    for dtype in ("float32", "float64", "complex64"):
        got = function([x], astype(x, dtype), mode=mode)(EVERY)
        check(got.real, EVERY.astype(dtype).real)


def test_sums_are_of_floats_and_rounded():
    """NumPy adds rows up as float32; so a sum of many small numbers is no 2048."""
    x = half(None, None)
    given = numpy.random.default_rng(3).random((30, 4000)).astype("float16")
    total, rows, columns, mean, product = function(
        [x], [x.sum(), x.sum(1), x.sum(0), x.mean(), x.prod(0)])(given)
    exact = given.astype("float64")
    check(total, exact.sum().astype("float32").astype("float16"))
    check(rows, exact.sum(1).astype("float16"))
    check(columns, exact.sum(0).astype("float16"))
    check(mean, exact.mean().astype("float16"))
    numpy.testing.assert_allclose(product, exact.prod(0).astype("float16"), 1e-3, 1e-7)


@pytest.mark.parametrize("shape", [(7,), (2000,), (30, 1000)])
def test_extremes_and_searches(shape):
    x = half(*[None] * len(shape))
    given = numpy.random.default_rng(4).normal(size=shape).astype("float16")
    odd = given.copy()
    odd[..., 5] = numpy.nan
    f = function([x], [x.max(-1), x.min(-1), x.argmax(-1), x.argmin(-1), x.max(0),
                       (x > 3).any(-1), numpy.cumsum(x, -1)])
    for value in (given, odd):
        for got, want in zip(f(value), (
                value.max(-1), value.min(-1), value.argmax(-1), value.argmin(-1),
                value.max(0), (value > 3).any(-1), numpy.cumsum(value, -1))):
            check(got, want)


@pytest.mark.parametrize("language", ["c", "c++"])
def test_numbers_and_constants(language):
    x = Scalar("float16")("x")
    f = function([x], [x * 2.5, x + x], mode=Mode(language=language))
    for value in EVERY[::1021]:
        for got, want in zip(f(value), (value * numpy.float16(2.5), value + value)):
            assert type(got) is numpy.float16
            check(got, want)


def test_ufuncs_have_its_loop():
    made = clinch.vectorize(clinch.tanh)
    assert "e->e" in made.types
    check(made(EVERY), numpy.tanh(EVERY.astype("float64")).astype("float32")
          .astype("float16"))
