"""NumPy's functions that are made of others: what they give is what NumPy gives, for
arrays of any lengths, of known ones, and of none."""

import math

import numpy as np
import pytest

import clinch

from arrays import check, over, variable
from clinch import Mode, TensorType, function

A = np.array([[1.5, -2.0, 0.0], [4.25, -0.5, 3.0]])
V = np.array([2.0, -1.0, 0.5, 3.0])
T = np.arange(24.0).reshape(2, 3, 4) - 7
DTYPES = ["float64", "float32", "int8", "bool", "complex128"]
SHAPES = [(2, 3), (3, 3), (3, 2), (1, 3), (0, 3), (3, 0)]


def known(value):
    return TensorType(value.dtype, value.shape)()


def same(make, *values, makers=(variable, known)):
    """What `make` gives of Variables and of arrays is the same, or both raise."""
    with np.errstate(all="ignore"):
        try:
            want = make(*values)
        except Exception as error:  # As NumPy raises.
            for maker in makers:
                with pytest.raises((type(error), ValueError, IndexError)):
                    inputs = [maker(v) for v in values]
                    made = make(*inputs)
                    function(inputs, list(made) if isinstance(made, (list, tuple))
                             else made, "fast")(*values)
            return
    for maker in makers:
        inputs = [maker(v) for v in values]
        made = make(*inputs)
        if isinstance(want, (list, tuple)):
            assert type(made) is type(want)
            for got, one in zip(function(inputs, list(made), "fast")(*values), want):
                check(got, one)
        else:
            check(function(inputs, made, "fast")(*values), want)


REARRANGED = [
    lambda x: np.expand_dims(x, 0), lambda x: np.expand_dims(x, (-1, 1)),
    lambda x: np.expand_dims(x, 5), lambda x: np.atleast_1d(x),
    lambda x: np.atleast_2d(x), lambda x: np.atleast_3d(x),
    lambda x: np.squeeze(x[:1], 0), lambda x: np.squeeze(x[:1][..., None], (0, -1)),
    lambda x: np.squeeze(x, 2),
    lambda x: np.moveaxis(x, 0, -1), lambda x: np.moveaxis(x, (0, 1), (1, 0)),
    lambda x: np.moveaxis(x, 0, 2), lambda x: np.moveaxis(x, (0, 1), (0,)),
    lambda x: np.flip(x), lambda x: np.flip(x, -1), lambda x: np.flip(x, (0, 1)),
    lambda x: np.flip(x, 2), lambda x: np.flipud(x), lambda x: np.fliplr(x),
    lambda x: np.roll(x, 1), lambda x: np.roll(x, -4), lambda x: np.roll(x, 0, 0),
    lambda x: np.roll(x, 7, axis=-1), lambda x: np.roll(x, (1, -1), axis=(0, 1)),
    lambda x: np.roll(x, 1, axis=(0, 1)), lambda x: np.roll(x, 1, axis=2),
    lambda x: np.tile(x, 2), lambda x: np.tile(x, (2, 1)), lambda x: np.tile(x, (2, 1, 3)),
    lambda x: np.tile(x, 0), lambda x: np.repeat(x, 3), lambda x: np.repeat(x, 2, axis=-1),
    lambda x: np.repeat(x, 0, axis=0), lambda x: np.repeat(x, 2, axis=2),
    lambda x: x.repeat(2, 1),
    lambda x: np.broadcast_to(x, (2, *x.shape)), lambda x: np.broadcast_to(x, (5, 7)),
    lambda x: np.broadcast_to(x, (3,)),
    lambda x: np.hstack([x, x[:, :1]]), lambda x: np.vstack([x, x[:1]]),
    lambda x: np.dstack([x, x]), lambda x: np.column_stack([x, x[:, 0]]),
    lambda x: np.append(x, x), lambda x: np.append(x, x[:1], axis=0),
    lambda x: np.split(x, [1]), lambda x: np.array_split(x, [1, 1], axis=-1),
    lambda x: np.take(x, [0, -1], axis=1), lambda x: np.take(x, 1, axis=-1),
    lambda x: x.take([[0, 1], [1, 0]], 0), lambda x: np.take(x, 3),
    lambda x: np.diagonal(x), lambda x: np.diagonal(x, 1), lambda x: np.diagonal(x, -2),
    lambda x: np.diagonal(x, 9), lambda x: np.diagonal(x[None], 0, -1, 1),
    lambda x: np.diag(x), lambda x: np.diag(x, -1), lambda x: np.diag(x[0], 2),
    lambda x: np.diag(x[None]), lambda x: np.tril(x), lambda x: np.triu(x, 1),
    lambda x: np.tril(x, -1), lambda x: np.triu(x[0]), lambda x: np.tril(x[None], 1),
]


