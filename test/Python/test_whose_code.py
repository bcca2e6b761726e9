"""A text sees the support code of its own Op: beside others it means what it means
alone, or is refused."""

import pytest

import clinch
from clinch import double
from ways import WAYS, CText, results
from whose import (ALONE, SUPPORT, TOGETHER, each_of, expect, in_c_and_cxx,
                   not_seen, refusal)

#: name: (what the other leaves, this one's support code, its code, its value
#: alone for 0; where it is refused, and what)
VALUES = {
    "asks for a macro": (
        "#define STEP 100\n", "#ifndef STEP\n#define STEP 1\n#endif\n",
        "z = x + STEP;", 1.0, ("c_support_code", 1, 9, "STEP")),
    "asks whether it is defined": (
        "#define STEP 100\n", "#if defined(STEP)\n#define MINE STEP\n#else\n"
        "#define MINE 1\n#endif\n", "z = x + MINE;", 1.0,
        ("c_support_code", 1, 13, "STEP")),
    "asks what it is": (
        "#define STEP 100\n", "#if STEP\n#define MINE 3\n#else\n"
        "#define MINE 1\n#endif\n", "z = x + MINE;", 1.0,
        ("c_support_code", 1, 5, "STEP")),
    "asks in its code": (
        "#define STEP 100\n", "", "\n#ifdef STEP\nz = 100;\n#else\nz = 1;\n#endif",
        1.0, ("c_code", 5, 8, "STEP")),
    "a macro over a function of its own": (
        "#define step(a) (100 + 0 * (a))\n",
        "static double (step)(double a) { return a + 1; }\n",
        "z = step(x);", 1.0, ("c_code", 4, 5, "step")),
    "a macro over a header's function": (
        "#include <math.h>\n#define fabs(a) 100\n", "#include <math.h>\n",
        "z = fabs(x) + 1;", 1.0, ("c_code", 4, 5, "fabs")),
    "a macro taken away": (
        "#define STEP 100\n", "#undef STEP\n", "z = x + 1;", 1.0, None),
}


@in_c_and_cxx
@pytest.mark.parametrize("name", VALUES)
@each_of(ALONE)
def test_alone_it_means_what_it_says(name, language, form, linker, tier,
                                     first_tier):
    left, support, code, value, _ = VALUES[name]
    x = double("x")
    values = results([x], CText(code, support)(CText("z = x;", left)(x)), [0.0],
                     form=form, linker=linker, tier=tier, first_tier=first_tier,
                     language=language)
    assert values == [value] * 3


@in_c_and_cxx
@pytest.mark.parametrize("name", [n for n in VALUES if VALUES[n][4]])
@each_of(TOGETHER)
def test_with_another_it_is_refused(name, language, form, linker, tier,
                                    first_tier):
    left, support, code, _, (hook, line, column, what) = VALUES[name]
    found = refusal(lambda x: CText(code, support)(CText("z = x;", left)(x)),
                    form=form, tier=tier, first_tier=first_tier,
                    language=language)
    expect(found, f"`CText.{hook}`", line, column, not_seen(what))
    note = found["notes"][-1]
    assert note["origin"] == SUPPORT
    assert note["line"] == 1 + left.startswith("#include")
    assert note["message"] == f"`{what}` comes from here"


@each_of(WAYS)
def test_a_macro_for_the_standard_function_of_its_name_is_nobodys(
        form, linker, tier, first_tier):
    """As in PyTensor's C for `erfcx`, beside an `isinf` of another Op."""
    left = "#include <cmath>\n#define isinf std::isinf\n#define fabs ::std::fabs\n"
    x = double("x")
    other = CText("z = isinf(x) ? 1 : fabs(x);")
    values = results([x], other(CText("z = isinf(x) ? x : -x;", left)(x)), [3.0],
                     form=form, linker=linker, tier=tier, first_tier=first_tier,
                     language="c++")
    assert values == [3.0] * 3


