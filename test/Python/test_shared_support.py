"""Support code is one text, as in Theano and PyTensor: what stands before a text is
seen by it, whoever wrote it, and identical text stands once."""

import pytest

import clinch
from clinch import Apply, double
from clinch.testing import Number
from ways import CText, results

TOGETHER = [("struct", "fast", None), ("function", "max", None),
            ("struct", "default", "fast")]
together = pytest.mark.parametrize(("form", "tier", "first_tier"), TOGETHER)
in_c_and_cxx = pytest.mark.parametrize("language", ["c", "c++"])

#: name: (what one Op leaves, the other's support code and code, its value for 0)
SHARED = {
    "macro": ("#define STEP 7\n", "", "z = x + STEP;", 7.0),
    "asks for a macro": ("#define STEP 7\n",
                         "#ifndef STEP\n#define STEP 1\n#endif\n",
                         "z = x + STEP;", 7.0),
    "takes a macro away": ("#define STEP 7\n", "#undef STEP\n#define STEP 2\n",
                           "z = x + STEP;", 2.0),
    "function": ("static double help(double a) { return a + 7; }\n", "",
                 "z = help(x);", 7.0),
    "variable": ("static double step = 7;\n", "", "z = x + step;", 7.0),
    "type": ("typedef double real;\n", "", "real t = x; z = t + 7;", 7.0),
    "constant": ("enum { SEVEN = 7 };\n", "", "z = x + SEVEN;", 7.0),
}


@in_c_and_cxx
@pytest.mark.parametrize("name", SHARED)
@together
def test_an_op_uses_what_another_defines(name, language, form, tier, first_tier):
    left, support, code, value = SHARED[name]
    x = double("x")
    graph = CText(code, support)(CText("z = x;", left)(x))
    assert results([x], graph, [0.0], form=form, linker="graph", tier=tier,
                   first_tier=first_tier, language=language) == [value] * 3


@in_c_and_cxx
@pytest.mark.parametrize("name", ["macro", "function", "variable", "type"])
def test_an_apply_that_is_compiled_alone_has_its_own(name, language):
    left, _, code, _ = SHARED[name]
    x = double("x")
    with pytest.raises(clinch.CompileError) as raised:
        clinch.function([x], CText(code)(CText("z = x;", left)(x)),
                        mode=clinch.Mode(linker="op", language=language))
    found = raised.value.diagnostics[0]
    assert found["origin"].startswith("`CText.c_code`")
    assert "undeclared" in found["message"] or \
        "unknown type" in found["message"]


@together
def test_one_variable_of_two_texts(form, tier, first_tier):
    """`int hits;` in two texts is one variable in C."""
    x = double("x")
    first = CText("hits = 1; z = x + hits;", "static int hits;\n")
    other = CText("z = x + hits;", "static int hits;\n// Mine.\n")
    assert results([x], other(first(x)), [0.0], form=form, linker="graph",
                   tier=tier, first_tier=first_tier, language="c") == [2.0] * 3


@in_c_and_cxx
def test_two_helpers_of_one_name_do_not_compile(language):
    x = double("x")
    one = CText("z = help(x);", "static double help(double a) { return a; }\n")
    two = CText("z = help(x);", "static double help(double a) { return -a; }\n")
    with pytest.raises(clinch.CompileError) as raised:
        clinch.function([x], two(one(x)), mode=clinch.Mode(language=language))
    found = raised.value.diagnostics[0]
    assert found["origin"] == "`CText.c_support_code`"
    assert found["message"] == "redefinition of 'help'"


@in_c_and_cxx
def test_of_two_definitions_of_a_macro_the_last_counts(language):
    x = double("x")
    one = CText("z = x + STEP;", "#define STEP 1\n")
    ten = CText("z = x + STEP;", "\n#define STEP 10\n")
    f = clinch.function([x], ten(one(x)), mode=clinch.Mode(language=language))
    assert f(0.0) == 20.0
    assert any("macro redefined" in w["message"] for w in f.stats["warnings"])


class Counted(Number):
    """A double whose hooks use what the Op around them defines, as PyTensor's
    CDataType uses its `freefunc`."""

    def c_extract(self, name, sub, check_input=True):
        return f"{name} = PyFloat_AsDouble(py_{name}) + STEP;"

    def c_sync(self, name, sub):
        return f"Py_SETREF(py_{name}, PyFloat_FromDouble({name}));"


class FromCounted(CText):
    def make_node(self, x):
        return Apply(self, [x], [double()])


@in_c_and_cxx
@together
def test_a_type_uses_what_an_op_defines(language, form, tier, first_tier):
    c = Counted()("c")
    op = FromCounted("z = x;", "#define STEP 5\n")
    for linker in "graph", "op":
        assert results([c], op(c), [1.0], form=form, linker=linker, tier=tier,
                       first_tier=first_tier, language=language) == [6.0] * 3
