"""What Clang finds doubtful in an author's text is a CompileWarning, and in
f.stats["warnings"]."""

import os
import subprocess
import sys
import warnings

import pytest

import clinch
from clinch import Apply, Mode, Op, double, function
from clinch.testing import TIERS
from ways import CText

DOUBTFUL = [
    ("double t;\nz = x + t;", 2, "variable 't' is uninitialized when used here"),
    ("double t;\nif (x > 5) t = 1;\nz = x + t;", 2,
     "variable 't' is used uninitialized whenever 'if' condition is false"),
    ('char b[9];\nsprintf(b, "%d", 1.0);\nz = b[0];', 2,
     "format specifies type 'int' but the argument has type 'double'"),
    ("double t[2];\nt[2] = x;\nz = t[0] = 1;", 2,
     "array index 2 is past the end of the array (that has type 'double[2]')"),
    ("z = x;\nz == 3;", 2, "equality comparison result unused"),
]


def warned(f):
    return [(w["origin"], w["message"]) for w in f.stats["warnings"]]


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(("text", "line", "message"), DOUBTFUL)
def test_it_is_told_with_hook_and_line(text, line, message, tier, language):
    x = double("x")
    f = function([x], CText(text)(x), mode=Mode(tier=tier, language=language))
    assert warned(f) == [("`CText.c_code` for `node_3`", message)]
    # Behind the three `#define`s that such an Op begins with.
    assert f.stats["warnings"][0]["line"] == line + 3


def test_a_flag_turns_it_off():
    class Quiet(CText):
        def c_compile_args(self):
            return ["-Wno-uninitialized"]
    x = double("x")
    assert not warned(function([x], Quiet(DOUBTFUL[0][0])(x)))
    assert warned(function([x], CText(DOUBTFUL[0][0])(x)))


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("form", ["struct", "function"])
def test_what_clinch_writes_gives_none(form, language):
    x, y = double("x"), double("y")
    terms = [getattr(clinch.tensor, name)(x, y) for name in
             ("add", "sub", "mul", "true_div", "mod", "pow", "maximum", "lt")]
    terms += [getattr(clinch.tensor, name)(x) for name in
              ("exp", "log", "sin", "tanh", "gamma", "neg", "sqr", "floor")]
    v = clinch.TensorType("float64", (None,))("v")
    terms += [(v + v * x).sum(), clinch.tanh(v), v[1:]]
    f = function([x, y, v], terms, mode=Mode(form=form, language=language))
    assert warned(f) == []


class Uninitialized(Op):
    """Reads a variable that it never sets."""

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"double t;\n{outputs[0]} = {inputs[0]} + t;"


HOOK_LINE = Uninitialized.c_code.__code__.co_firstlineno
SAID = ("`Uninitialized.c_code`, line 2: variable 't' is uninitialized when "
        "used here")


def graph():
    x = double("x")
    return [x], Uninitialized()(Uninitialized()(x))


@pytest.mark.parametrize("how", [
    {}, {"mode": Mode(linker="op")}, {"mode": "DebugMode"},
    {"mode": Mode(form="function")}, {"mode": Mode(language="c++")},
    {"mode": Mode(first_tier="fast")}])
def test_python_warns_at_the_hooks_line(how):
    with pytest.warns(clinch.CompileWarning) as found:
        function(*graph(), **how)
    (warned,) = found
    assert str(warned.message) == SAID
    assert (warned.filename, warned.lineno) == (__file__, HOOK_LINE)


def test_a_cached_text_warns_as_a_compiled_one():
    for _ in range(2):
        with pytest.warns(clinch.CompileWarning, match="^`Uninit"):
            f = function(*graph())
    assert f.stats["cache"] == "hit"


def test_once_under_pythons_own_filters():
    program = ("import warnings; from test_warnings import graph; "
               "from clinch import function, compile\n"
               "for _ in range(2): function(*graph())\n"
               "for _ in range(2): compile('int f(void) {int t; return t;}')")
    done = subprocess.run([sys.executable, "-c", program], text=True,
                          capture_output=True, check=True,
                          cwd=os.path.dirname(__file__))
    told = [line for line in done.stderr.splitlines() if "Warning" in line]
    assert told == [
        f"{__file__}:{HOOK_LINE}: CompileWarning: {SAID}",
        "<string>:3: CompileWarning: text, line 1: variable 't' is "
        "uninitialized when used here"]


def test_a_warning_may_be_an_error_or_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error", clinch.CompileWarning)
        with pytest.raises(clinch.CompileWarning, match="^`Uninit"):
            function(*graph())
        warnings.simplefilter("ignore", clinch.CompileWarning)
        f = function(*graph())
    assert len(f.stats["warnings"]) == 2


def test_flags_that_ask_for_more():
    class Asking(Uninitialized):
        def c_code(self, node, name, inputs, outputs, sub):
            return f"int unused;\n{outputs[0]} = {inputs[0]};"

    class All(Asking):
        def c_compile_args(self):
            return ["-Wunused-variable"]

    x = double("x")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        function([x], Asking()(x))
    with pytest.warns(clinch.CompileWarning) as found:
        function([x], All()(x))
    assert [str(w.message) for w in found] == [
        "`All.c_code`, line 1: unused variable 'unused'"]


def test_the_line_of_a_c_file(tmp_path):
    path = tmp_path / "doubtful.c"
    path.write_text("#section code\ndouble t;\nOUTPUT_0 = INPUT_0 + t;\n")

    class Filed(clinch.ExternalCOp):
        def make_node(self, x):
            return Apply(self, [x], [x.type()])

    x = double("x")
    with pytest.warns(clinch.CompileWarning) as found:
        function([x], Filed(str(path))(x))
    (warned,) = found
    assert (warned.filename, warned.lineno) == (str(path), 3)
    assert str(warned.message).endswith(
        ", line 3: variable 't' is uninitialized when used here")


def test_a_text_warns_at_the_call_of_compile():
    with pytest.warns(clinch.CompileWarning) as found:
        clinch.compile("int f(void) { int t;\nreturn t; }", "mine.c")
    (warned,) = found
    assert warned.filename == __file__
    assert str(warned.message) == (
        "mine.c, line 2: variable 't' is uninitialized when used here")


def test_a_warning_about_flags_names_no_line():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        clinch.compile("double f(double x) { return x; }", flags=["-O4"])
    assert [(w.category, str(w.message)) for w in told] == [
        (clinch.CompileWarning, "-O4 is equivalent to -O3")]