@pytest.mark.parametrize("make", range(len(REARRANGED)))
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_rearranged(make, shape):
    x = (np.arange(math.prod(shape)).reshape(shape) + 1).astype("int16")
    same(REARRANGED[make], x)


def test_lengths_that_must_be_known():
    x = variable(A)
    for name, make in (("squeeze", np.squeeze), ("split", lambda x: np.split(x, 2)),
                       ("array_split", lambda x: np.array_split(x, 2))):
        with pytest.raises(TypeError) as error:
            make(x)
        said = name.removeprefix("array_")
        assert str(error.value) == (
            f"{said}() of {x!r} needs lengths that only a call knows")
    for make in (lambda x: np.squeeze(x[:1]), lambda x: np.split(x, 2),
                 lambda x: np.array_split(x, 2, 1), lambda x: np.array_split(x, 4),
                 lambda x: np.split(x, 3), lambda x: np.split(x, 0),
                 lambda x: np.squeeze(x)):
        same(make, A, makers=[known])


def test_what_does_not_fit():
    for make in (lambda x: np.squeeze(x, -1), lambda x: np.repeat(x, -1),
                 lambda x: np.diag(x[None]), lambda x: np.broadcast_to(x, (2, 2))):
        same(make, A)


def test_of_lengths_that_a_call_knows():
    f = function([x := variable(A)], [clinch.tensor.zeros(x.shape), x.shape[0] * 2,
                                      np.tile(x, x.shape[0]), np.roll(x, x.shape[1])])
    zeros, twice, tiled, rolled = f(A)
    check(zeros, np.zeros((2, 3)))
    check(twice, np.int64(4))
    check(tiled, np.tile(A, 2))
    check(rolled, np.roll(A, 3))


def test_more_than_one_array():
    for indexing in ("xy", "ij"):
        same(lambda x, y, i=indexing: np.meshgrid(x, y, indexing=i), V, A[0])
        same(lambda x, y, i=indexing: np.meshgrid(x, y, x, indexing=i), V, A[0])
    same(lambda x: np.meshgrid(x), V)
    same(lambda x, n: np.repeat(x, n, axis=1), A, np.array([2, 0, 1]))
    same(lambda x, k: np.take(x, k), A, np.array([[0, 5], [2, 2]]))
    same(lambda x, k: np.take(x, k), A, np.array([6]))
    same(lambda x, y: np.hstack([x, y]), V, A[0].astype("float32"))
    same(lambda x, y: np.hstack([x, y]), np.array(1.0), np.array(2.0))
    same(lambda x, y: np.column_stack([x, y]), V, np.ones((4, 2), "int8"))
    same(lambda x, y: np.atleast_2d(x, y), V, A)
    with pytest.raises(ValueError, match="Valid values for `indexing`"):
        np.meshgrid(variable(V), indexing="yx")


def numbers(shape, dtype):
    made = np.random.default_rng(3).integers(-3, 4, shape)
    if dtype == "complex128":
        return made + 1j * made[..., ::-1]
    return (made % 2 if dtype == "bool" else made).astype(dtype)