#: name: (what the other leaves, this one's support code, its code; where it is
#: refused, and what)
OTHER_FUNCTIONS = {
    "a function of another name": (
        "#include <cmath>\n#define isinf std::isnan\n", "", "z = isinf(x);",
        ("c_code", 4, 5, "isinf")),
    "a function of another namespace": (
        "namespace mine { static double twice(double a) { return 2 * a; } }\n"
        "#define twice mine::twice\n",
        "static double twice(double a) { return 3 * a; }\n", "z = twice(x);",
        ("c_support_code", 1, 15, "twice")),
    "a question": (
        "#include <cmath>\n#define isinf std::isinf\n", "",
        "\n#ifdef isinf\nz = 1;\n#else\nz = 2;\n#endif", ("c_code", 5, 8, "isinf")),
    "arguments": (
        "#include <cmath>\n#define fabs(a) std::fabs(a)\n", "", "z = fabs(x);",
        ("c_code", 4, 5, "fabs")),
}


@pytest.mark.parametrize("name", OTHER_FUNCTIONS)
@each_of(TOGETHER)
def test_a_macro_for_another_function_is_refused(name, form, linker, tier,
                                                 first_tier):
    left, support, code, (hook, line, column, what) = OTHER_FUNCTIONS[name]
    found = refusal(lambda x: CText(code, support)(CText("z = x;", left)(x)),
                    form=form, tier=tier, first_tier=first_tier, language="c++")
    expect(found, f"`CText.{hook}`", line, column, not_seen(what))


@each_of(TOGETHER)
def test_a_macro_over_an_overload_of_ones_own_is_refused(form, linker, tier,
                                                         first_tier):
    own = "struct Mine {};\nstatic double isinf(Mine) { return 1; }\n"
    left = "#include <cmath>\n#define isinf std::isinf\n"
    found = refusal(
        lambda x: CText("z = x;", left)(CText("z = isinf(Mine());", own)(x)),
        form=form, tier=tier, first_tier=first_tier, language="c++")
    expect(found, "`CText.c_code`", 4, 5, not_seen("isinf"))


@in_c_and_cxx
@each_of(TOGETHER)
def test_a_builtin_is_nobodys(language, form, linker, tier, first_tier):
    x = double("x")
    first = CText("z = x + one();",
                  "static double one(void) { return __builtin_cbrt(1.0); }\n")
    other = CText("z = __builtin_cbrt(x);")
    assert results([x], other(first(x)), [7.0], form=form, linker=linker,
                   tier=tier, first_tier=first_tier,
                   language=language) == [2.0] * 3


@in_c_and_cxx
@each_of(WAYS)
def test_a_header_of_the_system_again(language, form, linker, tier, first_tier):
    """It defines `assert` anew, which Python's macros use."""
    x = double("x")
    op = CText("assert(1); z = x + 1;", "#include <assert.h>\n")
    assert results([x], op(op(x)), [1.0], form=form, linker=linker, tier=tier,
                   first_tier=first_tier, language=language) == [3.0] * 3


@in_c_and_cxx
@each_of(TOGETHER)
def test_a_header_that_asks(language, form, linker, tier, first_tier, tmp_path):
    header = tmp_path / "asks.h"
    header.write_text("\n#ifdef STEP\n#define MINE 100\n#else\n"
                      "#define MINE 1\n#endif\n")
    asking = CText("z = x + MINE;", f'\n#include "{header}"\n')
    how = dict(form=form, tier=tier, first_tier=first_tier, language=language)
    x = double("x")
    assert results([x], asking(CText("z = x;")(x)), [0.0], linker=linker,
                   **how) == [1.0] * 3
    found = refusal(lambda x: asking(CText("z = x;", "#define STEP 1\n")(x)),
                    **how)
    expect(found, str(header), 2, 8, not_seen("STEP"))
    assert [(note["origin"], note["line"], note["message"])
            for note in found["notes"]] == [
        (SUPPORT, 2, "included here"), (SUPPORT, 1, "`STEP` comes from here")]


