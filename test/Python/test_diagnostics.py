"""What an author of hooks is told: the whole message, in C and in C++, with its words for
the author's `sub` and names. unittests/Engine/RulesTest.cpp and CompleteTest.cpp have the rest
of the rules."""

import re
import traceback

import pytest

from clinch import Apply, Double, Mode, Op, double, function


class Wrong(Op):
    """A copy of a double, but for what a case changes."""
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]};"


def filled(template):
    """A hook of an Op that returns the template, filled."""
    def hook(self, node, name, inputs, outputs, sub):
        return template % dict(sub, x=inputs[0], z=outputs[0], name=name)
    return hook


def op(code=None, **hooks):
    """The input and the output of an Op with this c_code and these hooks."""
    if code is not None:
        hooks["c_code"] = filled(code)
    x = double("x")
    return x, type("Wrong", (Wrong,), hooks)()(x)


def of_type(**templates):
    """The same of a Type whose hooks return these templates, filled."""
    def hook(template):
        return lambda self, name, sub, check_input=True: \
            template % dict(sub, name=name)
    kind = type("Bad", (Double,), {k: hook(t) for k, t in templates.items()})
    x = kind()("x")
    return x, Wrong()(x)


#: What is wrong, the graph that shows it, and what is said, in which `{{...}}` is a
#: regular expression.
CASES = [
    ("one author's brace is reported as that author's",
     lambda: op("%(z)s = %(x)s; }"), """
clinch.CompileError: The text does not compile: 1 error.
`Wrong.c_code` for `node_3`:1:10: error: `}` closes nothing that this text opened
  V2 = V1; }
           ^
"""),
    ("`c_code` that returns nothing",
     lambda: op(c_code=lambda self, node, name, i, o, sub: None), """
clinch.HookError: `Wrong.c_code` for `node_3` must return a str; it returned None.
"""),
    ("a language that is none",
     lambda: op(c_compiler=lambda self: "fortran"), """
clinch.HookError: `Wrong.c_compiler` returned `fortran`; expected `c`, `c++` or `cuda`
"""),
    ("declared names contain the variable's",
     lambda: of_type(c_declare="double %(name)s; int helper;"), """
clinch.RuleError: The text breaks a rule in 1 place.
`Bad.c_declare` for `x`:1:16: error: the name `helper` must contain `V1`: the variables of a graph share their scopes; write `helper_{name}`
  double V1; int helper;
                 ^
note: the same for `V2`
"""),
    ("a message points at the author's line, not at ours",
     lambda: of_type(c_declare="double %(name)s"), """
clinch.CompileError: The text does not compile: 1 error.
`Bad.c_declare` for `x`:1:10: error: expected ';' at end of declaration
  double V1
           ^
  write instead: ;
note: the same for `V2`
"""),
    ("a semicolon after the block of fail ends the if",
     lambda: op("if (%(x)s < 0) %(fail)s; else %(z)s = 1;"), """
clinch.CompileError: The text does not compile: 1 error.
`Wrong.c_code` for `node_3`:1:43: error: expected expression before `else`; `sub["fail"]` is a block: write no `;` after it
  if (V1 < 0) {failure = 3; goto label_3;}; else V2 = 1;
                                            ^
"""),
    ("a sync may not fail",
     lambda: of_type(c_sync="%(fail)s"), """
clinch.RuleError: The text breaks a rule in 1 place.
`Bad.c_sync` for `V2`:1:2: error: this code may not fail: it runs while cleanups run, and failing would run them again; check what can fail in `c_code` or `c_extract`, or report it and go on
  {failure = 2; goto label_2;}
   ^
"""),
    ("`%(fail)` without its s, which nobody fills",
     lambda: op(c_code=lambda *_: "if (1) { %(fail) }"), """
clinch.CompileError: The text does not compile: 1 error.
`Wrong.c_code` for `node_3`:1:10: error: `%(fail)` is still there, without its `s`: nothing was put in its place; write `sub["fail"]`
  if (1) { %(fail) }
           ^
"""),
    ("a flag that the compiler does not know",
     lambda: op(c_compile_args=lambda self: ["-Zno-such-flag"]), """
clinch.CompileError: The compiler does not take these flags: unknown argument: '-Zno-such-flag'.
`Wrong.c_compile_args`: error: `-Zno-such-flag` is given here
"""),
    ("a `goto` to a label that is nowhere",
     lambda: op("goto nowhere;"), """
clinch.RuleError: The text breaks a rule in 1 place.
`Wrong.c_code` for `node_3`:1:1: error: `goto nowhere` may not leave this block: it would skip cleanups, or run some twice; jump to a label of the same piece of code, or write `sub["fail"]` to fail
  goto nowhere;
  ^
"""),
    ("a header that is not there",
     lambda: op(c_headers=lambda self: ["nowhere.h"]), """
clinch.CompileError: The text does not compile: 1 error.
`Wrong.c_headers`:1:10: error: 'nowhere.h' file not found
  #include "nowhere.h"
           ^
"""),
    ("an exception in a hook arrives whole, and a note says where",
     lambda: op(c_support_code=lambda self: [][1]), """
IndexError: list index out of range
Clinch was calling `Wrong.c_support_code`.
"""),
    ("a template's own key that Python does not know",
     lambda: op("%(nam)s = 1;"), """
KeyError: 'nam'
Clinch was calling `Wrong.c_code` for `node_3`, made at {{.*}}test_diagnostics.py:{{[0-9]+}} in op. The keys of `sub` are `name`, `failure_var`, `id`, `fail`.
"""),
    ("a label of one's own may not be one of Clinch's",
     lambda: op("label_2: %(z)s = %(x)s;"), """
clinch.RuleError: The text breaks a rule in 1 place.
`Wrong.c_code` for `node_3`:1:1: error: the label `label_2` is one of Clinch's own; put `{name}` in it
  label_2: V2 = V1;
  ^
"""),
    ("a library that is not there",
     lambda: op(c_libraries=lambda self: ["nowhere"]), """
clinch.LinkError: A library is missing: `nowhere`: expected `libnowhere.so` in the folders of the system.
`Wrong.c_libraries`: error: `nowhere` is given here
"""),
    ("a macro of a header: its name, once",
     lambda: op("Py_CLEAR(%(x)s);"), r"""
clinch.CompileError: The text does not compile: 1 error.
`Wrong.c_code` for `node_3`:1:{{1|10}}: error: {{.*'double'.*}}
  Py_CLEAR(V1);
  {{ *\^}}
{{.*}}object.h:{{[0-9:]+}}: note: expanded from macro `Py_CLEAR`
  {{.*}}
  {{ *\^}}
"""),
    ("a name that is missing is missing wherever it is used",
     lambda: op("double a = toatl;\n%(z)s = toatl + a;\nif (toatl > 1) { %(z)s = other; }"), """
clinch.CompileError: The text does not compile: 2 errors.
`Wrong.c_code` for `node_3`:1:12: error: use of undeclared identifier 'toatl'
  double a = toatl;
             ^
`Wrong.c_code` for `node_3`:3:23: error: use of undeclared identifier 'other'
  if (toatl > 1) { V2 = other; }
                        ^
"""),
    ("what a header declares is shown where it is used wrongly",
     lambda: op("%(z)s = PyFloat_AsDouble();"), r"""
clinch.CompileError: The text does not compile: 1 error.
`Wrong.c_code` for `node_3`:1:{{[0-9]+}}: error: {{.*}}
  V2 = PyFloat_AsDouble();
  {{ *\^}}
{{.*}}floatobject.h:{{[0-9:]+}}: note: {{.*}}
  PyAPI_FUNC(double) PyFloat_AsDouble(PyObject*);
  {{ *\^}}
"""),
    ("`return` skips cleanups",
     lambda: op("%(z)s = %(x)s;\nreturn 1;"), """
clinch.RuleError: The text breaks a rule in 1 place.
`Wrong.c_code` for `node_3`:2:1: error: `return` may not be used here: it would skip the cleanups of this block and of those around it; write `sub["fail"]` to fail, or let the code run to its end
  return 1;
  ^
"""),
    ("a missing semicolon, with what to write",
     lambda: op("%(z)s = %(x)s"), """
clinch.CompileError: The text does not compile: 1 error.
`Wrong.c_code` for `node_3`:1:8: error: expected ';' after expression
  V2 = V1
         ^
  write instead: ;
"""),
    ("a hook that returns what is no text",
     lambda: op(c_support_code=lambda self: 3), """
clinch.HookError: `Wrong.c_support_code` must return a str or a list of str; it returned a value of type `int`.
"""),
    ("symbols that are nowhere: every one is listed, with the hook that uses it",
     lambda: op("extern int nowhere_1(void), nowhere_2(void);\n%(z)s = nowhere_1() + nowhere_2();"), r"""
clinch.LinkError: Symbols are missing: expected the host, a named library or the process to define {{`.*nowhere_1.*`.*, `.*nowhere_2.*}}.
`Wrong.c_code` for `node_3`:2:6: error: `nowhere_1{{(\(\))?}}` is used, and nothing defines it.
  V2 = nowhere_1() + nowhere_2();
       ^
`Wrong.c_code` for `node_3`:2:20: error: `nowhere_2{{(\(\))?}}` is used, and nothing defines it.
  V2 = nowhere_1() + nowhere_2();
                     ^
"""),
    ("a type that is missing is one error, wherever its variables are used",
     lambda: of_type(c_declare="my_range %(name)s;"), """
clinch.CompileError: The text does not compile: 1 error.
`Bad.c_declare` for `x`:1:1: error: {{use of undeclared identifier|unknown type name}} 'my_range'
  my_range V1;
  ^
"""),
    ("an unknown name",
     lambda: op("%(z)s = unknown_function(%(x)s);"), """
clinch.CompileError: The text does not compile: 1 error.
`Wrong.c_code` for `node_3`:1:6: error: use of undeclared identifier 'unknown_function'
  V2 = unknown_function(V1);
       ^
"""),
]