ALONG = [
    lambda x: np.diff(x), lambda x: np.diff(x, axis=0), lambda x: np.diff(x, 2),
    lambda x: np.diff(x, 0), lambda x: np.diff(x, -1), lambda x: np.diff(x, axis=2),
    lambda x: np.diff(x, 5, axis=-2), lambda x: np.cumsum(x), lambda x: np.cumsum(x, 1),
    lambda x: x.cumsum(axis=-1), lambda x: np.cumprod(x, axis=0), lambda x: x.cumprod(),
    lambda x: np.cumsum(x, 2), lambda x: np.count_nonzero(x, axis=0),
    lambda x: np.count_nonzero(x, keepdims=True), lambda x: np.trace(x),
    lambda x: x.trace(1), lambda x: np.trace(x, -1, dtype="complex128"),
    lambda x: np.average(x), lambda x: np.average(x, None),
    lambda x: np.nansum(x), lambda x: np.nansum(x, axis=0, keepdims=True),
    lambda x: np.nanprod(x, axis=-1), lambda x: np.nanmean(x, axis=0),
    lambda x: np.linalg.norm(x), lambda x: np.linalg.norm(x, axis=0),
    lambda x: np.linalg.norm(x, "fro"), lambda x: np.linalg.norm(x, axis=(0, 1)),
    lambda x: np.linalg.norm(x, 1, axis=1, keepdims=True),
    lambda x: np.linalg.norm(x, 0, axis=-1), lambda x: np.linalg.norm(x, 3, axis=0),
    lambda x: np.linalg.norm(x, axis=(0, 1, 2)), lambda x: np.linalg.norm(x, "no", 1),
    lambda x: np.linalg.norm(x, keepdims=True),
    lambda x: np.nonzero(x), lambda x: np.nonzero(x[0]), lambda x: np.flatnonzero(x),
    lambda x: np.argwhere(x), lambda x: x.nonzero(),
]


@pytest.mark.parametrize("make", range(len(ALONG)))
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 4), (0, 3), (3, 0)], ids=str)
@pytest.mark.filterwarnings("ignore")
def test_along_axes(make, dtype, shape):
    same(ALONG[make], numbers(shape, dtype))


ORDERED = [
    lambda x: np.ptp(x), lambda x: np.ptp(x, axis=1), lambda x: np.ptp(x, 0, keepdims=True),
    lambda x: np.nanmax(x), lambda x: np.nanmin(x, axis=0),
    lambda x: np.nanmax(x, axis=1, keepdims=True), lambda x: np.nanvar(x, axis=0),
    lambda x: np.nanvar(x, ddof=1), lambda x: np.nanstd(x, axis=-1, keepdims=True),
    lambda x: np.linalg.norm(x, np.inf, axis=1), lambda x: np.linalg.norm(x, -np.inf, 0),
    lambda x: np.sort(x), lambda x: np.sort(x, axis=0), lambda x: np.sort(x, None),
    lambda x: np.argsort(x, kind="stable"), lambda x: x.argsort(0),
    lambda x: np.sort(x, 2), lambda x: np.median(x), lambda x: np.median(x, axis=1),
    lambda x: np.percentile(x, [25, 50], axis=0), lambda x: np.quantile(x, 0.5),
    lambda x: np.unique(x), lambda x: np.partition(x, 1, axis=-1),
    lambda x: np.interp(x, [0.0, 1.0], [5.0, 6.0]), lambda x: np.isin(x, [1, 2]),
    lambda x: np.searchsorted([0, 1, 2], x), lambda x: np.digitize(x, [0, 1, 2]),
    lambda x: np.pad(x, 1), lambda x: np.delete(x, 0, axis=1), lambda x: np.cov(x),
]


@pytest.mark.parametrize("make", range(len(ORDERED)))
@pytest.mark.parametrize("dtype", ["float64", "float32", "int8"])
@pytest.mark.parametrize("shape", [(2, 3), (0, 3)], ids=str)
@pytest.mark.filterwarnings("ignore")
def test_of_what_has_an_order(make, dtype, shape):
    same(ORDERED[make], numbers(shape, dtype))


def test_norms_of_matrices():
    for x in (A, numbers((3, 3), "int8"), numbers((2, 3), "float32")):
        for order in (1, -1, np.inf, -np.inf, "fro", None):
            same(lambda x, o=order: np.linalg.norm(x, o), x)
            same(lambda x, o=order: np.linalg.norm(x, o, (1, 0), keepdims=True), x)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.filterwarnings("ignore")
