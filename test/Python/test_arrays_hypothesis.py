"""Every Op on drawn arrays beside NumPy: any dtype, any strides, any values.

hypothesis draws the same examples each time here; `make soak` draws others, of
whole expressions.
"""

import functools

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clinch
from clinch import Mode, TensorType, function
from clinch.tensor import Elemwise
from clinch.ops import scalar_ops

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16",
          "uint32", "uint64", "float32", "float64", "complex64", "complex128"]
#: Whose NumPy function has another rule; test_arrays_elemwise.py has those.
OTHER = {"floor", "ceil", "trunc", "round", "identity", "switch", "clip",
         "sign", "angle", "real", "imag", "conj"}
OPS = sorted(name for name, op in scalar_ops.items()
             if op._numpy_name and name not in OTHER)
REDUCTIONS = ["sum", "prod", "mean", "max", "min", "any", "all", "argmax",
              "argmin"]
drawn = settings(max_examples=8, deadline=None, derandomize=True,
                 database=None)


@st.composite
def arrays(draw, dtype, shape):
    """An array of these, that lies in memory in any way."""
    dtype, count = numpy.dtype(dtype), len(shape)
    order = draw(st.permutations(range(count)))
    steps = [draw(st.sampled_from([1, 1, 2, -1, -3])) for _ in shape]
    whole = [0] * count
    for place, axis in enumerate(order):
        whole[place] = shape[axis] * abs(steps[axis])
    numbers = numpy.random.default_rng(draw(st.integers(0, 99)))
    made = numbers.integers(0 if dtype.kind in "bu" else -4, 5, whole)
    made = made.astype(dtype)
    if dtype.kind in "fc":
        made = made + numbers.choice([0, 0.25, 0.5], whole).astype(dtype)
        if draw(st.booleans()):
            odd = numbers.choice([numpy.nan, numpy.inf, -numpy.inf, -0.0], whole)
            made = numpy.where(numbers.uniform(size=whole) < 0.2,
                               odd.astype(dtype), made).astype(dtype)
    made = made.transpose(numpy.argsort(order))
    made = made[tuple(slice(None, None, step) for step in steps)]
    if made.size and draw(st.integers(0, 5)) == 0:
        made = numpy.broadcast_to(made[:1], made.shape)  # A stride of zero.
    assert made.shape == shape and made.dtype == dtype
    return made


shapes = st.lists(st.sampled_from([0, 1, 2, 3, 5, 33, 130]), min_size=1,
                  max_size=3).filter(lambda s: numpy.prod(s) < 20000).map(tuple)


def partner(draw, shape):
    """A shape that broadcasts with this one."""
    own = tuple(1 if draw(st.integers(0, 3)) == 0 else n for n in shape)
    return own[draw(st.integers(0, len(own) - 1)):] \
        if draw(st.booleans()) else own


@functools.cache
def compiled(name, dtypes, dims, tier):
    """The Op alone, and in a loop with its neighbours; None where it has no
    rule."""
    variables = [TensorType(dtype, (None,) * count)()
                 for dtype, count in zip(dtypes, dims)]
    try:
        made = Elemwise(scalar_ops[name])(*variables)
    except TypeError:
        return None
    return function(variables, [made, clinch.where(made == made, made, made)],
                    mode=Mode(tier=tier))


def same(got, want, rounding):
    assert got.dtype == want.dtype and got.shape == want.shape
    if want.dtype.kind not in "fc":
        numpy.testing.assert_array_equal(got, want)
        return
    single = want.dtype.name in ("float32", "complex64")
    with numpy.errstate(all="ignore"):
        numpy.testing.assert_allclose(
            got, want, rounding * (2e-7 if single else 4e-16),
            1e-6 if single else 1e-14)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", OPS)
@drawn
@given(data=st.data())
def test_every_op(name, data):
    op = scalar_ops[name]
    of_numpy = getattr(numpy, op._numpy_name)
    shape = data.draw(shapes)
    own = [shape] + [partner(data.draw, shape) for _ in range(op.arity - 1)]
    dtype = data.draw(st.sampled_from(DTYPES))
    dtypes = tuple([dtype] * op.arity)
    values = [data.draw(arrays(d, s)) for d, s in zip(dtypes, own)]
    f = compiled(name, dtypes, tuple(map(len, own)),
                 data.draw(st.sampled_from(["fast", "default"])))
    if f is None:
        return
    if name in ("lshift", "rshift"):
        values[1] = abs(values[1]) if dtype != "bool" else values[1]
    try:
        want = of_numpy(*values)
    except (TypeError, ValueError):
        return  # A dtype for which NumPy has none.
    if want.dtype == "float16":
        return
    if numpy.dtype(dtype).kind == "c" and not all(
            numpy.isfinite(value).all() for value in values):
        return  # Nobody says what infinite complex numbers give.
    try:
        results = f(*values)
    except ZeroDivisionError:
        assert name in ("int_div", "mod") and (values[1] == 0).any()
        return
    for got in results:
        same(got, want, 100)


@functools.cache
def reduction(name, dtype, count, axis, keepdims, fused):
    x = TensorType(dtype, (None,) * count)()
    before = clinch.where(x != 0, x, x) if fused else x
    return function([x], getattr(before, name)(axis=axis, keepdims=keepdims))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", REDUCTIONS)
@drawn
@given(data=st.data())
def test_every_reduction(name, data):
    shape = data.draw(shapes)
    dtype = data.draw(st.sampled_from(
        DTYPES if not name.startswith(("arg", "max", "min")) else DTYPES[:-2]))
    x = data.draw(arrays(dtype, shape))
    axis = data.draw(st.sampled_from([None, *range(-len(shape), len(shape))]))
    keepdims = data.draw(st.booleans())
    f = reduction(name, dtype, len(shape), axis, keepdims,
                  data.draw(st.booleans()))
    try:
        want = numpy.asarray(getattr(x, name)(axis=axis, keepdims=keepdims))
    except ValueError as error:
        with pytest.raises(ValueError) as ours:
            f(x)
        assert str(ours.value) == str(error)
        return
    if numpy.dtype(dtype).kind == "c" and not numpy.isfinite(x).all():
        return
    # As many roundings as there are items: products grow, sums cancel.
    same(f(x), want, 100 + 4 * x.size)