#: name: (what the other leaves, this one's code, column, what, languages)
NAMES = {
    "function": ("static double help(double a) { return a + 1; }\n",
                 "z = help(x);", 5, "help", "c c++"),
    "function of both": ("double help(double a) { return a + 1; }\n",
                         "double help(double a); z = help(x);", 28, "help", "c"),
    "variable": ("static double step = 1;\n", "z = x + step;", 9, "step",
                 "c c++"),
    "type": ("typedef double real;\n", "real t = x; z = t;", 1, "real", "c c++"),
    "struct": ("struct pair { double a, b; };\n",
               "struct pair p = {x, 1}; z = p.a;", 8, "pair", "c c++"),
    "constant": ("enum { ONE = 1 };\n", "z = x + ONE;", 9, "ONE", "c c++"),
    "size": ("struct pair { double a, b; };\n", "z = x + sizeof(struct pair);",
             23, "pair", "c c++"),
    "macro": ("#define STEP 1\n", "z = x + STEP;", 9, "STEP", "c c++"),
    "cleanup": ("static void gone(double *p) { *p = 0; }\n",
                "__attribute__((cleanup(gone))) double t = x; z = t;", 16, "gone",
                "c c++"),
    "class": ("class Pair { public: double a = 1; };\n",
              "Pair p; z = x + p.a;", 1, "Pair", "c++"),
    "template": ("template <typename T> T twice(T a) { return a + a; }\n",
                 "z = twice(x);", 5, "twice", "c++"),
    "class template": ("template <typename T> struct Box { T a; };\n",
                       "Box<double> b = {x}; z = b.a;", 1, "Box", "c++"),
    "namespace": ("namespace mine { static double step = 1; }\n",
                  "z = x + mine::step;", 15, "step", "c++"),
    "using": ("namespace mine { static double step = 1; }\nusing mine::step;\n",
              "z = x + step;", 9, "step", "c++"),
}


@pytest.mark.parametrize(("name", "language"), [
    (name, language) for name, case in NAMES.items()
    for language in case[4].split()])
@each_of(TOGETHER)
def test_names_of_another_are_refused(name, language, form, linker, tier,
                                      first_tier):
    left, code, column, what, _ = NAMES[name]
    found = refusal(lambda x: CText(code)(CText("z = x;", left)(x)), form=form,
                    tier=tier, first_tier=first_tier, language=language)
    expect(found, "`CText.c_code`", 4, column, not_seen(what))
    assert found["notes"][-1]["origin"] == SUPPORT


@pytest.mark.parametrize(("name", "language"), [
    (name, language) for name, case in NAMES.items()
    for language in case[4].split()])
def test_names_that_nobody_defines(name, language):
    left, code, _, _, _ = NAMES[name]
    x = double("x")
    with pytest.raises((clinch.CompileError, clinch.LinkError)):
        clinch.function([x], CText(code)(CText("z = x;", left)(x)),
                        linker="op", language=language)


@each_of(WAYS)
def test_one_variable_of_two_texts(form, linker, tier, first_tier):
    """`int hits;` in two texts is one variable in C."""
    x = double("x")
    first = CText("hits += 1; z = x + hits;", "static int hits;\n")
    other = CText("hits += 1; z = x + hits;", "static int hits;\n// Mine.\n")
    if linker == "op":
        f = clinch.function([x], other(first(x)), form=form, linker=linker,
                            tier=tier, first_tier=first_tier)
        assert f(0.0) == 2.0
        return
    found = refusal(lambda x: other(first(x)), form=form, tier=tier,
                    first_tier=first_tier, language="c")
    expect(found, "`CText.c_code`", 4, 1, not_seen("hits"))


@each_of(TOGETHER)
def test_a_namespace_that_another_opens(form, linker, tier, first_tier):
    """A function of it would be called in place of a worse one."""
    left = "namespace mine { inline int size(double) { return 100; } }\n"
    how = dict(form=form, tier=tier, first_tier=first_tier, language="c++")
    header = "static int size(int) { return 1; }\n"
    x = double("x")
    code = "z = x + size(x);"
    assert results([x], CText(code, header)(CText("z = x;", left)(x)), [0.0],
                   linker=linker, **how) == [1.0] * 3
    found = refusal(lambda x: CText(code, header)(
        CText("z = x;", left + "using namespace mine;\n")(x)), **how)
    expect(found, "`CText.c_code`", 4, 9, not_seen("size"))


