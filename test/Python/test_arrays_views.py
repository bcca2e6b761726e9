"""Views, indexing, joining and products, against NumPy."""

import numpy
import pytest

import clinch
from arrays import array, check, check_all, over, variable
from clinch import TensorType, config, function, set_subtensor
from clinch.tensor import inc_subtensor


def test_views():
    x = array((2, 3, 4))
    check_all([x], [
        lambda x: x.T, lambda x: x.transpose(1, 2, 0),
        lambda x: x.transpose((2, 0, 1)), lambda x: x.swapaxes(0, -1),
        lambda x: x.reshape(6, 4), lambda x: x.reshape((-1, 2)),
        lambda x: x.T.reshape(-1), lambda x: numpy.transpose(x, (0, 2, 1)),
        lambda x: x.ravel(), lambda x: x.reshape(1, 24, 1)])
    v = variable(x)
    f = function([clinch.In(v, borrow=True)], clinch.Out(v.T, borrow=True))
    assert numpy.shares_memory(f(x), x)


def test_views_that_cannot_be():
    x = array((2, 3))
    v = variable(x)
    with pytest.raises(ValueError, match="axes don't match array"):
        v.transpose(0)
    with pytest.raises(ValueError, match="repeated axis in transpose"):
        v.transpose(0, 0)
    with pytest.raises(ValueError, match="cannot reshape array of size 6 into "
                                         r"shape \(4,2\)"):
        function([v], v.reshape(4, 2))(x)
    with pytest.raises(ValueError, match="cannot reshape array of size 6"):
        TensorType("float64", (2, 3))().reshape(5)


KEYS = [
    1, -1, (0, 2), slice(1, None), slice(None, None, -1), slice(None, 5, 2),
    (slice(None), 1), None, (None, slice(1), None), Ellipsis, (Ellipsis, 0),
    (0, Ellipsis), (1, None, Ellipsis, slice(None, None, 2)), (),
    (slice(5, 1),), (slice(-2, None), slice(-1, 0, -1), 3),
]


def test_basic_indexing():
    x = array((3, 4, 5))
    check_all([x], [lambda x, k=k: x[k] for k in KEYS])
    v = variable(x)
    f = function([clinch.In(v, borrow=True)],
                 clinch.Out(v[1:, ::-1], borrow=True))
    assert numpy.shares_memory(f(x), x)


def test_the_shape_of_an_index_is_known_where_it_can_be():
    v = TensorType("float64", (5, None, 3))()
    assert v[1:].type.shape == (4, None, 3)
    assert v[::2, None, 0].type.shape == (3, 1, 3)
    assert v[..., 1].type.shape == (5, None)
    assert v.T.type.shape == (3, None, 5)
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 "
                                         "with size 5"):
        v[5]


def test_advanced_indexing():
    x = array((4, 5, 6))
    rows = numpy.array([0, 2, 2, -1])
    mask = array((4, 5)) > 2
    check_all([x], [
        lambda x: x[[0, 2]], lambda x: x[rows], lambda x: x[rows, 1:3],
        lambda x: x[:, rows, 0], lambda x: x[rows, :, rows],
        lambda x: x[rows[:, None], [0, 1]], lambda x: x[mask],
        lambda x: x[0, mask[0]], lambda x: x[..., [True] * 6],
        lambda x: x[[], 0], lambda x: x[numpy.array(1)], lambda x: x[x > 2]])


def test_keys_that_are_variables():
    x, rows = array((4, 5)), numpy.array([3, 0, 1])
    v, r, i = variable(x), variable(rows), clinch.Scalar("int64")("i")
    f = function([v, r, i], [v[i], v[i:], v[r], v[r, i], v[v.shape[0] - 1],
                             v[::i]])
    for got, want in zip(f(x, rows, numpy.int64(2)),
                         [x[2], x[2:], x[rows], x[rows, 2], x[3], x[::2]]):
        check(got, want)


@pytest.mark.parametrize("key, message", [
    ((0, 0, 0), "too many indices for array: array is 2-dimensional, but 3 "
                "were indexed"),
    (1.5, r"only integers, slices \(`:`\), ellipsis"),
    ("a", r"only integers, slices \(`:`\), ellipsis"),
    ([1.5], r"arrays used as indices must be of integer"),
    ((Ellipsis, Ellipsis), "an index can only have a single ellipsis"),
], ids=str)
def test_keys_that_are_none(key, message):
    with pytest.raises(IndexError, match=message):
        variable(array((2, 3)))[key]


