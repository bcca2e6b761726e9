"""What a text leaves open is the fault of its hook, in each form and language,
and never of the text that happens to close it."""

import itertools

import pytest

import clinch
from clinch import Apply, Mode, Op, Type, function

OPEN = {
    "{": "this `{` is never closed: `}` is missing",
    "CALL(": "this `(` is never closed: `)` is missing",
    "/* open": "this comment never ends: `*/` is missing",
    "#if 1": "this `#if` is never closed: `#endif` is missing",
    "#if 0": "this `#if` is never closed: `#endif` is missing",
    "}": "`}` closes nothing that this text opened",
}
TYPE_HOOKS = ["c_declare", "c_init", "c_extract", "c_sync", "c_cleanup"]
OP_HOOKS = ["c_support_code", "c_support_code_apply", "c_support_code_struct",
            "c_init_code", "c_init_code_apply", "c_init_code_struct",
            "c_cleanup_code_struct", "c_code", "c_code_cleanup"]
SHAPES = [(form, language) for form, language in
          itertools.product(["function", "struct"], ["c", "c++"])]


class Number(Type):
    __props__ = ("language", "wrong", "ending")

    def __init__(self, language, wrong="", ending=""):
        self.language, self.wrong, self.ending = language, wrong, ending

    def end(self, hook, text):
        return f"{text}\n{self.ending}" if hook == self.wrong else text

    def c_compiler(self):
        return self.language

    def filter(self, value, strict=False, allow_downcast=None):
        return float(value)

    def c_declare(self, name, sub, check_input=True):
        return self.end("c_declare", f"double {name};")

    def c_init(self, name, sub):
        return self.end("c_init", f"{name} = 0;")

    def c_extract(self, name, sub, check_input=True, **kwargs):
        return self.end("c_extract",
                        f"{name} = PyFloat_AsDouble(py_{name});")

    def c_sync(self, name, sub):
        return self.end("c_sync", f"Py_XDECREF(py_{name});\n"
                                  f"py_{name} = PyFloat_FromDouble({name});")

    def c_cleanup(self, name, sub):
        return self.end("c_cleanup", "")

    def c_code_cache_version(self):
        return ()


class Twice(Op):
    __props__ = ("wrong", "ending")

    def __init__(self, wrong="", ending=""):
        self.wrong, self.ending = wrong, ending

    def end(self, hook, text=""):
        return f"{text}\n{self.ending}" if hook == self.wrong else text

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_support_code(self, **kwargs):
        return self.end("c_support_code", "#define CALL(x) x")

    def c_support_code_apply(self, node, name):
        return self.end("c_support_code_apply", f"static int own_{name};")

    def c_support_code_struct(self, node, name):
        return self.end("c_support_code_struct", f"int mine_{name};")

    def c_init_code(self, **kwargs):
        return [self.end("c_init_code", ";")]

    def c_init_code_apply(self, node, name):
        return self.end("c_init_code_apply", ";")

    def c_init_code_struct(self, node, name, sub):
        return self.end("c_init_code_struct", ";")

    def c_cleanup_code_struct(self, node, name):
        return self.end("c_cleanup_code_struct", ";")

    def c_code(self, node, name, inputs, outputs, sub):
        return self.end("c_code", f"{outputs[0]} = 2 * {inputs[0]};")

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return self.end("c_code_cleanup", ";")

    def c_code_cache_version(self):
        return ()


def made(form, language, op=Twice(), **kind):
    x = Number(language, **kind)("x")
    return function([x], Twice()(op(Twice()(x))), mode=Mode(form=form))


@pytest.mark.parametrize("form, language", SHAPES)
def test_whole_texts_run(form, language):
    assert made(form, language)(3.0) == 24.0


@pytest.mark.parametrize("ending", OPEN)
@pytest.mark.parametrize("hook", TYPE_HOOKS + OP_HOOKS)
def test_the_hook_is_blamed(hook, ending):
    for form, language in SHAPES:
        if form == "function" and "struct" in hook:
            continue
        if (hook, ending, language) == ("c_support_code_struct", "CALL(", "c"):
            continue  # Which macro that is cannot be known where C has to.
        wrong = dict(wrong=hook, ending=ending)
        with pytest.raises(clinch.CompileError) as caught:
            if hook in TYPE_HOOKS:
                made(form, language, **wrong)
            else:
                made(form, language, Twice(**wrong))
        found = caught.value.diagnostics
        said = {d["hook"].removesuffix("_out") for d in found}
        assert said == {hook}, str(caught.value)
        assert found[-1]["message"] == OPEN[ending], str(caught.value)
        assert found[-1]["source_line"].strip() == ending


@pytest.mark.parametrize("form, language", SHAPES)
@pytest.mark.parametrize("hook", [hook for hook in TYPE_HOOKS + OP_HOOKS if hook
                                  not in ("c_init", "c_extract")])
def test_a_last_backslash_joins_nothing(hook, form, language):
    """But c_extract_out puts `c_init` and `c_extract` into one text."""
    last = dict(wrong=hook, ending="// \\")
    f = (made(form, language, **last) if hook in TYPE_HOOKS
         else made(form, language, Twice(**last)))
    assert f(3.0) == 24.0


@pytest.mark.parametrize("form, language", SHAPES)
@pytest.mark.parametrize("debug", [False, True])
def test_labels_are_each_texts_own(form, language, debug):
    class Labelled(Twice):
        def c_code(self, node, name, inputs, outputs, sub):
            return (f"{outputs[0]} = {inputs[0]};\n"
                    f"again: if ({outputs[0]} < 100) {{ {outputs[0]} += 1; "
                    "goto again; }")
    x = Number(language)("x")
    f = function([x], Labelled()(Twice()(Labelled()(x))),
                 mode=Mode(form=form, debug=debug))
    assert f(3.0) == 200.0


@pytest.mark.parametrize("form, language", SHAPES)
def test_struct_code_may_have_types_and_macros(form, language):
    class Structured(Twice):
        def c_support_code_struct(self, node, name):
            return (f"typedef int count_{name};\n#define FACTOR 2\n"
                    f"struct pair_{name} {{ int one, two; }};\n"
                    f"count_{name} n_{name}; struct pair_{name} p_{name};")

        def c_init_code_struct(self, node, name, sub):
            return f"n_{name} = 1; p_{name}.two = FACTOR;"

        def c_code(self, node, name, inputs, outputs, sub):
            return f"{outputs[0]} = {inputs[0]} * (n_{name} + p_{name}.two);"
    x = Number(language)("x")
    f = function([x], Structured()(Twice()(x)), mode=Mode(form=form))
    assert f(3.0) == 18.0
