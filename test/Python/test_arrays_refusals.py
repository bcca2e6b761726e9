"""What arrays refuse: NumPy's own type of exception, and its words."""

import numpy
import pytest

import clinch
from arrays import array, check, variable
from clinch import TensorType, function, matrix, vector


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
        clinch.and_(vector(), vector())
    with pytest.raises(clinch.DtypeError, match="`and_` is not defined for "
                                                "float64"):
        clinch.and_(vector(), vector())


def test_a_step_of_zero():
    with pytest.raises(ZeroDivisionError):
        clinch.arange(0, 10, 0)
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
    f = function([a, b], [a * b + 1, (a + b).sum()], threads=2)
    assert "GOMP_parallel, 2" in f.emit("c")
    got = f(x, y)
    check(got[0], x * y + 1)
    check(got[1], (x + y).sum())
    assert "GOMP_parallel" not in function([a, b], a * b, threads=1).emit("c")
    copy = f.copy()
    check(copy(x, y)[0], x * y + 1)
    for wrong, error in ((0, ValueError), (1.5, TypeError)):
        with pytest.raises(error):
            function([a], a + 1, threads=wrong)
    with pytest.raises(ValueError, match="threads is 1 or more, not -2"):
        function([a], a + 1, threads=-2)
