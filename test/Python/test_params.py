"""Parameters of Ops: structs, enumerations, values that do not fit."""

import gc
import math
import sys

import numpy
import pytest

import clinch
from clinch import (Apply, CEnumType, COp, EnumList, EnumType, ExternalCOp, Mode,
                    ParamsType, Scalar, TensorType, double, function, generic)
from clinch.testing import TextOp
from thunks import Raw


class Line(COp):
    """a * x + b, the values of a and b coming in as parameters."""

    params_type = ParamsType(a=double, b=Scalar("int32"))
    __props__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,), p = inputs, outputs, sub["params"]
        return f"{z} = {p}->a * {x} + {p}->b;"


@pytest.mark.parametrize("form", ["function", "struct"])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_a_struct_of_values(form, language):
    x = double("x")
    f = function([x], Line(2.5, 1)(Line(10.0, -3)(x)),
                 mode=Mode(form=form, language=language))
    assert f(1.0) == 2.5 * 7 + 1


def test_other_values_are_the_same_code():
    x = double("x")
    f = function([x], Line(2.0, 1)(x))
    g = function([x], Line(3.0, 2)(x))
    assert (f(1.0), g(1.0)) == (3.0, 5.0)
    assert g.stats["cache"] == "hit"


@pytest.mark.parametrize("lines, constants", [
    ([(2.0, 1)], 1),
    ([(2.0, 1), (2.0, 1)], 1),
    ([(2.0, 1), (3.0, 1), (2.0, 1), (3.0, 1), (4.0, 1)], 3)])
def test_equal_params_are_one_constant(lines, constants):
    x = y = double("x")
    expected = 1.5
    for a, b in lines:
        y, expected = Line(a, b)(y), a * expected + b
    f = function([x], y)
    assert f.emit("blocks").count(": constant ") == constants
    assert f(1.5) == expected


#: The length of a list, which has no hash.
length = TextOp("{z} = PyList_Size({params}) * {x};", params_type=generic,
                get_params=lambda node: [1, 2, 3])


def test_params_without_a_hash_are_shared_with_none():
    x = double("x")
    f = function([x], length(length(length(x))))
    assert f.emit("blocks").count(": constant ") == 3
    assert f(2.0) == 54.0


def test_attributes_of_the_wrong_type():
    x = double("x")
    with pytest.raises(ValueError):
        function([x], Line("a", 1)(x))
    with pytest.raises(TypeError):
        function([x], Line(1.0, 2**40)(x))


def given(value, expression, **fields):
    """An Op for an expression of parameters, which `$` is in it."""
    return TextOp("{z} = " + expression.replace("$", "{params}") + ";",
                  params_type=ParamsType(**fields), get_params=lambda node: value)


def result(value, expression, **fields):
    x = double("x")
    return function([x], given(value, expression, **fields)(x))(0.0)


def unfiltered(good, value, **fields):
    """Runs with parameters that no filter saw: C is all there is."""
    x = double("x")
    run = Raw([x], [given(good, "1", **fields)(x)], form="function")
    assert run(0.0) == [1.0]
    assert len(run.cells) == 3 and run.outputs == [1]
    run.cells[2][0] = value
    return run(0.0)


def test_arrays_objects_and_numbers():
    assert result(dict(v=numpy.array([1.0, 5.0]), o=[1, 2, 3],
                       z=numpy.complex64(3 + 4j)),
                  "((double *)PyArray_DATA($->v))[1] + PyList_Size($->o)"
                  " + __imag__ clinch_from_complex64($->z)",
                  v=TensorType("float64", (None,)), o=generic,
                  z=Scalar("complex64")) == 12.0


class Names:
    fail = 3.0
    values = 4.0


def test_names_that_the_text_uses_itself():
    assert result(Names(), "$->fail + $->values", fail=double,
                  values=double) == 7.0


def enumeration_values():
    return [("A", 1.0), ("B", 2.5), ("NEGATIVE", -1.0), ("BIG", 1e300)]


def test_values_of_an_enumeration_are_macros():
    kind = EnumType(A=1, B=("beta", 2.5), NEGATIVE=-1, BIG=1e300)
    for name, value in enumeration_values():
        assert result(dict(e=kind.filter(name)), f"($->e == {name}) * $->e",
                      e=kind) == value
    assert result(dict(e=kind.filter("beta")), "$->e", e=kind) == 2.5


def test_infinite_values_of_an_enumeration():
    kind = EnumType(INFINITE=math.inf, MINUS=-math.inf)
    assert result(dict(e=math.inf), "$->e == INFINITE", e=kind) == 1.0
    assert result(dict(e=-math.inf), "$->e == MINUS", e=kind) == 1.0


def test_a_list_counts():
    kind = EnumList("ZERO", ("ONE", "first"), "TWO")
    assert result(dict(e=kind.filter("first")), "$->e + 10 * ($->e == ONE)",
                  e=kind) == 11.0
    assert result(dict(e=kind.TWO), "$->e", e=kind) == 2.0


def test_names_of_c():
    class Seek(CEnumType):
        def c_headers(self, c_compiler=None):
            return ["<stdio.h>"]

    kind = Seek("SEEK_END", "SEEK_SET", ("SEEK_CUR", "here"))
    for name, value in (("SEEK_END", 2), ("SEEK_SET", 0), ("here", 1)):
        assert result(dict(e=kind.filter(name)), "$->e", e=kind) == value


VECTOR = TensorType("float64", (None,))