@pytest.mark.parametrize("key, message", [
    (7, "index 7 is out of bounds for axis 0 with size 2"),
    (([0, 5],), "index 5 is out of bounds for axis 0 with size 2"),
    ([True, False, True], "boolean index did not match indexed array along"),
    (([0, 1], [0, 1, 2]), "shape mismatch: indexing arrays could not be "
                          "broadcast together"),
], ids=str)
def test_keys_that_do_not_fit(key, message):
    x = array((2, 3))
    v = variable(x)
    with pytest.raises(IndexError, match=message):
        function([v], v[key])(x)


def test_a_slice_of_step_zero():
    x = array(3)
    v = variable(x)
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        function([v], v[::0])(x)


def test_setting():
    x = array((4, 5))
    v = variable(x)
    y = numpy.arange(5.0)
    made = [set_subtensor(v[1:3], 7.0), set_subtensor(v[2], y),
            set_subtensor(v[[0, 3]], y), inc_subtensor(v[1:], 1.0),
            inc_subtensor(v[[0, 0, 1]], 1.0), set_subtensor(v[v > 2], 0.0)]
    wants = [x.copy() for _ in made]
    wants[0][1:3] = 7
    wants[1][2] = y
    wants[2][[0, 3]] = y
    wants[3][1:] += 1
    numpy.add.at(wants[4], [0, 0, 1], 1)
    wants[5][x > 2] = 0
    before = x.copy()
    for mode in (None, "DebugMode"):
        for got, want in zip(function([v], made, mode=mode)(x), wants):
            check(got, want)
    check(x, before)


def test_setting_in_place():
    x = array((4, 5))
    v = variable(x)
    f = function([clinch.In(v, mutable=True)],
                 set_subtensor(v[1:], 3.0, inplace=True))
    assert f(x) is x and (x[1:] == 3).all()
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        f(x)
    with pytest.raises(TypeError, match="the place to change is an index"):
        set_subtensor(v, 3.0)
    with pytest.raises(ValueError, match="could not broadcast input array"):
        function([v], set_subtensor(v[0], numpy.arange(3.0)))(array((4, 5)))


def test_joining():
    x, y = array((2, 3)), array((2, 3), "int32", 1)
    check_all([x, y], [
        lambda x, y: numpy.concatenate([x, y]),
        lambda x, y: numpy.concatenate([x, y, x], axis=-1),
        lambda x, y: numpy.concatenate([x, y], axis=None),
        lambda x, y: numpy.stack([x, y]),
        lambda x, y: numpy.stack([x, y], axis=-1)])
    v, w = variable(x), variable(array((2, 4)))
    with pytest.raises(ValueError, match="must match exactly, but along "
                       "dimension 1, the array at index 0 has size 3"):
        function([v, w], clinch.tensor.concatenate([v, w]))(x, array((2, 4)))
    with pytest.raises(ValueError, match="but along dimension 1, the array at "
                                         "index 0 has size 3"):
        clinch.tensor.concatenate([TensorType("float64", (2, 3))(),
                            TensorType("float64", (2, 4))()])
    with pytest.raises(ValueError, match="need at least one array"):
        clinch.tensor.concatenate([])
    with pytest.raises(ValueError, match="zero-dimensional arrays cannot be "
                                         "concatenated"):
        clinch.tensor.concatenate([clinch.constant(numpy.array(1.0))] * 2)


def test_making():
    x = array((2, 3), "float32")
    v, n = variable(x), clinch.Scalar("int64")("n")
    made = [clinch.tensor.arange(n), clinch.tensor.arange(1, n, 2), clinch.tensor.arange(0.5, 3),
            clinch.tensor.full((n, 2), 1.5), clinch.tensor.zeros(3), clinch.tensor.ones((2, n)),
            clinch.tensor.zeros_like(v), clinch.tensor.full_like(v, 7),
            clinch.tensor.arange(v.shape[1]), v.size, clinch.shape(v)]
    want = [numpy.arange(4), numpy.arange(1, 4, 2), numpy.arange(0.5, 3),
            numpy.full((4, 2), 1.5), numpy.zeros(3), numpy.ones((2, 4)),
            numpy.zeros_like(x), numpy.full_like(x, 7), numpy.arange(3),
            numpy.int64(6), numpy.array([2, 3])]
    for mode in (None, "DebugMode"):
        for a, b in zip(function([v, n], made, mode=mode)(x, numpy.int64(4)),
                        want):
            check(a, b)
    with pytest.raises(ValueError, match="negative dimensions are not allowed"):
        clinch.tensor.zeros(-1)
    with pytest.raises(ValueError, match="negative dimensions are not allowed"):
        function([n], clinch.tensor.zeros(n))(numpy.int64(-1))
    with pytest.raises(TypeError, match="is no whole number"):
        clinch.tensor.zeros(v)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128",
                                   "complex64", "int32", "bool"])
