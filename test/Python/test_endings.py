"""A text that ends too early is its author's own fault: the error names the
hook, and never a line of what Clinch writes around it."""

import pytest

from clinch import Apply, CompileError, Double, Op, double, function

# After each of these something is missing, in any text.
OPEN = [
    "(", "[", "{", "({", "f(", "int f(", "struct s {", "enum {", "int a[", "[[",
    '"', '"a\\', "'", 'L"', "/*", "#if 1", "#ifdef A\n#else", "\\", "a\\",
    "// a\\", "#define", "#define F(", "#include", "#pragma pack(1)", "#elif",
    "#undef", "%:if 1", '#include "nowhere.h"', "_Pragma(", '_Pragma("x"',
    "_Static_assert", "_Static_assert(", "static_assert(1", "__attribute__((",
    "__asm__", "__asm__(", "struct", "enum", "union", "typedef", "static",
    "extern", "const", "int *", "int a =", "int a,", "int a = 1,", "int a",
    "int a[]", "static int", "typedef int a", "__attribute__((unused))",
    "[[maybe_unused]]", "sizeof", "int a = sizeof", "int a = 1 +",
    "int a = (int)", "int a = -", "int a = 1 ?", "int a = 1 ? 2 :", "int a = f",
    "int (*a)", "int a : ", "signed", "long long", "_Alignas(8)", "inline",
]
STATEMENTS = [
    "z = x +", "z = x", "z =", "if", "if (x)", "if (x) z = x; else",
    "if (x) ; else if (x)", "do", "do ;", "do { } while", "do { } while (x)",
    "while", "while (x)", "for", "for (;;)", "for (int i = 0;", "switch",
    "switch (1)", "switch (1) case 1", "switch (1) { case 1", "case", "case 1:",
    "default", "goto", "goto a", "return", "return x", "break", "continue",
    "x ? z", "x ? z :", "&", "*", "&&", "-", "!", "~", "++", "(int)", "(x",
    "x,", "x.", "x->", "x[", "x ==", "__builtin_expect(", "sizeof(",
    "__asm__(\"nop\"", "({ x; }", "_Generic", "_Generic(x,", "x x", "0x", "1e",
    "#pragma clang loop unroll(full)", "__label__", "__label__ a", "__real",
]
CXX = [
    "try", "try {", "try { }", "try { } catch", "try { } catch (...)", "throw 1",
    "new", "new int", "delete", "template", "template <class T>", "using",
    "using a =", "namespace", "operator", "auto", "auto a", "auto a = []",
    "auto a = [&]", "auto a = [&] {", "struct s { int a;", "struct s : ",
    "class", "constexpr", "static_cast<int>", "static_cast<int>(x", "co_await",
    "if constexpr", "R\"(", "R\"abc(text)\"", "int a{", "alignas(8)",
    "decltype(x)", "template <class T> struct s", "concept c =", "explicit",
]
CXX_OUTSIDE = ["namespace {", "extern \"C\" {", "using namespace", "export",
               "template <", "friend", "struct s : t",
               "double a <(double x) { return x; }", "int a <(int x)",
               "int a <int>", "double a template <(double x) { return x; }",
               "a::b", "a<b>::c", "int a::b", "~a() {}", "operator int() {}",
               "int a = [] {}", "int f() -> int {}", "int f() try {}",
               "int a <(int x) {} int b <(int x) {}"]


class Ending(Op):
    """A copy of a double; a hook ends as told."""
    __props__ = ("hook", "text", "compiler")

    def __init__(self, hook, text, compiler):
        self.hook, self.text, self.compiler = hook, text, compiler

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_compiler(self):
        return self.compiler

    def c_code(self, node, name, inputs, outputs, sub):
        return f"double x = {inputs[0]}, z = 0; {outputs[0]} = x + z;\n" + \
            self.ending("c_code")

    def ending(self, hook):
        return self.text if hook == self.hook else ""

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return "double x = 1, z = x; (void)z;\n" + \
            self.ending("c_code_cleanup")

    def c_support_code(self):
        return self.ending("c_support_code")

    def c_support_code_apply(self, node, name):
        return self.ending("c_support_code_apply")

    def c_support_code_struct(self, node, name):
        return self.ending("c_support_code_struct")

    def c_init_code(self):
        return [self.ending("c_init_code")]

    def c_init_code_struct(self, node, name, sub):
        return "double x = 1, z = x; (void)z;\n" + \
            self.ending("c_init_code_struct")

    def c_cleanup_code_struct(self, node, name):
        return self.ending("c_cleanup_code_struct")


