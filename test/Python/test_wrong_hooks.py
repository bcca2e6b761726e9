"""Slips of an author: said at once, with the author's own names."""

import math
import warnings

import numpy
import pytest

import clinch
from clinch import COp, HookError, Op, Type, double, function, generic
from theano_ops import Double
from test_errors import Text, call

x = double("x")


class Complete(Double):
    """A Type of an author, to be spoiled."""


@pytest.mark.parametrize("hook, wanted", [
    ("c_cleanup", "a str"), ("c_init", "a str"), ("c_sync", "a str"),
    ("c_headers", "a list of str"), ("c_libraries", "a list of str"),
    ("c_support_code", "a str or a list of str")])
def test_a_hook_of_a_type_without_return(hook, wanted):
    class Spoiled(Complete):
        pass

    setattr(Spoiled, hook, lambda self, *args, **kwargs: None)
    v = Spoiled()("v")
    with pytest.raises(HookError) as error:
        function([v], v + v)
    of = " for `v`" if hook in ("c_cleanup",) else ""
    assert f"`Spoiled.{hook}`{of}" in str(error.value)
    assert f"must return {wanted}; it returned None." in str(error.value)


@pytest.mark.parametrize("hook", [
    "c_code", "c_code_cleanup", "c_support_code_apply", "c_init_code_struct",
    "c_cleanup_code_struct", "c_support_code_struct", "c_init_code_apply"])
def test_a_hook_of_an_op_without_return(hook):
    spoiled = type("Spoiled", (Text,), {hook: lambda self, *args: None})
    with pytest.raises(HookError) as error:
        function([x], spoiled("{z} = {x};")(x))
    assert str(error.value) == (
        f"`Spoiled.{hook}` for `node_3` must return a str; it returned None.")


def test_none_in_place_of_a_hook():
    spoiled = type("Spoiled", (Text,), dict(c_code_cleanup=None))
    assert function([x], spoiled("{z} = {x};")(x))(2.0) == 2.0


class Nearly:
    """No base class, and one slip."""

    def filter(self, value, strict=False, allow_downcast=None):
        return value

    def c_declare(self, name, sub):
        return f"PyObject *{name};"

    def c_extrcat(self, name, sub):
        return f"{name} = py_{name};"


def test_a_missing_hook_that_is_nearly_there():
    v = clinch.Variable(Nearly(), name="v")
    with pytest.raises(HookError) as error:
        function([v], call(v))
    assert str(error.value) == (
        "`Nearly` has no `c_extract`, needed for `v`. Its `c_extrcat` has "
        "a similar name.")


def test_a_missing_hook():
    class Bare:
        filter = Nearly.filter

    v = clinch.Variable(Bare(), name="v")
    with pytest.raises(HookError) as error:
        function([v], call(v))
    assert str(error.value) == "`Bare` has no `c_declare`, needed for `v`."


@pytest.mark.parametrize("base, slip, meant", [
    (Type, "c_clean", "c_cleanup"), (Type, "c_extrcat", "c_extract"),
    (Op, "c_code_clean", "c_code_cleanup"), (COp, "c_header", "c_headers")])
def test_a_misspelt_hook_is_warned_of(base, slip, meant):
    with pytest.warns(UserWarning) as caught:
        type("Spoiled", (base,), {slip: lambda self: ""})
    assert [str(w.message) for w in caught] == [
        f"`Spoiled.{slip}` is no hook and nobody calls it; is `{meant}` meant?"]
    assert caught[0].filename == __file__


def test_a_helper_beside_its_hook_is_none():
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        class Helped(COp):
            def c_code(self, node, name, inputs, outputs, sub):
                return self.c_code_2()

            def c_code_2(self):
                return ""

            def c_loop(self):
                return ""


class Broken(Double):
    def c_extract(self, name, sub):
        raise LookupError("nothing")


def test_notes_name_the_author_s_variable():
    v, same = Broken()("v"), Broken()("v")
    nameless = Broken()()
    for inputs, of in (([v], "`v`"), ([nameless], "`V1`"),
                       ([v, same], "`v` (V1)")):
        with pytest.raises(LookupError) as error:
            function(inputs, call(inputs[0]))
        assert error.value.__notes__ == [
            f"Clinch was calling `Broken.c_extract` for {of}."]


