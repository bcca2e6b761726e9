"""A text that ends too early is its author's own fault: the error names the
hook, and never a line of what Clinch writes around it."""

import pytest

from clinch import CompileError, Mode, function
from saying import graph

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


def compiled(hook, text, language):
    """What went wrong, or None."""
    x, y = graph(hook, text)
    try:
        function([x], y, Mode(language=language))
    except CompileError as error:
        return error
    return None


def check(hook, text, language):
    error = compiled(hook, text, language)
    if error is None:
        return
    found = [d["origin"] for d in error.diagnostics
             if d["severity"] == "error"]
    assert found, f"{hook} {text!r}: no diagnostic: {error}"
    for origin in found:
        assert origin.startswith((f"`Saying.{hook}`", f"`SayingType.{hook}`")), \
            f"{hook} {text!r} is said at {origin}:\n{error}"


BLOCKS = ["c_code", "c_code_cleanup", "c_init_code_struct", "c_extract",
          "c_sync", "c_cleanup"]
GLOBALS = ["c_support_code", "c_support_code_apply"]


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("hook", BLOCKS)
def test_of_a_block(hook, language):
    for text in OPEN + STATEMENTS + (CXX if language == "c++" else []):
        check(hook, text, language)


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("hook", GLOBALS + ["c_support_code_struct"])
def test_of_global_text(hook, language):
    for text in OPEN + (CXX + CXX_OUTSIDE if language == "c++" else []):
        check(hook, text, language)


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("hook", ["c_declare", "c_init_code",
                                  "c_cleanup_code_struct"])
def test_of_other_text(hook, language):
    for text in OPEN:
        check(hook, text, language)


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("text, line, column, message, in_cxx", [
    ("z = x +", 2, 8, "expected expression", "expected expression"),
    ("if (x)", 2, 7, "expected expression", "expected statement"),
    ("do", 2, 3, "expected expression", "expected statement"),
    ("goto", 2, 5, "expected identifier", "expected identifier"),
    ("while (x)  // always", 2, 10, "expected expression", "expected statement"),
])
def test_the_place_is_the_end_of_the_text(text, line, column, message, in_cxx,
                                          language):
    error = compiled("c_code", text, language)
    assert len(error.diagnostics) == 1, str(error)
    told, = error.diagnostics
    assert told["origin"] == "`Saying.c_code` for `node_3`"
    assert (told["line"], told["column"]) == (line, column)
    assert told["message"] == \
        "the text ends in the middle of a statement: " + (
            message if language == "c" else in_cxx)
    assert told["source_line"] == text


@pytest.mark.parametrize("text, place", [
    ("z = x;\n#line 7 \"x.c\"\nif (x)", ("x.c", 7, 7)),
    ("{\n#line 7 \"x.c\"\n  {", ("x.c", 7, 3)),
])
def test_who_gives_lines_another_name_is_named_too(text, place):
    told, = compiled("c_code", text, "c").diagnostics
    assert (told["origin"], told["line"], told["column"]) == place
    assert [(note["origin"], note["message"]) for note in told["notes"]] == [
        ("`Saying.c_code` for `node_3`",
         "a `#line` of this text gives its lines another name")]
