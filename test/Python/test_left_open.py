"""What a text leaves open is the fault of its hook, in each form and language,
and never of the text that happens to close it."""

import itertools

import pytest

import clinch
from clinch import Mode, double, function
from saying import OF_OP, OF_TYPE, Saying, graph

OPEN = {
    "{": "this `{` is never closed: `}` is missing",
    "CALL(": "this `(` is never closed: `)` is missing",
    "/* open": "this comment never ends: `*/` is missing",
    "#if 1": "this `#if` is never closed: `#endif` is missing",
    "#if 0": "this `#if` is never closed: `#endif` is missing",
    "}": "`}` closes nothing that this text opened",
}
SHAPES = [(form, language) for form, language in
          itertools.product(["function", "struct"], ["c", "c++"])]


def made(form, language, hook="", more=""):
    x, y = graph(hook, more, times=3)
    return function([x], y, Mode(form=form, language=language))


@pytest.mark.parametrize("form, language", SHAPES)
def test_whole_texts_run(form, language):
    assert made(form, language)(3.0) == 24.0


@pytest.mark.parametrize("ending", OPEN)
@pytest.mark.parametrize("hook", OF_TYPE + OF_OP)
def test_the_hook_is_blamed(hook, ending):
    for form, language in SHAPES:
        if form == "function" and "struct" in hook:
            continue
        if (hook, ending, language) == ("c_support_code_struct", "CALL(", "c"):
            continue  # Which macro that is cannot be known where C has to.
        with pytest.raises(clinch.CompileError) as caught:
            made(form, language, hook, ending)
        found = caught.value.diagnostics
        said = {d["hook"].removesuffix("_out") for d in found}
        assert said == {hook}, str(caught.value)
        assert found[-1]["message"] == OPEN[ending], str(caught.value)
        assert found[-1]["source_line"].strip() == ending


@pytest.mark.parametrize("form, language", SHAPES)
@pytest.mark.parametrize("hook", [hook for hook in OF_TYPE + OF_OP if hook
                                  not in ("c_init", "c_extract")])
def test_a_last_backslash_joins_nothing(hook, form, language):
    """But c_extract_out puts `c_init` and `c_extract` into one text."""
    assert made(form, language, hook, "// \\")(3.0) == 24.0


@pytest.mark.parametrize("form, language", SHAPES)
@pytest.mark.parametrize("debug", [False, True])
def test_labels_are_each_texts_own(form, language, debug):
    class Labelled(Saying):
        def c_code(self, node, name, inputs, outputs, sub):
            return (f"{outputs[0]} = {inputs[0]};\n"
                    f"again: if ({outputs[0]} < 100) {{ {outputs[0]} += 1; "
                    "goto again; }")
    x = double("x")
    f = function([x], Labelled()(Saying()(Labelled()(x))),
                 mode=Mode(form=form, language=language, debug=debug))
    assert f(3.0) == 200.0


@pytest.mark.parametrize("form, language", SHAPES)
def test_struct_code_may_have_types_and_macros(form, language):
    class Structured(Saying):
        def c_support_code_struct(self, node, name):
            return (f"typedef int count_{name};\n#define FACTOR 2\n"
                    f"struct pair_{name} {{ int one, two; }};\n"
                    f"count_{name} n_{name}; struct pair_{name} p_{name};")

        def c_init_code_struct(self, node, name, sub):
            return f"n_{name} = 1; p_{name}.two = FACTOR;"

        def c_code(self, node, name, inputs, outputs, sub):
            return f"{outputs[0]} = {inputs[0]} * (n_{name} + p_{name}.two);"
    x = double("x")
    f = function([x], Structured()(Saying()(x)),
                 mode=Mode(form=form, language=language))
    assert f(3.0) == 18.0
