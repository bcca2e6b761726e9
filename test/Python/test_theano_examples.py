"""What the seed documents show does here what it does there."""

import numpy
import pytest

import clinch
import clinch as theano
from clinch import (Apply, Mode, Op, ResultBase, TensorType, Type, add, double,
                    function, mul)
from theano_ops import (Double, ExternalVectorProduct, VectorTimesScalar,
                      VectorTimesVector)


def by_assignment():
    """A plain Type whose fields are set one by one."""
    made = theano.Type()

    def filter(x, strict=False, allow_downcast=None):
        if strict:
            if isinstance(x, float):
                return x
            raise TypeError("Expected a float!")
        if allow_downcast:
            return float(x)
        x_float = float(x)
        if x_float == x:
            return x_float
        raise TypeError("cannot represent %s (of type %s)" % (x, type(x)))
    made.filter = filter

    def c_declare(name, sub):
        return """
        double %(name)s;
        """ % dict(name=name)
    made.c_declare = c_declare

    def c_init(name, sub):
        return """
        %(name)s = 0.0;
        """ % dict(name=name)
    made.c_init = c_init

    def c_extract(name, sub):
        return """
        if (!PyFloat_Check(py_%(name)s)) {
            PyErr_SetString(PyExc_TypeError, "expected a float");
            %(fail)s
        }
        %(name)s = PyFloat_AsDouble(py_%(name)s);
        """ % dict(name=name, fail=sub["fail"])
    made.c_extract = c_extract

    def c_sync(name, sub):
        return """
        Py_XDECREF(py_%(name)s);
        py_%(name)s = PyFloat_FromDouble(%(name)s);
        """ % dict(name=name)
    made.c_sync = c_sync

    def c_cleanup(name, sub):
        return ""
    made.c_cleanup = c_cleanup
    return made


class Proposal(ResultBase):
    """Hooks without arguments return templates, as in 2008."""

    c_is_simple = True

    def filter(self, value, strict=False, allow_downcast=None):
        return float(value)

    def c_declare(self):
        return "double %(name)s;"

    def c_init(self):
        return "%(name)s = 0.0;"

    def c_extract(self):
        return "%(name)s = PyFloat_AsDouble(py_%(name)s);"

    def c_cleanup(self):
        return ""

    def c_sync(self):
        return ("Py_XDECREF(py_%(name)s); "
                "py_%(name)s = PyFloat_FromDouble(%(name)s);")


@pytest.mark.parametrize("make", [by_assignment, Double, Proposal,
                                  lambda: clinch.double])
@pytest.mark.parametrize("form", ["struct", "function"])
@pytest.mark.parametrize("linker", ["graph", "op"])
def test_the_double_type(make, form, linker):
    double = make()
    x, y, z = double("x"), double("y"), double("z")
    a = add(x, y)
    b = mul(a, z)
    f = function([x, y, z], b, mode=Mode(form=form, linker=linker))
    assert f(1.0, 2.0, 3.0) == 9.0
    assert f(0.5, 0.25, -4.0) == -3.0
    with pytest.raises(ValueError, match="could not convert string to float"):
        f("one", 2.0, 3.0)
    f.trust_input = True
    with pytest.raises(TypeError):
        f("one", 2.0, 3.0)
    assert f(1.0, 2.0, 3.0) == 9.0


def test_plain_contract_of_a_type():
    one, two = Double(), Double()
    assert one != two and one == one and hash(one) == hash(one)
    assert one.is_valid_value(1.0) and not one.is_valid_value(1)
    assert one.values_eq(1.0, 1.0) and not one.values_eq(1.0, 1.00001)
    assert one.values_eq_approx(1.0, 1.00001)
    assert one("v").type is one and one("v").name == "v"
    assert one.make_variable().name is None
    with pytest.raises(NotImplementedError) as error:
        Type().filter(1.0)
    assert str(error.value) == ("Type defines no filter(value, strict=False, "
                                "allow_downcast=None)")


class AddNonNegative(Op):
    """The five blocks of the proposal's example."""

    def make_node(self, x, y):
        return Apply(self, [x, y], [x.type()])

    def c_var_names(self):
        return "[['x', 'y'], ['z']]"

    def c_validate_update(self):
        return "if (%(x)s < 0 || %(y)s < 0) %(fail)s"

    def c_validate_update_cleanup(self):
        return ""

    def c_code(self):
        return "%(z)s = %(x)s + %(y)s;"

    def c_code_cleanup(self):
        return ""


@pytest.mark.parametrize("form", ["struct", "function"])
def test_the_proposal(form):
    real = Proposal()
    x, y = real("x"), real("y")
    f = function([x, y], AddNonNegative()(x, y), mode=Mode(form=form))
    assert f(1.0, 2.0) == 3.0
    with pytest.raises(RuntimeError) as error:
        f(1.0, -2.0)
    assert str(error.value) == (
        "block 4, `AddNonNegative.c_validate_update` for `node_4`, failed "
        "without setting an exception")
    assert f(1.0, 2.0) == 3.0


vector = TensorType("float64", (None,))
zero_d = TensorType("float64", ())


@pytest.mark.parametrize("linker", ["graph", "op"])
def test_vector_times_scalar(linker):
    x, y = vector("x"), zero_d("y")
    f = function([x, y], VectorTimesScalar()(x, y), mode=Mode(linker=linker))
    numpy.testing.assert_array_equal(
        f(numpy.arange(4.0), 2.0), [0.0, 2.0, 4.0, 6.0])
    numpy.testing.assert_array_equal(
        f(numpy.arange(8.0)[::-2], numpy.float64(3)), [21.0, 15.0, 9.0, 3.0])
    assert f(numpy.zeros(0), 2.0).shape == (0,)
    with pytest.raises(TypeError, match=r"^y must be a scalar(\n|$)"):
        VectorTimesScalar()(x, x)


@pytest.mark.parametrize("op", [VectorTimesVector, ExternalVectorProduct])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_vector_times_vector(op, language):
    x, y = vector("x"), TensorType("float32", (None,))("y")
    f = function([x, y], op()(x, y), mode=Mode(language=language))
    ones = numpy.ones(3, "float32")
    numpy.testing.assert_array_equal(f(numpy.arange(3.0), ones),
                                     [0.0, 1.0, 2.0])
    with pytest.raises(ValueError) as error:
        f(numpy.arange(4.0), ones)
    assert str(error.value) in (
        "lengths 4 and 3 differ",
        "Shape mismatch : x.shape[0] == 4 and y.shape[0] == 3")


def test_the_same_op_twice_in_one_graph():
    x, y = vector("x"), TensorType("int32", (None,))("y")
    op = VectorTimesVector()
    f = function([x, y], op(op(x, y), op(y, y)))
    got = f(numpy.array([1.0, 2.0]), numpy.array([3, 4], "int32"))
    numpy.testing.assert_array_equal(got, [27.0, 128.0])


def test_code_for_ones_own_types_is_registered_where_theano_has_it():
    for name in ("register_deep_copy_op_c_code", "register_view_op_c_code",
                 "register_shape_i_c_code"):
        assert getattr(theano.compile.ops, name) is getattr(clinch, name)


def test_registering_a_transfer():
    def move(variable, target):
        if target == "moon":
            return clinch.view_op(variable)
        return None

    clinch.register_transfer(move)
    x = double("x")
    assert x.transfer("cpu") is x
    assert x.transfer("moon").owner.op == clinch.view_op
    with pytest.raises(ValueError) as error:
        x.transfer("mars")
    assert str(error.value).startswith("cannot transfer x to 'mars'")