@each_of(WAYS)
def test_a_namespace_that_both_open(form, linker, tier, first_tier):
    x = double("x")
    first = CText("vector<double> v(3); z = x + v.size();",
                  "#include <vector>\nusing namespace std;\n")
    other = CText("string s = \"abcd\"; z = x + s.size();",
                  "#include <string>\nusing namespace std;\n")
    assert results([x], other(first(x)), [0.0], form=form, linker=linker,
                   tier=tier, first_tier=first_tier, language="c++") == [7.0] * 3


@each_of(TOGETHER)
def test_a_namespace_of_headers_that_another_opens(form, linker, tier,
                                                   first_tier):
    first = CText("vector<double> v(3); z = x + v.size();",
                  "#include <vector>\nusing namespace std;\n")
    other = CText("vector<int> v(1); z = x + v.size();")
    found = refusal(lambda x: other(first(x)), form=form, tier=tier,
                    first_tier=first_tier, language="c++")
    expect(found, "`CText.c_code`", 4, 1, not_seen("vector"))
    named = CText("std::vector<int> v(1); swap(v, v); z = x + v.size();")
    x = double("x")
    assert results([x], named(first(x)), [0.0], form=form, linker=linker,
                   tier=tier, first_tier=first_tier, language="c++") == [4.0] * 3


@in_c_and_cxx
@each_of(WAYS)
def test_a_macro_that_both_define(language, form, linker, tier, first_tier):
    """Each its own: the same in two texts, or another that the first uses no
    more."""
    x = double("x")
    how = dict(form=form, linker=linker, tier=tier, first_tier=first_tier,
               language=language)
    two = CText("z = x + STEP;", "#define STEP 2\n")
    too = CText("z = 3 * x + STEP;", "\n#define STEP 2\n")
    assert results([x], too(two(x)), [1.0], **how) == [11.0] * 3
    ten = CText("z = x + step();",
                "#define STEP 10\nstatic int step(void) { return STEP; }\n")
    assert results([x], two(ten(x)), [1.0], **how) == [13.0] * 3


@in_c_and_cxx
@each_of(TOGETHER)
def test_a_macro_that_another_defines_again(language, form, linker, tier,
                                            first_tier):
    hundred = CText("z = x + STEP;", "#define STEP 100\n")
    one = CText("z = x + STEP;", "\n\n#define STEP 1\n")
    found = refusal(lambda x: one(hundred(x)), form=form, tier=tier,
                    first_tier=first_tier, language=language)
    expect(found, "`CText.c_code`", 4, 9, not_seen("STEP"))
    assert found["notes"][-1]["line"] == 3


@in_c_and_cxx
@each_of(TOGETHER)
def test_a_macro_that_another_takes_away(language, form, linker, tier,
                                         first_tier):
    left, support, code, _, _ = VALUES["a macro taken away"]
    found = refusal(lambda x: CText(code, support)(CText("z = x;", left)(x)),
                    form=form, tier=tier, first_tier=first_tier,
                    language=language)
    expect(found, SUPPORT, 1, 8,
           f"`#undef STEP` would take a macro from the texts of {SUPPORT}; "
           "leave it, and give yours another name")


GUARDED = """
#ifndef GUARDED
#define GUARDED
static double guarded(double a) { return a + 1; }
#if 0
#endif
#endif
"""


@in_c_and_cxx
@each_of(WAYS)
def test_what_stands_in_both_behind_a_guard(language, form, linker, tier,
                                            first_tier):
    x = double("x")
    first = CText("z = guarded(x);", GUARDED)
    other = CText("z = two(x);", GUARDED + "static double two(double a) { return"
                  " guarded(guarded(a)); }\n")
    assert results([x], other(first(x)), [1.0], form=form, linker=linker,
                   tier=tier, first_tier=first_tier,
                   language=language) == [4.0] * 3


@in_c_and_cxx
@each_of(TOGETHER)
def test_a_guard_of_something_else(language, form, linker, tier, first_tier):
    other = GUARDED.replace("a + 1", "a + 2")
    found = refusal(lambda x: CText("z = guarded(x);", other)(
        CText("z = x;", GUARDED)(x)), form=form, tier=tier,
        first_tier=first_tier, language=language)
    expect(found, SUPPORT, 2, 9, not_seen("GUARDED"))