@pytest.mark.parametrize("value, said", [
    (2.5, "a `float` of value 2.5"), (7, "a `int` of value 7"),
    ((1, "a"), "a `tuple` of value (1, 'a')"), (range(3), "a `range` of value "
     "range(0, 3)"), (None, "a `NoneType` of value None"),
    (numpy.int8(3), "a `numpy.int8`, dtype int8, shape (), strides () of value "
     "3"), (object(), "a `object`"), (numpy.ones(2), "a `numpy.ndarray`, dtype "
     "float64, shape (2,), strides (8,)"),
    ("a" * 100, "a `str` of value 'aaaaaaaaaaaa...aaaaaaaaaaaaa'"),
    (list(range(10**6)), "a `list` of value [0, 1, 2, 3, 4, 5, ...]")])
def test_notes_show_values_shortly(value, said):
    v = generic("v")
    f = function([v], call(v))
    with pytest.raises(TypeError) as error:
        f(value)  # Not to be called.
    line = error.value.__notes__[0].splitlines()[1]
    if isinstance(value, numpy.int8):
        line = line.replace("np.int8(3)", "3")  # As NumPy 2 writes it.
    assert line == f"  argument 1 `v`: Generic, {said}"


class Unshown:
    def __repr__(self):
        raise RuntimeError("no")


def test_a_value_that_cannot_be_shown():
    v = generic("v")
    with pytest.raises(TypeError) as error:
        function([v], call(v))(Unshown())
    assert error.value.__notes__[0].splitlines()[1].startswith(
        "  argument 1 `v`: Generic, a `Unshown`")


def test_make_node_without_return():
    for returned, found in ((None, "None"), (3, "an int")):
        class Forgets(Op):
            def make_node(self, x):
                return returned

        with pytest.raises(TypeError) as error:
            Forgets()(x)
        assert str(error.value) == (f"`Forgets.make_node` must return an Apply;"
                                    f" it returned {found}")


def declaring(text, support=""):
    class Declares(Double):
        def c_declare(self, name, sub):
            return text.replace("@", name)

        def c_support_code(self):
            return support

    one = Declares()
    return one("a"), one("b")


@pytest.mark.parametrize("text, support", [
    ("struct pair @;", ""), ("double *@;", ""), ("PyObject *@;", ""),
    ("double @[2];", ""), ("double @_re, @_im;", ""),
    ("pair @;", "typedef struct { double a, b; } pair;")])
def test_scalar_ops_refuse_what_is_no_number(text, support):
    a, b = declaring(text, support)
    with pytest.raises(clinch.GraphError) as error:
        a + b
    assert str(error.value) == (
        f"`add` takes numbers, and a variable of `Declares` is none in C: "
        f"`{text.replace('@', 'x')}`.")


@pytest.mark.parametrize("text, support", [
    ("double @;", ""), ("double @; int @_known;", ""),
    ("real @;", "typedef double real;"), ("typedef double t_@; t_@ @;", "")])
def test_scalar_ops_take_an_author_s_numbers(text, support):
    a, b = declaring(text, support)
    assert function([a, b], a + b)(1.5, 2.5) == 4.0


def test_the_exception_is_not_shadowed():
    """Python's API raises a SystemError with an exception pending; what was
    pending is the one to be told of."""
    text = ('PyErr_SetString(PyExc_ValueError, "mine"); {z} = {x};'
            'PyObject *n = PyObject_CallFunction((PyObject *)&PyFloat_Type, '
            '"d", 1.0); if (!n) {fail} Py_DECREF(n);')
    with pytest.raises(ValueError) as error:
        function([x], Text(text)(x))(1.0)
    assert str(error.value) == "mine"
    assert error.value.__notes__[0] == (
        "Clinch: this exception was pending when block 3 began to fail; some "
        'block before it set it without `fail`. mode="DebugMode" says which.')
    assert math.isfinite(function([x], Text("{z} = {x};")(x))(1.0))