def test_without_nans(dtype):
    x = np.array([[1, np.nan, 3], [np.nan, np.nan, np.nan], [np.inf, -np.inf, 2]], dtype)
    for name in ("nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd",
                 "nancumsum", "nanmedian"):
        for axis in (None, 0, 1, -1):
            same(lambda x, n=name, a=axis: getattr(np, n)(x, axis=a), x)
    same(lambda x: np.nan_to_num(x), x)
    same(lambda x: np.nan_to_num(x, nan=1.5, posinf=7.0, neginf=-7.0), x)
    same(lambda x: np.nan_to_num(x), np.array([1 + 1j * np.nan, np.inf + 0j]))
    same(lambda x: np.nan_to_num(x), np.array([1, 2]))
    same(lambda x: np.nanvar(x, axis=1, ddof=2), x)


ENDS = np.array([-np.inf, -2.5, -0.0, 0.0, 1e-9, 1.0, 2.5, np.inf, np.nan])


@pytest.mark.parametrize("name", [
    "isclose", "heaviside", "logaddexp", "logaddexp2", "fmax", "fmin", "float_power",
    "fmod", "nextafter", "divmod"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_two_items(name, dtype):
    x = ENDS.astype(dtype)
    same(lambda x, y: getattr(np, name)(x[:, None], y), x, x)
    if name not in ("nextafter", "divmod"):
        k = np.array([-2, -1, 3, 1])
        same(lambda x, y: getattr(np, name)(x[:, None], y), k.astype("int32"), k)
        with np.errstate(all="ignore"):
            check(over(lambda x: getattr(clinch.tensor, name)(x, 2.0), x),
                  getattr(np, name)(x, np.asarray(2.0, dtype)))


def test_how_close():
    x = np.array([1.0, np.nan, np.inf, 100.0])
    for y in (x, x[::-1].copy(), x * (1 + 1e-6), np.array([1, 2, 3, 100])):
        same(lambda x, y: np.isclose(x, y), x, y)
        same(lambda x, y: np.isclose(x, y, rtol=0, atol=1e-3, equal_nan=True), x, y)
        same(lambda x, y: np.allclose(x, y, equal_nan=True), x, y)
        same(lambda x, y: np.array_equal(x, y), x, y, makers=[known])
    same(lambda x, y: np.isclose(x, y), np.array([1 + 2j]), np.array([1 + 2.00000001j]))
    same(lambda x, y: np.array_equal(x, y), V, A, makers=[known, variable])
    same(lambda x, y: np.array_equal(x, y), V, A[0], makers=[known])
    with pytest.raises(TypeError, match=r"array_equal\(\) of .* needs lengths that only"):
        np.array_equal(variable(V), variable(V))


@pytest.mark.parametrize("decimals", [-2, -1, 0, 1, 3])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8", "complex128"])
def test_rounding(decimals, dtype):
    x = np.array([0.5, 1.5, 2.345, -2.675, 15, 25, -125, 99, np.pi])
    x = (x * (1 + 2j) if dtype == "complex128" else x).astype(dtype)
    same(lambda x: np.round(x, decimals), x)
    same(lambda x: x.round(decimals), x)


def test_choices():
    i = np.array([-2, 0, 3, 5])
    same(lambda x, i: np.select([i > 2, i < 0], [x, i]), V, i)
    check(over(lambda x: clinch.tensor.select([x > 2], [x], 7.5), V.astype("float32")),
          np.array([7.5, 7.5, 7.5, 3.0], "float32"))
    same(lambda i: np.select([i > 2, i[:, None] == 0], [i, 10 * i]), i)
    same(lambda i: np.select([i > 2], [i, i]), i)
    with pytest.raises(ValueError, match="empty condition list"):
        clinch.tensor.select([], [])
    with pytest.raises(TypeError, match="invalid entry 0 in condlist"):
        clinch.tensor.select([variable(i)], [variable(i)])
    same(lambda x: np.polyval([2, 0, -1], x), V)
    same(lambda x: np.polyval([2.5, 1], x), i)
    same(lambda p, x: np.polyval(p, x), V, A, makers=[known])
    with pytest.raises(TypeError, match=r"polyval\(\) of .* needs lengths"):
        np.polyval(variable(V), 1.0)
    same(lambda x, w: np.average(x, weights=w), A, np.abs(A))
    same(lambda x, w: np.average(x, axis=1, weights=w), A, A[1])


PAIRS = [((3,), (3,)), ((2, 3), (3,)), ((2, 3), (4, 3)), ((2, 3, 4), (5, 4)), ((), (3,)),
         ((0, 3), (2, 3)), ((2, 0), (3, 0)), ((2,), (3,))]


@pytest.mark.parametrize("name", ["outer", "inner", "vdot", "kron"])
@pytest.mark.parametrize("pair", PAIRS, ids=str)
@pytest.mark.parametrize("dtypes", [("float64",) * 2, ("int8", "int64"),
                                    ("complex128", "float32")], ids=str)
def test_products(name, pair, dtypes):
    same(getattr(np, name), *(numbers(s, d) if s else np.asarray(3, d)
                              for s, d in zip(pair, dtypes)))


def test_cross_products():
    same(np.cross, V[:3], V[1:])
    same(np.cross, A, V[:3])
    same(lambda x, y: np.cross(x, y, axis=0), A.T.copy(), A.T[::-1].copy())


def test_shapes_that_are_known_stay_known():
    x, v = known(A), known(V)
    for made, shape in ((np.tile(x, 2), (2, 6)), (np.repeat(x, 2), (12,)), (np.triu(x), (2, 3)),
                        (np.sort(v), (4,)), (np.kron(x, v), (2, 12)), (np.trace(x), ()),
                        (np.linspace(v[0], v[1], 5), (5,)), (np.inner(x, x), (2, 2)),
                        (np.repeat(v, known(np.arange(4))), (None,)),
                        (np.tile(v, known(np.array(2))), (None,)), (np.unique(v), (None,))):
        assert made.type.shape == shape, made
    k = TensorType("int64", ())()
    check(function([k, v], np.tile(v, (k, 1)))(2, V), np.tile(V, (2, 1)))


@pytest.mark.parametrize("name", ["inner", "kron", "vdot"])
def test_products_with_a_number_have_the_dtype_of_its_array(name):
    f = function([x := variable(np.ones(1, "int8")), y := variable(np.array(1))],
                 getattr(np, name)(x, y))
    got = f(np.array([100], "int8"), np.array(300))
    assert got.dtype == "int64" and got.ravel().tolist() == [30000]


@pytest.mark.parametrize("subscripts, shapes", [
    ("ij,jk->ik", [(2, 3), (3, 4)]), ("ij,kj->ki", [(2, 3), (4, 3)]),
    ("ji,jk", [(3, 2), (3, 4)]), ("ij,jk->ik", [(0, 3), (3, 4)]),
    ("ij,jk->ik", [(2, 0), (0, 4)]), ("i,i", [(3,), (3,)]), ("i,i->i", [(3,), (3,)]),
    ("i,j", [(3,), (4,)]), ("ij->ji", [(2, 3)]), ("ij->", [(2, 3)]), ("ij->j", [(2, 3)]),
    ("ba", [(2, 3)]), ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]),
    ("ij,ij->i", [(2, 3), (2, 3)]), ("i,ij,j->", [(2,), (2, 3), (3,)]),
    (" ij , j -> i ", [(2, 3), (3,)]), ("ij,ij->ij", [(2, 3), (2, 3)]),
    (",i->i", [(), (3,)]), ("ij,jk->ik", [(2, 3), (4, 5)])])
