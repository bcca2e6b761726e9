"""Authors' own scalar Ops over arrays."""

import numpy
import pytest

import clinch
from clinch import Apply, COp, Mode, Scalar, double, function
from clinch.tensor import Elemwise
from arrays import array, check, over, variable


class Checked(COp):
    """An author's own scalar Op: fails, has support code and a cleanup."""

    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_support_code_apply(self, node, name):
        return f"static int cleanups_{name} = 0;\n" \
               f"static double half_{name}(double x) {{ return x / 2; }}"

    def c_code(self, node, name, inputs, outputs, sub):
        return f"""
        double *memory = (double *)malloc(sizeof(double));
        if ({inputs[0]} < 0) {{
          PyErr_SetString(PyExc_ValueError, "below zero");
          free(memory);
          {sub['fail']}
        }}
        *memory = half_{name}({inputs[0]});
        {outputs[0]} = *memory;
        free(memory);
        """

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return f"cleanups_{name}++;"


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


class Returns(Checked):
    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = 1; return;"


def test_a_return_in_scalar_code_is_refused():
    with pytest.raises(clinch.CompileError, match="should return a value"):
        over(Elemwise(Returns()), array(3))


class Silent(Checked):
    def c_code(self, node, name, inputs, outputs, sub):
        return sub["fail"]


def test_a_failure_without_an_exception():
    with pytest.raises(RuntimeError, match="`Silent` failed without setting an "
                                           "exception"):
        over(Elemwise(Silent()), array(3))


class TwoResults(COp):
    __props__ = ()

    def make_node(self, x, y):
        return Apply(self, [x, y], [x.type(), Scalar("bool")()])

    def c_code(self, node, name, inputs, outputs, sub):
        (x, y), (total, same) = inputs, outputs
        return f"{total} = {x} + {y}; {same} = {x} == {y};"


def test_several_outputs():
    x, y = array((40, 50), seed=1), array(50, seed=2)
    a, b = variable(x), variable(y)
    total, same = function([a, b], Elemwise(TwoResults())(a, b))(x, y)
    check(total, x + y)
    check(same, x == y)


def test_one_of_several_outputs_of_a_list():
    v = variable(array(3))
    check(function([v], Elemwise(TwoResults())(v, v))([1., 2., 3.])[0],
          numpy.array([2., 4., 6.]))


class WithState(Checked):
    def c_support_code_struct(self, node, name):
        return f"int seen_{name};"


def test_an_op_with_state_is_no_loops():
    x = variable(array(3))
    with pytest.raises(NotImplementedError, match="has state of its own"):
        function([x], Elemwise(WithState())(x), mode=Mode(linker="graph"))
