"""What arrays refuse: NumPy's own type of exception, and its words."""

import numpy
import pytest

import clinch
from arrays import array, check, variable
from clinch import Mode, TensorType, _clinch, function, matrix, vector
from clinch.tensor import threads


@pytest.mark.parametrize("dtype, make", [
    ("bool", lambda x: -x), ("bool", lambda x: x - x),
    ("float64", lambda x: x & x), ("float64", lambda x: ~x),
    ("complex128", lambda x: x % x), ("complex128", numpy.floor),
    ("complex128", lambda x: x.max()), ("complex128", lambda x: x.argmax()),
])
def test_a_dtype_without_a_rule_is_a_type_error(dtype, make):
    with pytest.raises(TypeError, match="is not defined for"):
        make(TensorType(dtype, (None,))())


def test_a_missing_rule_is_an_error_of_the_graph_as_well():
    with pytest.raises(clinch.GraphError):
        clinch.tensor.and_(vector(), vector())
    with pytest.raises(clinch.DtypeError, match="`and_` is not defined for "
                                                "float64"):
        clinch.tensor.and_(vector(), vector())


def test_a_step_of_zero():
    with pytest.raises(ZeroDivisionError):
        clinch.tensor.arange(0, 10, 0)
    with pytest.raises(ZeroDivisionError):
        numpy.arange(0, 10, 0)


def test_a_search_goes_along_one_axis():
    for wrong in ((0,), 1.5):
        with pytest.raises(TypeError, match="cannot be interpreted as an "
                                            "integer"):
            matrix().argmax(axis=wrong)
    with pytest.raises(numpy.AxisError if hasattr(numpy, "AxisError")
                       else numpy.exceptions.AxisError):
        matrix().argmin(axis=2)


@pytest.mark.parametrize("shape, place, given", [
    ((5,), lambda x: x[3], (2,)), ((5,), lambda x: x[1:3], (4,)),
    ((2, 3), lambda x: x[0], (2,)), ((2, 3), lambda x: x[:, 1], (2, 2)),
])
def test_what_does_not_fit_its_place_is_known_early(shape, place, given):
    x = TensorType("float64", shape)()
    early = place(x).type.shape
    with pytest.raises(ValueError, match="could not broadcast input array "
                                         "from shape|sequence") as ours:
        clinch.set_subtensor(place(x), numpy.ones(given))
    if early:
        value = numpy.ones(shape)
        with pytest.raises(ValueError) as theirs:
            place(value)[...] = numpy.ones(given)
        if None not in early:
            assert str(ours.value) == str(theirs.value)


def test_leading_dimensions_of_one_item_fit_a_place():
    x = TensorType("float64", (5,))()
    f = function([x], clinch.set_subtensor(x[1:3], numpy.ones((1, 2))))
    check(f(numpy.zeros(5)), numpy.array([0.0, 1, 1, 0, 0]))


def test_threads_of_a_function():
    x, y = array((300, 301)), array((301,))
    a, b = variable(x), variable(y)
    f = function([a, b], [a * b + 1, (a + b).sum()], mode=Mode(threads=2))
    # Where there is no OpenMP it is one thread; see the next test.
    assert ("GOMP_parallel, 2" in f.emit("c")) == bool(_clinch.openmp())
    got = f(x, y)
    check(got[0], x * y + 1)
    check(got[1], (x + y).sum())
    assert "GOMP_parallel" not in function([a, b], a * b,
                                           mode=Mode(threads=1)).emit("c")
    auto = function([a, b], a * b, mode=Mode(threads="auto")).emit("c")
    assert ("GOMP_parallel, 0" in auto) == bool(_clinch.openmp())
    copy = f.copy()
    check(copy(x, y)[0], x * y + 1)
    for wrong, error in ((0, ValueError), (1.5, TypeError)):
        with pytest.raises(error):
            function([a], a + 1, mode=Mode(threads=wrong))
    with pytest.raises(ValueError, match='threads is 1 or more, or "auto", not -2'):
        function([a], a + 1, mode=Mode(threads=-2))


def test_without_openmp_there_is_one_thread_and_a_warning(monkeypatch):
    monkeypatch.setattr(_clinch, "openmp", lambda: "")
    threads._warn.cache_clear()
    x = array((300, 301))
    a = variable(x)
    with pytest.warns(UserWarning, match="Clinch finds no OpenMP: neither `libomp.so` nor "
                      "`libgomp.so.1` is installed. Loops over arrays run on one thread."):
        f = function([a], a * 3, mode=Mode(threads=2))
    assert "GOMP_parallel" not in f.emit("c")
    check(f(x), x * 3)