@pytest.mark.parametrize("dtype", ["float64", "int32", "complex128"])
def test_einsum(subscripts, shapes, dtype):
    same(lambda *x: np.einsum(subscripts, *x),
         *(numbers(s, dtype) if s else np.asarray(2, dtype) for s in shapes))


@pytest.mark.parametrize("subscripts", ["ij,j", "ijk", "ij->k", "i...j->j", "ij,ij"])
def test_what_einsum_refuses(subscripts):
    same(lambda x: np.einsum(subscripts, x), A)


def test_einsum_of_dots_and_of_diagonals():
    m = np.arange(9.0).reshape(3, 3)
    for subscripts in ("ii->i", "ii", "...j->...", "...ii->...", "ij->ji"):
        same(lambda x, s=subscripts: np.einsum(s, x), m)
    made = function([x := variable(m)], np.einsum("ii->i", x))(m)
    made[:] = 7
    assert m[0, 0] == 0  # NumPy's is a view.


def test_a_matrix_product_by_letters_is_one():
    x, y = variable(A), variable(A.T)
    assert "dot(" in repr(np.einsum("ij,jk->ik", x, y))
    assert "dot(" in repr(np.einsum("ij,kj->ki", x, x))


NORMS_OF_NONE = [((0,), (math.inf, -math.inf, 1)),
                 ((0, 3), (math.inf, -math.inf, 1, -1)),
                 ((3, 0), (math.inf, -math.inf, 1, -1))]


