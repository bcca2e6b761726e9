"""A cleanup sees what its code declared: the contract of 2008 has the hook for the
temporaries that the code allocated."""

import pytest

import clinch
from clinch import Apply, Mode, Op, add, double, function, mul
from clinch.testing import Number, TextOp
from ways import in_every_way

COUNT = """
static int opened_here = 0;
static double *open_here(double x)
{ double *p = (double *)malloc(sizeof *p); *p = x; ++opened_here; return p; }
static void close_here(double *p) { if (p) { --opened_here; free(p); } }
"""


class Temporary(Op):
    """z = x + 1 through memory that the cleanup gives back; fails below 0.
    `hook`: whose declaration it is."""

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
@pytest.mark.parametrize("language", ["c", "c++"])
@in_every_way
def test_a_cleanup_sees_what_its_code_declared(hook, language, form, linker, tier,
                                               first_tier):
    x = double("x")
    f = function([x], Temporary(hook)(x),
                 mode=Mode(form=form, linker=linker, tier=tier, first_tier=first_tier,
                           language=language))
    assert [f(1.0), f(2.0)] == [2.0, 3.0]
    with pytest.raises(ValueError, match="below"):
        f(-1.0)
    assert f(3.0) == 4.0  # Nothing is open: all was given back.


@pytest.mark.parametrize("language", ["c", "c++"])
def test_in_a_graph_that_is_split(language):
    x = double("x")
    total = Temporary()(x)
    for _ in range(250):
        total = add(total, x)
    f = function([x], total, mode=Mode(form="struct", language=language))
    assert f(1.0) == 252.0
    with pytest.raises(ValueError):
        f(-1.0)
    assert f(1.0) == 252.0


class Texts(TextOp):
    """`cleaned` counts what the cleanups say."""

    def __init__(self, code, cleanup, support="", gives=double):
        super().__init__(code, gives, cleanup=cleanup, headers=["<stdlib.h>"],
                         support="static double cleaned;\n" + support, version=(1,))


@pytest.mark.parametrize(("declared", "value"), [
    ("double a = {x}, *t = &a;", "*t"),
    ("double a = {x}, t[1] = {a};", "*t"),
    ("double t({x});", "t"),
    ("double t{{x}};", "t"),
    ("std::vector<std::vector<double>> t(1, std::vector<double>(1, {x}));", "t[0][0]"),
    ("double (*t)(double) = same;", "t({x})"),
    ("double (*t[1])(double) = {same};", "t[0]({x})"),
    ("double p[2] = {0, {x}}; auto [a, t] = p;", "t"),
    ("const auto *const t = &{x};", "*t"),
    ("auto &&t = {x};", "t"),
    ("struct { double a; } t = {{x}};", "t.a"),
    ("struct T { double a; }; T t = {{x}};", "T(t).a"),
    ("struct T { double a; };", "T{{x}}.a"),
    ("enum { A, B }; const double t = {x} * int(B);", "(t + int(A))"),
    ("enum E : int { A = 3, B };", "({x} + int(A) - int(B) + 1)"),
    ("typedef double T;", "T({x})"),
    ("using T = double;", "T({x})"),
    ("for (int i = 0; i < 3; ++i) { {z} += i; } double t = {x};", "t"),
    ("if ({x} > 0) { {z} = 1; } else { {z} = 2; } double t = {x};", "t"),
    ("{ double t; t = 0; {z} = t; } double t = {x};", "t"),
    ("again: double t = {x}; if (t < 0) goto again;", "t"),
    ("struct S { double t; } s = {{x}}, *p = &s;", "p->t"),
    ("#define OWN(n) double n = {x}\nOWN(t);", "t"),
    ("#define T t\ndouble t = {x};", "T"),
    ("DECLARE(t);\n#undef DECLARE\nt = {x};", "t"),
    ("BEGIN", "(END)")])
def test_whatever_cxx_declares_is_seen(declared, value):
    """Either arrangement compiles or not; none of these fails, so all may be jumped
    over, as with g++."""
    support = ("#include <vector>\nstatic double same(double x) { return x; }\n"
               "#define DECLARE(n) double n\n"
               "#define BEGIN double hidden = {x};\n#define END hidden\n")
    x = double("x")
    op = Texts(declared + "\n{z} = cleaned;", f"cleaned += {value};",
               support.replace("{x}", "1"))
    f = function([x], op(x), mode=Mode(language="c++"))
    assert [f(1.0), f(1.0), f(1.0)] == [0.0, 1.0, 2.0]


def test_names_that_others_have_too_are_the_codes():
    op = Texts("double t = {x}; {z} = cleaned;", "cleaned += t;", "static double t = 100;")
    x = double("x")
    f = function([x], op(x), mode=Mode(language="c++"))
    assert [f(1.0), f(2.0), f(3.0)] == [0.0, 1.0, 3.0]


LATE = "if ({x} < 0) { PyErr_SetString(PyExc_ValueError, \"below\"); {fail} }\n"


@pytest.mark.parametrize("cleanup", [
    "{ int n = 1; cleaned += n; }", "mine.t += 1; cleaned = mine.t;",
    "double *const all = &cleaned; *all += 1;"])
def test_where_the_cleanup_names_nothing_of_the_code_all_goes_on(cleanup):
    """A failure may jump past what the code declares, and the cleanup of a code that
    throws runs."""
    x = double("x")
    op = Texts(LATE + "if ({x} > 9) throw 1;\ndouble t = {x} + cleaned; {z} = t;",
               cleanup, "static struct { double t; } mine;")
    f = function([x], op(x), mode=Mode(language="c++"))
    assert [f(1.0), f(1.0)] == [1.0, 2.0]
    with pytest.raises(RuntimeError, match="`Texts.c_code`"):
        f(10.0)
    with pytest.raises(ValueError, match="below"):
        f(-1.0)
    assert f(1.0) == 5.0


