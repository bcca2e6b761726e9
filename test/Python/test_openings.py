"""What many texts begin with is precompiled when it comes a third time."""

import itertools

import pytest

import clinch

OPENING = "#include <vector>\n#include <own.h>\n"
OWN = "#pragma once\ninline int own() { return VALUE; }\n"
_numbers = itertools.count()


@pytest.fixture
def folder(tmp_path):
    before = clinch.config.cache_dir
    clinch.config.cache_dir = tmp_path / "cache"
    (tmp_path / "own.h").write_text(OWN.replace("VALUE", "7"))
    yield tmp_path
    clinch.config.cache_dir = before


def prefixes(folder):
    return len(list((folder / "cache").glob("*.pch.clinch")))


def compiled(folder, body="int f() { return own(); }", opening=OPENING, **options):
    """Each call compiles another text."""
    options = {"language": "c++", "tier": "fast", **options}
    return clinch.compile(f"{opening}enum {{ number = {next(_numbers)} }};\n{body}",
                          include_dirs=[str(folder)], **options)


def test_the_third_text_has_a_prefix(folder):
    made = [prefixes(folder) for _ in range(4) if compiled(folder).f() == 7]
    assert made == [0, 0, 1, 1]
    # Of other flags it is another one.
    made = [prefixes(folder) for _ in range(3)
            if compiled(folder, flags=["-DUNUSED"]).f() == 7]
    assert made == [1, 1, 2]


def test_a_header_that_changes(folder):
    for _ in range(3):
        compiled(folder)
    (folder / "own.h").write_text(OWN.replace("VALUE", "9"))
    assert (prefixes(folder), compiled(folder).f()) == (1, 9)


def test_code_is_known_with_a_prefix_and_without(folder):
    first = compiled(folder)
    text, options = first._made_of[0], first._made_of[2]
    made = [compiled(folder) for _ in range(3)]
    del first
    again = clinch.compile(text, include_dirs=options["include_dirs"], language="c++",
                           tier="fast")
    assert again.stats["cache"] == "hit"
    third = made[2]._made_of[0]
    del made
    (folder / "cache").rename(folder / "away")
    clinch.config.cache_dir = folder / "cache"
    assert clinch.compile(third, include_dirs=options["include_dirs"], language="c++",
                          tier="fast").f() == 7


@pytest.mark.parametrize("opening, options, value", [
    ("#define VALUE 3\n#include <values.h>\n", {}, 3),
    ("#include <values.h>\n", {"defines": ["VALUE=4"]}, 4),
    ("#include <values.h>\n", {"flags": ["-DVALUE=5", "-std=c++17"]}, 5),
    ("#define VALUE 3\n#include <values.h>\n#undef VALUE\n#define VALUE 8\n"
     "#include <values.h>\n", {"defines": ["VALUE=4"], "flags": ["-w"]}, 11),
    ("/* Of a\n   program. */\n\n// More.\n#ifdef VALUE\n#include <nonesuch.h>\n#else\n"
     "# define VALUE 6 // Six.\n#include <values.h> // It.\n#endif\n", {}, 6),
    ('#define VALUE 2\n#include "values.h"\n', {"name": "text"}, 2),
    ("#define VALUE 1 + __LINE__\n#include <values.h>\n", {}, 9),
    ("#if defined(__AVX2__) && defined(__OPTIMIZE__)\n#define VALUE 2\n#else\n"
     "#define VALUE 1\n#endif\n#include <values.h>\n", {"flags": ["-mavx2", "-O2"]}, 2),
    ("#define VALUE __COUNTER__ + __COUNTER__\n#include <values.h>\n", {}, 3),
])
def test_openings(folder, opening, options, value):
    """values() adds what each inclusion of the header gives."""
    (folder / "values.h").write_text("""
#ifndef values
#define values sum
static int sum = 0;
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#endif
namespace { int JOIN(x, __COUNTER__) = sum += VALUE; }
""")
    for made in (0, 0, 1, 1):
        assert compiled(folder, "int f() { return values; }", opening, **options).f() \
            == value
        assert prefixes(folder) == made


@pytest.mark.parametrize("opening, header, options", [
    ("int before;\n#include <own.h>\n", "", {}),
    ("#pragma pack(1)\n#include <own.h>\n", "", {}),
    ("#define A \\\n  1\n#include <own.h>\n", "", {}),
    ("#ifndef A\n#include <own.h>\nint more;\n#endif\n", "", {}),
    ("/* */ int a;\n#include <own.h>\n", "", {}),
    ('#include "own.h"\n', "", {"name": "folder/text"}),
    ("#include <own.h>\n", "#warning It is old.\n", {}),
    ("#include <own.h>\n", "inline int g() { int unused; return 1; }\n",
     {"flags": ["-Wall"]}),
    ("#include <own.h>\n", "inline const char *base() { return __BASE_FILE__; }\n", {}),
    ("#include <own.h>\n", "", {"keep": ["llvm"]}),
    ("#include <own.h>\n", "", {"debug": True}),
    ("", "", {}),
])
@pytest.mark.filterwarnings("ignore::clinch.CompileWarning")
def test_texts_that_have_none(folder, opening, header, options):
    (folder / "own.h").write_text("#pragma once\n" + header)
    said = []
    for _ in range(4):
        made = compiled(folder, "int f() { return 7; }", opening, **options)
        said.append([(one["line"], one["message"]) for one in made.stats["warnings"]])
        assert made.f() == 7
    assert prefixes(folder) <= ("warning" in header or "unused" in header
                                or "BASE" in header)
    assert said == [said[0]] * 4 and bool(said[0]) == ("warning" in header
                                                      or "unused" in header)


def test_errors_and_warnings_are_those_of_the_text_alone(folder):
    (folder / "own.h").write_text(OWN.replace("VALUE", "7")
                                  + "int global; double shown(int a) { return a; }\n")
    wrong = "int f() { return own(1) + unknown; }"
    warned = "int f() { int unused; return own(); } static int g() { return 1; }"
    found = []
    for _ in range(4):
        with pytest.raises(clinch.CompileError) as caught:
            compiled(folder, wrong)
        with pytest.warns(clinch.CompileWarning):
            made = compiled(folder, warned, flags=["-Wunused", "-Wno-unused-parameter"])
        plain = compiled(folder)
        found.append((caught.value.diagnostics, made.stats["warnings"],
                      plain.functions, sorted(plain._types.variables), plain.shown(2)))
    assert found == found[:1] * 4
    assert list(found[0][2]) == ["shown", "f"]


def test_an_opening_that_does_not_compile(folder):
    for _ in range(4):
        with pytest.raises(clinch.CompileError) as caught:
            compiled(folder, opening="#include <vector>\n#include <nonesuch.h>\n")
        assert caught.value.diagnostics[0]["line"] == 2
    assert prefixes(folder) == 0


@pytest.mark.parametrize("tier", ["default", "max"])
def test_code_is_that_of_the_text_alone(folder, tier):
    body = """
        double total(const double *x, long n) {
          std::vector<double> v(x, x + n);
          double sum = 0;
          for (double one : v) sum += one;
          return sum + own();
        }"""
    made = [clinch.compile(OPENING + body + "\n" * n, include_dirs=[str(folder)],
                           language="c++", tier=tier, flags=["-fno-ident"])
            for n in range(4)]
    assert len({text.stats["code_bytes"] for text in made}) == 1
    assert prefixes(folder) == 1


def test_a_process_has_eight(folder):
    for number in range(9):
        for _ in range(3):
            compiled(folder, opening=f"#define N {number}\n#include <own.h>\n")
    assert prefixes(folder) == 8