@pytest.mark.parametrize(("shape", "orders"), NORMS_OF_NONE, ids=str)
def test_norms_of_no_items_are_those_of_the_installed_numpy(shape, orders):
    for order in orders:
        same(lambda x, o=order: np.linalg.norm(x, o), np.zeros(shape))
    same(lambda x: np.linalg.norm(x, math.inf, -1, keepdims=True), np.zeros(shape))


def test_norms_by_singular_values():
    for order in (2, -2, "nuc"):
        same(lambda x, o=order: np.linalg.norm(x, o), A)


def test_by_numpy_in_every_way():
    x, k = variable(V), variable(np.array([1]))
    made = [np.sort(x)[::-1] * 2, np.searchsorted(np.sort(x), x), np.median(x),
            np.take_along_axis(x, np.argsort(x), 0), np.convolve(x, [1, 0.5], "same"),
            np.bincount(k, minlength=3)]
    want = [np.sort(V)[::-1] * 2, np.searchsorted(np.sort(V), V), np.median(V),
            np.sort(V), np.convolve(V, [1, 0.5], "same"), np.array([0, 1, 0])]
    for mode in (None, Mode(linker="op"), "DebugMode", Mode(form="function")):
        f = function([x, k], made, mode)
        for _ in range(2):
            for got, one in zip(f(V, np.array([1])), want):
                check(got, one)
    assert np.sort(x).owner.op == np.sort(x * 2).owner.op != np.argsort(x).owner.op


def test_what_numpy_gives_in_parts_is_no_one_array():
    with pytest.raises(TypeError) as error:
        np.gradient(variable(A))
    assert str(error.value) == ("numpy.gradient gives more than one array, and has no Op "
                                "that computes it in a graph")
    check(over(np.gradient, V), np.gradient(V))


def test_errors_of_numpys_functions_are_numpys():
    f = function([x := variable(V)], np.bincount(x.astype("int64")))
    with pytest.raises(ValueError, match="negative"):
        f([-1.0])
    with pytest.raises(np.exceptions.AxisError if hasattr(np, "exceptions")
                       else np.AxisError):
        np.sort(variable(V), 3)


def test_every_name_is_one_of_clinch_tensor():
    for name in clinch.tensor.names.OWN:
        assert callable(getattr(clinch.tensor, name)), name
    with pytest.raises(AttributeError):
        clinch.tensor.by_numpy.no_such_name


def test_methods_of_ufuncs():
    for dtype in ("float64", "int8"):
        x = numbers((3, 4), dtype)
        for make in (lambda x: np.add.accumulate(x), lambda x: np.add.accumulate(x, 1),
                     lambda x: np.multiply.accumulate(x, axis=-1),
                     lambda x: np.maximum.accumulate(x, 1)):
            same(make, x)
    with pytest.raises(TypeError, match="^numpy.add.at has no Op"):
        np.add.at(variable(V), [0], 1.0)