@pytest.mark.parametrize("good, value, fields, exception, message, field", [
    (dict(a=1.0), dict(a=1), dict(a=double), TypeError,
     "expected a float, not int", "a"),
    (dict(a=1.0, b=2), dict(a=1.0, b=2.0), dict(a=double, b=Scalar("int8")),
     TypeError, "expected a numpy.int8 scalar, not float", "b"),
    (dict(a=[1.0], b=1.0), dict(a=numpy.zeros(2, "f4"), b=1.0),
     dict(a=VECTOR, b=double), TypeError,
     "expected an array of float64, not of float32", "a"),
    (dict(a=1.0, c=1.0), dict(a=1.0), dict(a=double, c=double), KeyError,
     "'there is no parameter `c`'", "c"),
    (dict(a=1.0), None, dict(a=double), AttributeError,
     "'NoneType' object has no attribute 'a'", "a"),
    (dict(a=1.0), [], dict(a=double), TypeError,
     "list indices must be integers or slices, not str", "a"),
    (dict(e=0), dict(e=7), dict(e=EnumList("A", "B")), ValueError,
     "7 is the number of none of A, B", "e"),
    (dict(e=0), dict(e="A"), dict(e=EnumList("A", "B")), TypeError,
     "'str' object cannot be interpreted as an integer", "e"),
    (dict(e=0), dict(e=5), dict(e=CEnumType("INT_MAX")), ValueError,
     "5 is the number of none of INT_MAX", "e"),
])
def test_a_value_of_the_wrong_type_is_named(good, value, fields, exception,
                                            message, field):
    with pytest.raises(exception) as error:
        unfiltered(good, value, **fields)
    assert str(error.value) == message
    assert f"while the parameter `{field}` was read" in error.value.__notes__


@pytest.mark.parametrize("value, fields, message", [
    (dict(a="text"), dict(a=double),
     "could not convert string to float: 'text'"),
    (dict(a=1.0), dict(a=double, c=double),
     "ParamsType(a: double, c: double) lacks c"),
    (dict(e=7), dict(e=EnumList("A", "B")),
     "7 is no constant of EnumList<int>(A: 0, B: 1); there are A, B"),
])
def test_filters_see_parameters_first(value, fields, message):
    with pytest.raises((TypeError, ValueError)) as error:
        result(value, "1", **fields)
    assert str(error.value) == message


def test_what_had_been_read_is_released():
    array, last = numpy.zeros(3), object()
    before = sys.getrefcount(array)
    for _ in range(5):
        with pytest.raises(TypeError):
            unfiltered(dict(a=[0.0], z=1.0), dict(a=array, z=last), a=VECTOR,
                       z=double)
    gc.collect()
    assert sys.getrefcount(array) == before
    for _ in range(5):
        unfiltered(dict(a=[0.0], z=1.0), dict(a=array, z=1.0), a=VECTOR,
                   z=double)
    gc.collect()
    assert sys.getrefcount(array) == before


def test_files_know_the_parameters(tmp_path):
    path = tmp_path / "op.c"
    path.write_text("""\
#section support_code_apply
static int APPLY_SPECIFIC(f)(double x, double *z, PARAMS_TYPE *p) {
  DTYPE_PARAM_b b = p->b;
  *z = p->a * x + b + 1000 * sizeof(DTYPE_PARAM_b);
  return 0;
}
""")

    class Line2(ExternalCOp):
        params_type = ParamsType(a=double, b=Scalar("int32"))
        __props__ = ("a", "b")

        def __init__(self, a, b):
            super().__init__(str(path), "APPLY_SPECIFIC(f)")
            self.a, self.b = a, numpy.int32(b)

        make_node = Line.make_node

    x = double("x")
    assert function([x], Line2(2.0, 5)(x))(1.5) == 4008.0
    path.write_text("#section code\nOUTPUT_0 = PARAMS->a + PARAMS->b;\n")

    class Line3(Line2):
        def __init__(self, a, b):
            ExternalCOp.__init__(self, str(path))
            self.a, self.b = a, numpy.int32(b)

    assert function([x], Line3(2.0, 5)(x))(1.5) == 7.0


def test_a_constant_of_two_meanings():
    op = given(dict(a=0, b=1), "1", a=EnumList("SAME", "B"),
               b=EnumList("A", "SAME"))
    x = double("x")
    with pytest.raises(clinch.CompileError) as error:
        function([x], op(x))
    assert "the constant `SAME` has two meanings" in str(error.value)


def test_a_params_type_answers_about_itself():
    direction = EnumList(("UP", "up"), "DOWN")
    params = ParamsType(a=double, d=direction)
    assert params.fields == ("a", "d") and params.length == 2
    assert params.has_type(double) and not params.has_type(Scalar("int8"))
    assert params.get_field(direction) == "d"
    with pytest.raises(ValueError) as error:
        params.get_field(Scalar("int8"))
    assert str(error.value) == (f"no parameter of {params} has the type "
                                f"{Scalar('int8')}")
    assert params.get_type("a") == double
    assert params.get_enum("DOWN") == params.enum_from_alias("up") + 1 == 1
    with pytest.raises(AttributeError) as error:
        params.enum_from_alias("down")
    assert str(error.value) == (f"no enumeration of {params} has the alias "
                                "'down'")
    assert direction.has_alias("up") and not direction.has_alias("down")
    longer = params.extended(b=Scalar("int8"))
    assert longer.fields == ("a", "b", "d") and longer != params
    assert params.extended() == params
