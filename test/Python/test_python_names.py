"""An Op's code finds `py_<input>` and what it holds, whatever stands between the text
and the name: a macro of the author's, a function, a header."""

import sys

import numpy
import pytest

import clinch
from clinch import (Apply, ExternalCOp, Generic, Mode, Type, double, function,
                    testing)
from clinch.testing import TextOp
from ways import in_every_way

in_each_form = pytest.mark.parametrize("form", ["function", "struct"])
in_each_language = pytest.mark.parametrize("language", ["c", "c++"])

COUNT = """
static int here; static long freed_here;
static void free_here(PyObject *capsule) { ++freed_here; }
static void drop_here(PyObject *object) { Py_DECREF(object); }
#define DROP(p) Py_DECREF(p)
#define DROP_TWICE_HIDDEN(p) DROP(p)
"""


#: An object that counts when it is freed, computed from a number.
made = TextOp("Py_XDECREF({z}); {z} = PyCapsule_New(&here, NULL, free_here);", Generic(),
              support=COUNT, version=(1,))


def dropping(code, **more):
    """How often such an object was freed, seen when the code has released it."""
    return TextOp(code, Generic(), support=COUNT, version=(1,), **more)


DROPS = [
    "Py_DECREF({x});", "DROP({x});", "DROP( (PyObject *)({x}) );",
    "DROP_TWICE_HIDDEN({x});", "#define MINE(p) Py_DECREF(p)\nMINE({x});",
    "#define INPUT {x}\nPy_DECREF(INPUT);", "#define FREE Py_DECREF({x})\nFREE;",
    "drop_here({x});", "void (*drops[1])(PyObject *) = {drop_here}; drops[0]({x});",
    "Py_XINCREF({x}); Py_DECREF({x}); Py_CLEAR({x});", "Py_DecRef({x});",
    "PyObject *object = {x}; Py_DECREF(object);",
    "PyObject *object = (PyObject *){x}; Py_DECREF(object);",
    "PyObject *objects[] = {NULL, {x}}; Py_DECREF(objects[1]);",
    "PyObject *object = {x} ? {x} : NULL; Py_DECREF(object);"]
AFTER = " {x} = NULL;\nPy_XDECREF({z}); {z} = PyLong_FromLong(freed_here);"


@in_each_language
@in_each_form
@pytest.mark.parametrize("drop", DROPS)
def test_what_the_code_releases_is_held(drop, form, language):
    x = double("x")
    f = function([x], dropping(drop + AFTER)(made(x)),
                 mode=Mode(form=form, language=language))
    assert [f(1.0), f(1.0), f(1.0)] == [0, 1, 2]


@in_each_form
def test_what_a_macro_of_a_header_releases_is_held(tmp_path, form):
    (tmp_path / "dropping.h").write_text("#define AWAY(p) Py_DECREF(p)\n")
    x = double("x")
    op = dropping("AWAY({x});" + AFTER, headers=['"dropping.h"'],
                  c_header_dirs=lambda: [str(tmp_path)])
    f = function([x], op(made(x)), mode=Mode(form=form))
    assert [f(1.0), f(1.0), f(1.0)] == [0, 1, 2]


@in_each_form
def test_what_the_code_of_a_file_releases_is_held(tmp_path, form):
    class File(ExternalCOp):
        def make_node(self, x):
            return Apply(self, [x], [Generic()()])

    path = tmp_path / "drop.c"
    path.write_text("#section support_code\n" + COUNT.lstrip() + """\
#section code
DROP(INPUT_0);
INPUT_0 = NULL;
Py_XDECREF(OUTPUT_0);
OUTPUT_0 = PyLong_FromLong(freed_here);
""")
    x = double("x")
    without_support = TextOp("Py_XDECREF({z}); "
                             "{z} = PyCapsule_New(&here, NULL, free_here);", Generic())
    f = function([x], File([str(path)])(without_support(x)), mode=Mode(form=form))
    assert [f(1.0), f(1.0), f(1.0)] == [0, 1, 2]