def test_a_dtype_is_what_numpy_takes_for_it():
    x = TensorType("float32", (None,))()
    assert x.dtype == "float32" == x.dtype and isinstance(x.dtype, str)
    assert x.dtype == np.float32 and x.dtype == np.dtype("f4") and np.float32 == x.dtype
    assert x.dtype != np.float64 and x.dtype != float and x.dtype != "float64"
    assert x.dtype == "f4" and x.dtype != "f8" and x.dtype != "no dtype"
    assert x.dtype != None and x.dtype != 3 and x.dtype != [x]  # noqa: E711
    assert (x.dtype.kind, x.dtype.itemsize, x.dtype.type) == ("f", 4, np.float32)
    assert {x.dtype: 1}["float32"] == 1 and np.zeros(2, x.dtype).dtype == np.float32
    assert np.finfo(x.dtype).max == np.finfo("float32").max
    with pytest.raises(AttributeError):
        x.dtype.nothing
    jitted = clinch.jit(lambda x: x * 2 if x.dtype == np.float32 else x, strict=True)
    assert jitted(np.ones(2, "float32")).tolist() == [2, 2]


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "complex128"])
def test_linear_algebra_by_numpy(dtype):
    s = np.array([[4, 1, 0], [1, 3, 1], [0, 1, 2]]).astype(dtype)
    b = np.arange(3).astype(dtype)
    for make in (np.linalg.inv, np.linalg.det, np.linalg.cholesky, np.linalg.eigvalsh,
                 np.linalg.cond, lambda x: np.linalg.matrix_power(x, 3),
                 lambda x: np.linalg.inv(x)[0] + 1,
                 lambda x: np.linalg.pinv(x[:2]), np.linalg.matrix_rank):
        close(make, s)
    close(np.linalg.solve, s, b)
    close(lambda x, y: np.linalg.solve(x, y[:, None]), s, b)
    close(lambda x: np.linalg.det(np.stack([x, x])), s)
    for make in (np.fft.fft, np.fft.ifft, np.fft.fft2, lambda x: np.fft.fft(x, axis=0)):
        close(make, s)
    if dtype != "complex128":
        close(np.fft.rfft, s)
        close(lambda x: np.fft.irfft(np.fft.rfft(x), n=3), s)


def close(make, *values):
    got, want = over(make, *values), make(*values)
    assert type(got) is type(np.asarray(want)[()]) and got.dtype == want.dtype
    np.testing.assert_allclose(got, want, 1e-5 if want.dtype.itemsize == 4 else 1e-12,
                               1e-12)


def test_errors_of_linear_algebra():
    f = function([x := variable(A)], np.linalg.inv(x))
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        f(np.zeros((2, 2)))
    with pytest.raises(np.linalg.LinAlgError, match="must be square"):
        f(A)
    with pytest.raises(np.linalg.LinAlgError, match="must be square"):
        np.linalg.inv(known(A))
    with pytest.raises(TypeError, match="^numpy.linalg.svd has no Op"):
        np.linalg.svd(x)


@pytest.mark.parametrize("dtype", ["int64", "int8", "uint8", "float32", "complex64"])
def test_linspace_of_a_dtype(dtype):
    for start, stop in ((-1, 1), (-2.5, 3.25), (5, -7)):
        start, stop = (start, stop) if dtype != "uint8" else (abs(start), abs(stop))
        for end in (True, False):
            same(lambda x, y, e=end: np.linspace(x, y, 4, endpoint=e, dtype=dtype),
                 np.asarray(float(start)), np.asarray(float(stop)))
    check(clinch.jit(lambda x: np.linspace(-1, x, 4, dtype=int))(np.array(1.0)),
          np.array([-1, -1, 0, 1]))


@pytest.mark.parametrize("dtypes", [
    ("uint32", "uint32"), ("uint64", "uint64"), ("uint8", "uint8"), ("int8", "int8"),
    ("int16", "int16"), ("bool", "bool"), ("uint8", "int8"), ("uint64", "float32")],
    ids=str)
@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2"])
def test_logaddexp_of_integers(name, dtypes):
    x, y = (np.array([1, 100, 0, 3, -128, 127]).astype(d) for d in dtypes)
    function = getattr(np, name)
    got, want = over(function, x, y[::-1].copy()), function(x, y[::-1])
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, 2e-3 if want.dtype == "float16" else 1e-6)