def test_products(dtype):
    x, y = array((3, 4), dtype, 1), array((4, 5), dtype, 2)
    v = array(4, dtype, 3)
    check_all([x, y, v], [
        lambda x, y, v: x @ y, lambda x, y, v: y.T @ x.T,
        lambda x, y, v: x @ v, lambda x, y, v: v @ y, lambda x, y, v: v @ v,
        lambda x, y, v: numpy.dot(x, y), lambda x, y, v: x.dot(v),
        lambda x, y, v: x[:, ::-1] @ y[::-1], lambda x, y, v: x[:0] @ y,
        lambda x, y, v: x[:, :0] @ y[:0], lambda x, y, v: x[::2, ::3] @ y[::3],
        lambda x, y, v: x[:1] @ y[:, :1], lambda x, y, v: x[:, :1] @ y[:1],
        lambda x, y, v: x.T[:, 1:] @ x[1:]])


def test_a_product_beside_an_op_of_cxx():
    x, y = array((3, 4)), array((4, 5))
    v, w = variable(x), variable(y)
    f = function([v, w], v @ w, mode=clinch.Mode(language="c++"))
    assert "gemm_" in f.emit("c")
    check(f(x, y), x @ y)


def test_products_of_stacks():
    x, y = array((2, 1, 3, 4)), array((5, 4, 2))
    check_all([x, y], [lambda x, y: x @ y, lambda x, y: numpy.dot(x, y)])


def test_products_of_two_dtypes():
    x, y = array((3, 4), "float32"), array((4, 5), "int64")
    check_all([x, y], [lambda x, y: x @ y])


@pytest.mark.parametrize("blas", [None, False])
def test_products_that_do_not_fit(blas, monkeypatch):
    monkeypatch.setattr(config, "blas", blas)
    x = array((2, 3))
    v = variable(x)
    with pytest.raises(ValueError) as theirs:
        x @ x
    with pytest.raises(ValueError) as ours:
        function([v], v @ v)(x)
    assert str(ours.value) == str(theirs.value)
    with pytest.raises(ValueError) as theirs:
        numpy.dot(x, x)
    with pytest.raises(ValueError) as ours:
        function([v], v.dot(v))(x)
    assert str(ours.value) == str(theirs.value)
    with pytest.raises(ValueError, match="not aligned: 3 .dim 1. != 2"):
        a = TensorType("float64", (2, 3))()
        a.dot(a)


def test_without_a_blas_numpy_multiplies(monkeypatch):
    monkeypatch.setattr(config, "blas", False)
    x = array((3, 4))
    v = variable(x)
    f = function([v], v @ v.T)
    assert "gemm" not in f.emit("c")
    check(f(x), x @ x.T)


def test_a_blas_that_is_not_there(monkeypatch):
    monkeypatch.setattr(config, "blas", "nosuchblas")
    with pytest.raises(ValueError, match="config.blas is 'nosuchblas': no "
                                         "library of that name"):
        variable(array((2, 2))) @ variable(array((2, 2)))


def test_operators_that_are_no_ops_of_their_own():
    x = array((3, 4))
    check_all([x], [lambda x: +x, lambda x: divmod(x, 2)[0],
                    lambda x: divmod(x, 2)[1], lambda x: divmod(7.0, x)[1],
                    lambda x: numpy.positive(x)])


def test_casts():
    x = array((3, 4)) + 0.5
    check_all([x], [lambda x: x.astype("int32"), lambda x: x.astype(bool),
                    lambda x: x.astype("complex64")])
    v = variable(x)
    assert v.astype("float64") is v
    check(over(lambda x: clinch.cast(x, "int8"), x), x.astype("int8"))


def test_choices():
    x, y = array((3, 4)), array(4, "int32", 1)
    check_all([x, y], [
        lambda x, y: numpy.where(x > 2, x, y), lambda x, y: x.clip(2, 3),
        lambda x, y: numpy.where(y, x, 0), lambda x, y: numpy.clip(x, 2, None),
        lambda x, y: (x > 2) & (y < 3), lambda x, y: numpy.maximum(x, y),
        lambda x, y: numpy.logical_not(x), lambda x, y: numpy.isfinite(x)])
    with pytest.raises(ValueError, match="One of max or min must be given"):
        variable(x).clip()