@pytest.mark.parametrize("reads", [
    "long n = PyArray_Check({x}) + {x}->ob_refcnt;", "Py_INCREF({x}); long n = 1;",
    "long n = 0; if ({x} == NULL) n = sizeof({x});", "long n = !{x} ? 1 : 0;"])
def test_what_the_code_only_reads_needs_no_object_beside_it(reads):
    """That would cost time in each run."""
    x = double("x")
    f = function([x], dropping(reads + " Py_XDECREF({z}); {z} = PyLong_FromLong(n);")(
        made(x)))
    assert "Py_XSETREF(" not in f.emit("c").split("`TextOp` as")[2].split("label_")[0]


@in_each_language
@in_each_form
def test_what_comes_with_clinch_releases_nothing(form, language):
    """Only the output has its object made, and each reference is given back."""
    x = clinch.vector("x")
    viewed = clinch.view_op(clinch.view_op(x.sum(keepdims=True)))
    made = clinch.deep_copy_op(clinch.set_subtensor(viewed[:1], 7.0, inplace=True))
    f = function([x], made, mode=Mode(form=form, language=language))
    assert f.emit("c").count("Py_XSETREF(") == 1
    given = numpy.array([1.0, 2.0])
    before = sys.getrefcount(given)
    for _ in range(3):
        assert f(given).tolist() == [7.0] and sys.getrefcount(given) == before


PASTED = "#define OBJECT(name) py_##name\n"


class Number(TextOp):
    def __init__(self, code, support=PASTED, gives=double):
        super().__init__(code, gives, support=support, version=(1,))


@in_each_language
@pytest.mark.parametrize("own", [False, True])
@in_every_way
def test_an_object_is_named_by_a_macro(own, language, form, linker, tier, first_tier):
    read = "{z} = PyFloat_AsDouble(OBJECT({x})) + 1;"
    op = Number(PASTED + read, "") if own else Number(read)
    x = double("x")
    f = function([x], op(Number("{z} = {x} * 2;")(x)),
                 mode=Mode(form=form, linker=linker, tier=tier, first_tier=first_tier,
                           language=language))
    assert [f(2.0), f(3.0)] == [5.0, 7.0]


class Held(testing.Number):
    """A number whose texts name its object through a macro. The sum of all that
    cleanups saw is the value of `seen_here`."""

    def c_support_code(self, **kwargs):
        return "static double seen_here;\n" + PASTED

    def c_extract(self, name, sub, check_input=True):
        return f"{name} = PyFloat_AsDouble(OBJECT({name}));"

    def c_sync(self, name, sub):
        return f"Py_XDECREF(OBJECT({name})); OBJECT({name}) = PyFloat_FromDouble({name});"

    def c_cleanup(self, name, sub):
        return (f"if (OBJECT({name}) && PyFloat_Check(OBJECT({name}))) "
                f"seen_here += PyFloat_AsDouble(OBJECT({name}));")


seen = Number("{z} = {x} + seen_here;", gives=Held())


@in_each_language
@in_each_form
def test_a_type_names_its_object_by_a_macro(form, language):
    """The cleanup of an output sees the new object."""
    x = Held()("x")
    f = function([x], seen(seen(x)), mode=Mode(form=form, language=language))
    # Of each run: the input 1 and the result are seen.
    assert [f(1.0), f(1.0)] == [1.0, 5.0]
    assert f(0.0) == 2 * (1 + 1 + 1 + 5)


class Whole(Type):
    """An object that C code takes from `py_<name>`: nothing is declared."""

    def filter(self, value, strict=False, allow_downcast=None):
        return value

    def c_declare(self, name, sub, check_input=True):
        return "// py_<name> is all there is"

    def c_init(self, name, sub):
        return ""

    def c_extract(self, name, sub, check_input=True):
        return ""

    def c_sync(self, name, sub):
        return ""

    def c_cleanup(self, name, sub):
        return ""

    def c_code_cache_version(self):
        return (1,)


@in_each_language
@in_each_form
def test_a_type_may_declare_nothing(form, language):
    x = Whole()("x")
    f = function([x], Number("{z} = PyObject_Length(py_{x});", "")(x),
                 mode=Mode(form=form, language=language))
    assert [f("abc"), f([])] == [3.0, 0.0]