def of_type(hook, text, compiler):
    """A Double one hook of which ends as told."""
    def ended(self, name, sub, check_input=True):
        call = getattr(Double(), hook)
        given = call(name, sub, check_input=check_input) \
            if hook in ("c_declare", "c_extract") else call(name, sub)
        return (given or "") + "\n" + text
    kind = type("Ending", (Double,),
                {hook: ended, "c_compiler": lambda self: compiler})
    return kind()


def compiled(hook, text, compiler):
    """What went wrong, or None."""
    is_of_op = hasattr(Ending, hook)
    x = double("x") if is_of_op else of_type(hook, text, compiler)("x")
    y = Ending(hook if is_of_op else "", text, compiler)(x)
    try:
        function([x], y)
    except CompileError as error:
        return error
    return None


def check(hook, text, compiler):
    error = compiled(hook, text, compiler)
    if error is None:
        return
    found = [d["origin"] for d in error.diagnostics
             if d["severity"] == "error"]
    assert found, f"{hook} {text!r}: no diagnostic: {error}"
    for origin in found:
        assert origin.startswith(f"`Ending.{hook}`"), \
            f"{hook} {text!r} is said at {origin}:\n{error}"


BLOCKS = ["c_code", "c_code_cleanup", "c_init_code_struct", "c_extract",
          "c_sync", "c_cleanup"]
GLOBALS = ["c_support_code", "c_support_code_apply"]


@pytest.mark.parametrize("compiler", ["c", "c++"])
@pytest.mark.parametrize("hook", BLOCKS)
def test_of_a_block(hook, compiler):
    for text in OPEN + STATEMENTS + (CXX if compiler == "c++" else []):
        check(hook, text, compiler)


@pytest.mark.parametrize("compiler", ["c", "c++"])
@pytest.mark.parametrize("hook", GLOBALS + ["c_support_code_struct"])
def test_of_global_text(hook, compiler):
    for text in OPEN + (CXX + CXX_OUTSIDE if compiler == "c++" else []):
        check(hook, text, compiler)


@pytest.mark.parametrize("compiler", ["c", "c++"])
@pytest.mark.parametrize("hook", ["c_declare", "c_init_code",
                                  "c_cleanup_code_struct"])
def test_of_other_text(hook, compiler):
    for text in OPEN:
        check(hook, text, compiler)


@pytest.mark.parametrize("compiler", ["c", "c++"])
@pytest.mark.parametrize("text, line, column, message, in_cxx", [
    ("z = x +", 2, 8, "expected expression", "expected expression"),
    ("if (x)", 2, 7, "expected expression", "expected statement"),
    ("do", 2, 3, "expected expression", "expected statement"),
    ("goto", 2, 5, "expected identifier", "expected identifier"),
    ("while (x)  // always", 2, 10, "expected expression", "expected statement"),
])
def test_the_place_is_the_end_of_the_text(text, line, column, message, in_cxx,
                                          compiler):
    error = compiled("c_code", text, compiler)
    assert len(error.diagnostics) == 1, str(error)
    told, = error.diagnostics
    assert told["origin"] == "`Ending.c_code` for `node_3`"
    assert (told["line"], told["column"]) == (line, column)
    assert told["message"] == \
        "the text ends in the middle of a statement: " + (
            message if compiler == "c" else in_cxx)
    assert told["source_line"] == text


@pytest.mark.parametrize("text, place", [
    ("z = x;\n#line 7 \"x.c\"\nif (x)", ("x.c", 7, 7)),
    ("{\n#line 7 \"x.c\"\n  {", ("x.c", 7, 3)),
])
def test_who_gives_lines_another_name_is_named_too(text, place):
    told, = compiled("c_code", text, "c").diagnostics
    assert (told["origin"], told["line"], told["column"]) == place
    assert [(note["origin"], note["message"]) for note in told["notes"]] == [
        ("`Ending.c_code` for `node_3`",
         "a `#line` of this text gives its lines another name")]


def test_a_text_may_end_in_what_is_whole():
    for compiler in ("c", "c++"):
        for text in (";", "{}", "a: ;", "#define M\n#undef M", "// the end",
                     "/* the end */", "if (x) z = x; // and", "do ; while (0);",
                     "switch (1) { case 1: ; }", "{ int a = 1; (void)a; }"):
            assert compiled("c_code", text, compiler) is None, text
        for text in ("static int f(void) { return 1; }", "struct s { int a; };",
                     "#define F 1", "typedef int a; // the end",
                     "int b = 1; /* the end */", "#if 0\n#endif"):
            assert compiled("c_support_code", text, compiler) is None, text