def test_what_is_thrown_goes_past_the_cleanup_that_names_what_is_gone():
    x = double("x")
    y = double("y")
    op = Texts("double t; t = {x}; if (t > 9) throw 1; {z} = cleaned;", "cleaned += t;")
    f = function([x, y], add(op(x), op(y)), mode=Mode(language="c++"))
    assert f(1.0, 1.0) == 0.0
    with pytest.raises(RuntimeError, match="`Texts.c_code`"):
        f(1.0, 10.0)
    assert f(1.0, 1.0) == 6.0  # 2 of the first run, and 1 of the block around.


def test_a_failure_may_not_jump_past_an_initialiser_in_cxx():
    x = double("x")
    with pytest.raises(clinch.CompileError) as raised:
        function([x], Texts(LATE + "\ndouble t = {x}; {z} = t;", "cleaned += t;")(x),
                 mode=Mode(language="c++"))
    (found,) = raised.value.diagnostics
    assert (found["origin"], found["line"]) == ("`Texts.c_code` for `node_3`", 1)
    assert found["message"] == JUMP
    (note,) = found["notes"]
    assert (note["line"], note["message"]) == (3, "jump bypasses variable initialization")


JUMP = ("this failure would jump past a declaration to the cleanup, which sees it: "
        "put the declaration before it (in C++ that alone or without a value, as in "
        "`double *t;`), and give the value later")


def test_a_failure_may_not_jump_past_an_array_of_no_fixed_length_in_c():
    x = double("x")
    with pytest.raises(clinch.CompileError) as raised:
        function([x], Texts(LATE + "int n = 3; double t[n]; {z} = *t = {x};",
                            "cleaned += *t;")(x), mode=Mode(language="c"))
    (found,) = raised.value.diagnostics
    assert (found["origin"], found["line"]) == ("`Texts.c_code` for `node_3`", 1)
    assert found["message"] == JUMP


def test_a_declaration_that_is_jumped_past_in_c_is_warned_of():
    """A failure before it would leave the cleanup with anything."""
    x = double("x")
    with pytest.warns(clinch.CompileWarning, match="'t' is used uninitialized"):
        f = function([x], Texts(LATE + "double t = {x}; {z} = t;", "cleaned += t;")(x),
                     mode=Mode(language="c"))
    (warning,) = f.stats["warnings"]
    assert warning["origin"] == "`Texts.c_code` for `node_3`"
    assert warning["message"] == (
        "variable 't' is used uninitialized whenever 'if' condition is true")
    assert f(1.0) == 1.0


class Unset(Number):
    """A double whose sync leaves nothing above 9."""

    def c_sync(self, name, sub):
        return (f"Py_CLEAR(py_{name}); if ({name} <= 9) "
                f"py_{name} = PyFloat_FromDouble({name});")


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("form", ["struct", "function"])
def test_a_block_that_was_never_entered_is_not_cleaned_up(language, form):
    """The object that its code names cannot be made."""
    x = Unset()("x")
    y = Texts("{z} = {x};", "", gives=Unset())(x)
    op = Texts("double *t = (double *)malloc(sizeof *t); *t = py_{x} != NULL;\n"
               "{z} = cleaned;", "cleaned += *t; free(t);", gives=Unset())
    f = function([x], op(y), mode=Mode(form=form, language=language))
    assert [f(1.0), f(1.0)] == [0.0, 1.0]
    with pytest.raises(RuntimeError):
        f(10.0)
    assert f(1.0) == 2.0


def plain(text):
    return TextOp(text, double, version=(1,))


@pytest.mark.parametrize("language", ["c", "c++"])
@in_every_way
def test_a_macro_may_stay(language, form, linker, tier, first_tier):
    x = double("x")
    two = plain("#define FACTOR 2\n{z} = {x} * FACTOR;")
    f = function([x], two(two(x)),
                 mode=Mode(form=form, linker=linker, tier=tier, first_tier=first_tier,
                           language=language))
    assert f(3.0) == 12.0


AGAIN = """int n = 0;
again: if (++n < 3) goto again;
#if 1
done: {z} = {x} + n;
#else
done: ;
#endif
if (n < 4) { ++n; goto done; }"""


@pytest.mark.parametrize("language", ["c", "c++"])
@in_every_way
def test_two_texts_may_have_the_same_labels(language, form, linker, tier, first_tier):
    """As with PyTensor, which compiles each Op apart."""
    x = double("x")
    f = function([x], plain(AGAIN)(plain(AGAIN)(x)),
                 mode=Mode(form=form, linker=linker, tier=tier, first_tier=first_tier,
                           language=language))
    assert f(1.0) == 9.0


@pytest.mark.parametrize("language", ["c", "c++"])
def test_labels_of_a_shared_scope_and_of_its_cleanup(language):
    op = Texts("double t = {x}; goto out; out: {z} = cleaned;",
               "goto out; out: cleaned += t;")
    x = double("x")
    f = function([x], op(op(x)), mode=Mode(language=language))
    assert [f(1.0), f(1.0)] == [0.0, 1.0]


class Sized(Number):
    """A double with a second variable, and comments with what looks like more."""

    declared = "double %s; /* a * b[2] */ double %s_bound; // *[\n"

    def c_declare(self, name, sub, check_input=True):
        return self.declared.replace("%s", name)


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
    with pytest.raises(clinch.CompileError) as raised:
        function([x], add(x, x))
    assert "the macro `SIZE` is never undefined: a declaration may define none" \
        in str(raised.value)
