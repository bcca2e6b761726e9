"""A cleanup sees what its code declared, in C: the contract of 2008 has the hook for
the temporaries that the code allocated."""

import pytest

import clinch
from clinch import Apply, Op, Type, add, double, function, mul
from ways import WAYS

in_each_way = pytest.mark.parametrize(("form", "linker", "tier", "first_tier"), WAYS)
COUNT = """
static int opened_here = 0;
static double *open_here(double x)
{ double *p = (double *)malloc(sizeof *p); *p = x; ++opened_here; return p; }
static void close_here(double *p) { if (p) { --opened_here; free(p); } }
"""


class Temporary(Op):
    """z = x + 1 through memory that the cleanup gives back; fails below 0, before
    anything is declared below -10. `hook`: whose declaration it is."""

    __props__ = ("hook",)

    def __init__(self, hook="c_code"):
        self.hook = hook

    def make_node(self, x):
        return Apply(self, [x], [double()])

    def c_headers(self, **kwargs):
        return ["<stdlib.h>"]

    def c_support_code(self, **kwargs):
        return COUNT

    def c_code_cache_version(self):
        return (1,)

    def _opens(self, x, sub):
        return (f"double *t = NULL; t = open_here({x}); if ({x} < 0) {{ "
                f"PyErr_SetString(PyExc_ValueError, \"below\"); {sub['fail']} }}\n")

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        before = self._opens(x, sub) if self.hook == "c_code" else ""
        return before + f"{z} = *t + 1 + 100 * (opened_here - 1);"

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return "close_here(t);" if self.hook == "c_code" else ""

    def c_validate_update(self, node, name, inputs, outputs, sub):
        return self._opens(inputs[0], sub) if self.hook != "c_code" else ""

    def c_validate_update_cleanup(self, node, name, inputs, outputs, sub):
        return "close_here(t);" if self.hook != "c_code" else ""


@pytest.mark.parametrize("hook", ["c_code", "c_validate_update"])
@in_each_way
def test_a_cleanup_sees_what_its_code_declared(hook, form, linker, tier, first_tier):
    x = double("x")
    f = function([x], Temporary(hook)(x), form=form, linker=linker, tier=tier,
                 first_tier=first_tier)
    assert [f(1.0), f(2.0)] == [2.0, 3.0]
    with pytest.raises(ValueError, match="below"):
        f(-1.0)
    assert f(3.0) == 4.0  # Nothing is open: all was given back.


def test_in_a_graph_that_is_split():
    x = double("x")
    total = Temporary()(x)
    for _ in range(250):
        total = add(total, x)
    f = function([x], total, form="struct")
    assert f(1.0) == 252.0
    with pytest.raises(ValueError):
        f(-1.0)
    assert f(1.0) == 252.0


class Plain(Op):
    __props__ = ("code",)

    def __init__(self, code):
        self.code = code

    def make_node(self, x):
        return Apply(self, [x], [double()])

    def c_code(self, node, name, inputs, outputs, sub):
        return self.code % {"x": inputs[0], "z": outputs[0]}

    def c_code_cache_version(self):
        return (1,)


@pytest.mark.parametrize("language", ["c", "c++"])
@in_each_way
def test_a_macro_may_stay(language, form, linker, tier, first_tier):
    x = double("x")
    two = Plain("#define FACTOR 2\n%(z)s = %(x)s * FACTOR;")
    f = function([x], two(two(x)), form=form, linker=linker, tier=tier,
                 first_tier=first_tier, language=language)
    assert f(3.0) == 12.0


class Sized(Type):
    """A double with a second variable, and comments with what looks like more."""

    declared = "double %s; /* a * b[2] */ double %s_bound; // *[\n"

    def filter(self, value, strict=False, allow_downcast=None):
        return float(value)

    def c_declare(self, name, sub, check_input=True):
        return self.declared.replace("%s", name)

    def c_init(self, name, sub):
        return f"{name} = 0;"

    def c_extract(self, name, sub, check_input=True):
        return f"{name} = PyFloat_AsDouble(py_{name});"

    def c_sync(self, name, sub):
        return f"Py_SETREF(py_{name}, PyFloat_FromDouble({name}));"

    def c_cleanup(self, name, sub):
        return ""

    def c_code_cache_version(self):
        return (1,)


@pytest.mark.parametrize("declared", [
    Sized.declared, "double %s, %s_bound;", "double *%s_more; double %s;"])
def test_a_number_with_something_beside_it_is_a_number(declared):
    kind = type("Sized", (Sized,), {"declared": declared})
    x, y = map(kind(), "xy")
    assert function([x, y], mul(add(x, y), y))(1.0, 2.0) == 6.0


@pytest.mark.parametrize("declared", [
    "double *%s;", "double %s[2];", "struct { double a; } %s;", "double %s_y;"])
def test_what_is_no_number_is_refused(declared):
    kind = type("Sized", (Sized,), {"declared": declared})
    with pytest.raises(clinch.GraphError, match="is none in C"):
        add(*map(kind(), "xy"))


def test_a_declaration_defines_no_macro():
    kind = type("Sized", (Sized,), {"declared": "#define SIZE 2\ndouble %s;"})
    x = kind()("x")
    with pytest.raises(clinch.HookError) as raised:
        function([x], add(x, x))
    assert "the macro `SIZE` is never undefined: a declaration may define none" \
        in str(raised.value)