X = array((2, 3))
EARLY_AND_LATE = [
    (lambda a, b: a + b, X, array(4)),
    (lambda a, b: a @ b, X, array(4)),
    (lambda a, b: numpy.dot(a, b), X, array(4)),
    (lambda a, b: numpy.concatenate([a, b]), X, array((2, 4))),
    (lambda a, b: numpy.concatenate([a, b]), X, array(4)),
    (lambda a: a.reshape(4, 2), X),
    (lambda a: a.reshape(-1, -1), X),
    (lambda a: a.swapaxes(0, 2), X),
    (lambda a: a.sum(axis=(0, -2)), X),
    (lambda a: a.max(axis=-3), X),
    (lambda a: a[2], X), (lambda a: a[0, 7], X), (lambda a: a[:, -4], X),
    (lambda a: a[[0, 5]], X), (lambda a: a[..., numpy.array([0, -4])], X),
    (lambda a: a[None, 0, [3]], X),
    (lambda a: a[[True, False, True]], X),
    (lambda a: a[:, [True, False]], X),
    (lambda a: a[numpy.ones((2, 4), bool)], X),
    (lambda a, b: a[b], X, numpy.ones((3, 3), bool)),
    (lambda a: a[[0, 1], [0, 1, 2]], X),
    (lambda a, b: a[b, [0, 1, 2]], X, numpy.array([0, 1])),
    (lambda a: a[::0], X),
    (lambda a: a[1.5:], X),
    (lambda a: a[:, :, 0], X),
]


@pytest.mark.parametrize("known", [True, False], ids=["early", "late"])
@pytest.mark.parametrize("make, values", [
    (make, values) for make, *values in EARLY_AND_LATE])
def test_what_does_not_fit_is_refused_in_numpys_words(make, values, known):
    with pytest.raises(Exception) as theirs:
        make(*values)
    if known:
        with pytest.raises(type(theirs.value)) as ours:
            make(*[TensorType(v.dtype, v.shape)() for v in values])
    else:
        with pytest.raises(type(theirs.value)) as ours:
            variables = list(map(variable, values))
            function(variables, make(*variables))(*values)
    assert str(ours.value) == str(theirs.value)


def test_arrays_that_cannot_be_stacked():
    a, b = array((2, 3)), array((2, 4))
    with pytest.raises(ValueError) as theirs:
        numpy.stack([a, b])
    with pytest.raises(ValueError) as ours:
        clinch.tensor.stack([TensorType(v.dtype, v.shape)() for v in (a, b)])
    assert str(ours.value) == str(theirs.value)
    v, w = variable(a), variable(b)
    with pytest.raises(ValueError, match="along dimension 2"):
        function([v, w], clinch.tensor.stack([v, w]))(a, b)


def test_more_items_than_can_be_counted():
    """Though nobody makes an array of them."""
    a = numpy.broadcast_to(numpy.int8(1), (2**32, 1))
    v, w = variable(a), variable(a.T)
    with pytest.raises(ValueError) as theirs:
        a + a.T
    for made in (v + w, (v + w).sum(), (v + w).max(axis=0)):
        with pytest.raises(ValueError) as ours:
            function([v, w], made)(a, a.T)
        assert str(ours.value) == str(theirs.value) == "iterator is too large"


DIMS = 64 if numpy.__version__.startswith("2") else 32


@pytest.mark.parametrize("make", [
    lambda a: a[None], lambda a: a[None, ..., numpy.array([0])],
    lambda a: a.reshape((1,) * (DIMS + 1)),
    lambda a: numpy.full_like(a[..., 0], 1.0, shape=(1,) * (DIMS + 1))
    if isinstance(a, numpy.ndarray) else clinch.tensor.full((1,) * (DIMS + 1), 1.0),
    lambda a: a + a,
], ids=["new", "new and array", "reshape", "full", "as many"])
def test_as_many_dimensions_as_numpy_has(make):
    a = numpy.ones((1,) * (DIMS - 1) + (2,))
    v = variable(a)
    try:
        want = make(a)
    except (IndexError, ValueError) as error:
        with pytest.raises(type(error)) as ours:
            make(v)
        assert str(ours.value) == str(error)
    else:
        check(function([v], make(v))(a), want)


def test_a_reduction_of_all_dimensions_that_there_can_be():
    a = array((1,) * (DIMS - 3) + (2, 3, 4))
    v = variable(a)
    made = [lambda x: (x * 2 + 1).sum(axis=(0, -1)), lambda x: x.max(axis=-2),
            lambda x: x.argmax(axis=-1), lambda x: x.T, lambda x: x.mean(),
            lambda x: x[..., ::-1, 0], lambda x: x.reshape(-1)]
    for make, got in zip(made, function([v], [m(v) for m in made])(a)):
        check(got, make(a))


def test_a_variable_is_not_changed_and_has_no_values():
    x = matrix("x")
    with pytest.raises(TypeError, match=r"x does not change: "
                       r"`set_subtensor\(x\[...\], value\)` is a copy"):
        x[0] = 1.0
    with pytest.raises(TypeError, match=r"x does not change"):
        x[0] += 1.0
    with pytest.raises(TypeError, match=r"`\(x == value\).any\(\)`"):
        3.0 in TensorType("float64", (2,))()
    with pytest.raises(TypeError, match="^numpy.linalg.svd has no Op"):
        numpy.linalg.svd(x)


def test_what_numpy_says_of_a_variable():
    x = matrix("x")
    assert numpy.ndim(x) == 2 == x.ndim
    assert function([x], numpy.shape(x))(X) == [2, 3]
    known = clinch.TensorType("float64", (None, 3))("known")
    assert known.shape[1] == 3 and function([known], known.shape[0])(X) == 2
    fixed = clinch.TensorType("float64", (2, 3))("fixed")
    assert (fixed.shape, fixed.size, len(fixed)) == ((2, 3), 6, 2)
    assert numpy.size(fixed, 1) == 3 and function([x], numpy.size(x, 0))(X) == 2
