"""`assert` in a block is an AssertionError with file, line and expression."""

import sys

import numpy
import pytest

import clinch
from clinch import Apply, Mode, double, function
from clinch.testing import TIERS, TextOp


class Positive(TextOp):
    """Its input, if it is above 1."""

    def __init__(self, code='double t = {x};\nassert(t > 1 && "100%");\n{z} = t;', **more):
        super().__init__(code, **more)


FALSE = '`Positive.c_code` for `node_3`:2: `t > 1 && "100%"` is false'


def says(f, message, *arguments):
    with pytest.raises(AssertionError) as error:
        f(*arguments)
    assert str(error.value) == message
    assert "Clinch: block" in error.value.__notes__[0]


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("form", ["struct", "function"])
@pytest.mark.parametrize("tier", TIERS)
def test_in_every_tier(tier, form, language):
    x = double("x")
    f = function([x], Positive()(x), mode=Mode(tier=tier, form=form, language=language))
    assert f(2.0) == 2.0
    says(f, FALSE, 0.5)
    assert f(3.0) == 3.0


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_nothing_if_ndebug_is_asked_for(language, debug):
    x = double("x")
    op = Positive(c_compile_args=lambda: ["-DNDEBUG"])
    f = function([x], op(x), mode=Mode(language=language, debug=debug))
    assert f(0.5) == 0.5


@pytest.mark.parametrize("language", ["c", "c++"])
def test_without_the_gil(language):
    x = double("x")
    f = function([x], Positive(nogil=True)(x), mode=Mode(language=language))
    says(f, FALSE, 0.5)
    assert f(2.0) == 2.0


@pytest.mark.parametrize("language", ["c", "c++"])
def test_it_frees_what_the_block_and_others_hold(language):
    vector = clinch.TensorType("float64", (None,))

    checked = TextOp("""
        assert(PyArray_DIM({x}, 0) == 3);
        Py_INCREF({x});
        Py_XDECREF({z});
        {z} = {x};""")

    x = vector("x")
    f = function([x], checked(x), mode=Mode(language=language))
    given = numpy.ones(2)
    before = sys.getrefcount(given)
    for _ in range(10):
        with pytest.raises(AssertionError, match="(?m)is false$"):
            f(given)
    f(numpy.ones(3))
    assert sys.getrefcount(given) <= before + 1  # The input's cell.


def test_in_a_function_and_a_lambda_of_cxx():
    helped = Positive(
        "auto high = [](double x) { assert(x > 1); return x; };\n"
        "{z} = low({x}) + high({x});", c_compiler=lambda: "c++",
        support="static double low(double x) { assert(x < 9); return x; }")
    x = double("x")
    f = function([x], helped(x))
    assert f(2.0) == 4.0
    says(f, "`Positive.c_code` for `node_3`:1: `x > 1` is false", 0.5)
    says(f, "`Positive.c_support_code`:1: `x < 9` is false", 10.0)


def test_the_line_of_a_c_file(tmp_path):
    path = tmp_path / "checked.c"
    path.write_text("#section code\n\nassert(INPUT_0 > 1);\n"
                    "OUTPUT_0 = INPUT_0;\n")

    class Filed(clinch.ExternalCOp):
        def make_node(self, x):
            return Apply(self, [x], [x.type()])

    x = double("x")
    f = function([x], Filed(str(path))(x))
    assert f(2.0) == 2.0
    with pytest.raises(AssertionError) as error:
        f(0.5)
    assert f"{path}:3: `INPUT_0 > 1` is false" in str(error.value).replace(
        f"`Filed.c_code` for `node_3` in {path}", str(path))


def test_in_a_hook_of_a_type():
    class Own(type(double)):
        def c_extract(self, name, sub, check_input=True):
            return (f"{name} = PyFloat_AsDouble(py_{name});\n"
                    f"assert({name} > 1);")

    x = Own()("x")
    f = function([x], x + 1.0) if hasattr(x, "__add__") else function([x], x)
    says(f, "`Own.c_extract` for `x`:2: `V1 > 1` is false", 0.5)


def helped_in_c(**more):
    """Its C function has no label to go to."""
    return Positive("{z} = low({x}) + HIGH({x});", support="""
        static double low(double x) { assert(x < 9); return x; }
        #define HIGH(x) (assert(x > 1), x)""".lstrip(), **more)


@pytest.mark.parametrize("form", ["struct", "function"])
@pytest.mark.parametrize("tier", TIERS)
def test_in_a_function_of_c(tier, form):
    x = double("x")
    f = function([x], helped_in_c()(x), mode=Mode(tier=tier, form=form))
    assert f(2.0) == 4.0
    for _ in range(3):
        with pytest.raises(AssertionError) as error:
            f(10.0)
        assert str(error.value) == "`Positive.c_support_code`:1: `x < 9` is false"
        assert f(3.0) == 6.0
    says(f, "`Positive.c_code` for `node_3`:1: `V1 > 1` is false", 0.5)


def test_the_state_that_a_function_of_c_leaves_is_not_used_again():
    vector = clinch.TensorType("float64", (None,))

    # A new array each time; the old one is freed before the assertion.
    total = TextOp("""Py_XDECREF({z});
        is_three({x});
        {z} = (PyArrayObject *)PyArray_NewCopy({x}, NPY_CORDER);
        if (!{z}) {fail}""", support="""static void is_three(PyArrayObject *a)
        { assert(PyArray_DIM(a, 0) == 3); }""")
    x = vector("x")
    f = function([x], [total(total(x))])
    for length in (3, 2, 3, 2, 2, 3, 3):
        given = numpy.full(length, 2.5)
        if length == 3:
            assert f(given)[0].tolist() == [2.5] * 3
        else:
            with pytest.raises(AssertionError, match="^`TextOp.c_support_code`:2:"):
                f(given)


def test_in_a_function_of_c_without_the_gil():
    x = double("x")
    f = function([x], helped_in_c(nogil=True)(x))
    with pytest.raises(AssertionError, match="(?m)`x < 9` is false$"):
        f(10.0)
    assert f(2.0) == 4.0


@pytest.mark.parametrize("language", ["c", "c++"])
def test_a_text_without_it_is_as_before(language):
    """Python's own macros assert nothing unless the text does."""
    x = double("x")
    text = function([x], Positive("{z} = {x};")(x), mode=Mode(language=language)).emit("c")
    assert "assert" not in text.replace("_Static_assert", "")