def as_regex(expected):
    parts = re.split(r"\{\{(.*?)\}\}", expected)
    return "".join(f"(?:{part})" if n % 2 else re.escape(part) for n, part in enumerate(parts))


def said_of(make, language):
    """What Python prints of the error, but for where the hook is."""
    x, z = make()
    with pytest.raises(Exception) as raised:
        function([x], z, Mode(language=language))
    said = "".join(traceback.format_exception_only(raised.value))
    return re.sub(r"^`\w+\.\w+` is at .*test_diagnostics\.py:\d+\.\n", "", said, flags=re.M)


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("make, expected", [case[1:] for case in CASES],
                         ids=[case[0] for case in CASES])
def test_what_is_wrong(make, expected, language):
    said = said_of(make, language)
    assert re.fullmatch(as_regex(expected.removeprefix("\n")), said), said


def test_a_name_near_one_of_a_header():
    """The guess, and nothing of that header; Clang guesses less in C++."""
    assert said_of(lambda: op("%(z)s = tow(%(x)s);"), "c") == """\
clinch.CompileError: The text does not compile: 1 error.
`Wrong.c_code` for `node_3`:1:6: error: use of undeclared identifier 'tow'; did you mean 'pow'?
  V2 = tow(V1);
       ^
  write instead: pow
"""


@pytest.mark.parametrize("code, word, column", [
    ("std::vector<double> v; %(z)s = %(x)s;", "std", 1),
    ("%(z)s = *new double(%(x)s);", "new", 7)])
def test_a_word_of_cxx_in_c(code, word, column):
    assert said_of(lambda: op(code), "c").splitlines()[1] == (
        f"`Wrong.c_code` for `node_3`:1:{column}: error: use of undeclared identifier "
        f"'{word}': it is C++'s, and this text is C; return \"c++\" from c_compiler")


def test_functions_in_a_struct_need_cxx():
    def make():
        return op("%(z)s = twice_%(name)s(%(x)s);",
                  c_support_code_struct=lambda self, node, name:
                  f"double twice_{name}(double x) {{ return 2 * x; }}")
    assert said_of(make, "c") == """\
clinch.HookError: `Wrong.c_support_code_struct` for `node_3`:1:1: error: a function at struct scope needs C++: return "c++" from c_compiler, or move it to c_support_code_apply
  double twice_node_3(double x) { return 2 * x; }
  ^
"""
    x, z = make()
    assert function([x], z, Mode(language="c++"))(4.0) == 8.0
