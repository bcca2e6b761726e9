"""Authors' own scalar Ops over arrays."""

import numpy
import pytest

import clinch
from clinch import Apply, Mode, Scalar, double, function
from clinch.tensor import Elemwise
from clinch.testing import TextOp
from arrays import array, check, over, variable


class Checked(TextOp):
    """An author's own scalar Op: fails, has support code and a cleanup."""

    def __init__(self, code="""
        double *memory = (double *)malloc(sizeof(double));
        if ({x} < 0) {
          PyErr_SetString(PyExc_ValueError, "below zero");
          free(memory);
          {fail}
        }
        *memory = half_{name}({x});
        {z} = *memory;
        free(memory);""", **more):
        super().__init__(code, cleanup="cleanups_{name}++;", support_apply="""
            static int cleanups_{name} = 0;
            static double half_{name}(double x) { return x / 2; }""", **more)


def test_an_authors_scalar_op():
    check(over(Elemwise(Checked()), array((2, 3))), array((2, 3)) / 2)
    with pytest.raises(ValueError, match="below zero") as raised:
        over(Elemwise(Checked()), numpy.array([1., -1.]))
    assert raised.value.__notes__[0] == \
        "Clinch: `Checked` failed at index (1,)."


class OnFloats(Checked):
    """Takes Python's floats and nothing else."""

    def make_node(self, x):
        if x.type != double:
            raise TypeError("a double, please")
        return Apply(self, [x], [x.type()])


def test_an_authors_op_on_floats():
    check(over(Elemwise(OnFloats()), array(3)), array(3) / 2)
    with pytest.raises(TypeError, match="a double, please"):
        Elemwise(OnFloats())(variable(array(3, "int32")))


def test_a_return_in_scalar_code_is_refused():
    with pytest.raises(clinch.CompileError, match="should return a value"):
        over(Elemwise(Checked("{z} = 1; return;")), array(3))


def test_a_failure_without_an_exception():
    with pytest.raises(RuntimeError, match="`Checked` failed without setting an "
                                           "exception"):
        over(Elemwise(Checked("{fail}")), array(3))


two_results = TextOp("{z} = {x} + {y}; {u} = {x} == {y};",
                     [Scalar("float64"), Scalar("bool")])


def test_several_outputs():
    x, y = array((40, 50), seed=1), array(50, seed=2)
    a, b = variable(x), variable(y)
    total, same = function([a, b], Elemwise(two_results)(a, b))(x, y)
    check(total, x + y)
    check(same, x == y)


def test_one_of_several_outputs_of_a_list():
    v = variable(array(3))
    check(function([v], Elemwise(two_results)(v, v))([1., 2., 3.])[0],
          numpy.array([2., 4., 6.]))


def test_an_op_with_state_is_no_loops():
    x = variable(array(3))
    with pytest.raises(NotImplementedError, match="has state of its own"):
        function([x], Elemwise(Checked(struct="int seen_{name};"))(x), mode=Mode(linker="graph"))