W = np.array([1.0, 2, 0.5, 3, 1])
M = np.eye(5) * 3 + np.arange(25).reshape(5, 5) % 4
#: What the lengths 1 and 3 do not fit.
SIZED = [
    (lambda v: np.partition(v, 3), W), (lambda v: np.argpartition(v, 3), W),
    (lambda v: np.partition(v, [0, -5]), W), (lambda v: np.delete(v, 3), W),
    (lambda v: np.delete(v, [4, 1]), W), (lambda v: np.insert(v, 5, 1.5), W),
    (lambda v: np.compress([False] * 4 + [True], v), W),
    (lambda v: np.take_along_axis(v, np.array([4, 0]), 0), W),
    (lambda m: np.take_along_axis(m, np.array([[4], [0], [1], [3], [2]]), 1), M),
    (lambda m: np.take_along_axis(m, np.array([[4], [0]]), 1), M[:2]),
    (lambda v: np.interp(v, np.sort(v), np.arange(5.0)), W),
    (lambda v: np.interp([1.5], np.sort(v), np.arange(5.0)), W),
    (lambda v: np.polyfit(v, np.arange(5.0), 1), np.arange(5.0)),
    (lambda v: np.cov(v, np.arange(5.0)), W), (lambda v: np.corrcoef(v, np.arange(5.0)), W),
    (lambda v: np.average(v, weights=np.arange(5.0)), W),
    (lambda m: np.average(m, axis=0, weights=np.arange(2.0)), M[:2]),
    (lambda i: np.bincount(i, weights=np.arange(5.0)), np.array([0, 2, 1, 0, 2])),
    (lambda v: np.gradient(v, np.arange(5.0) ** 2), W),
    (lambda m: np.linalg.solve(m, np.arange(5.0)), M),
    (lambda v: np.linalg.solve(M, v), W),
]


@pytest.mark.parametrize("case", range(len(SIZED)))
def test_what_needs_certain_lengths(case):
    make, value = SIZED[case]
    same(make, value)
    check(clinch.jit(make, strict=True)(value), make(value))


@pytest.mark.parametrize("make, short", [
    (lambda v: np.partition(v, 3), W[:2]), (lambda v: np.delete(v, 3), W[:2]),
    (lambda v: np.interp(v, v, np.arange(5.0)), W[:2]),
    (lambda v: np.polyfit(v, np.arange(5.0), 1), W[:2]),
    (lambda v: np.cov(v, np.arange(5.0)), W[:2]),
    (lambda v: np.average(v, weights=np.arange(5.0)), W[:2]),
    (lambda v: np.bincount(v.astype(int), weights=np.arange(5.0)), W[:2]),
    (lambda v: np.compress([False] * 4 + [True], v), W[:2]),
    (lambda v: np.take_along_axis(v, np.array([4]), 0), W[:2]),
    (lambda m: np.linalg.solve(m, np.arange(5.0)), M[:2, :2])])
def test_arrays_of_other_lengths_are_numpys_errors(make, short):
    with pytest.raises(Exception) as want:
        make(short)
    f = function([x := variable(short)], make(x))
    with pytest.raises(want.type) as error:
        f(short)
    assert str(error.value).startswith(str(want.value))


def test_what_fits_no_lengths_is_refused_at_once():
    with pytest.raises(ValueError, match="^object too deep for desired array"):
        np.interp(variable(V), A, A)
    with pytest.raises(TypeError, match="unexpected keyword"):
        clinch.tensor.partition(variable(V), 3, nothing=1)


@pytest.mark.parametrize("jitted", [False, True])
def test_arrays_among_the_arguments_are_copied(jitted):
    """A graph has them as they were; what `jit` runs has them as Python would."""
    xp, fp, more = np.array([0.0, 1.0]), np.array([5.0, 6.0]), np.array([0.5])
    x = np.array([0.25, 3.0])

    def make(v):
        return [np.interp(v, xp, fp), np.union1d(v, [more, more])]
    f = clinch.jit(make) if jitted else function([v := variable(x)], make(v))
    want = make(x)
    for _ in range(2):
        for got, one in zip(f(x), make(x) if jitted else want):
            check(got, one)
        xp[:], fp[:], more[:] = 7, 0, 9
