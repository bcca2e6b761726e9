"""Folders of headers are known to the cache by what is in them, not by their names."""

import pytest

import clinch

TEXT = '#include "own.h"\nint f(void) { return OWN; }\n'


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """Compiles in a folder of that name with those files; the value of f, and how the
    cache answered."""
    monkeypatch.setattr(clinch.config, "cache_dir", str(tmp_path / "cache"))

    def compile_in(name, files, text=TEXT, options=lambda folder: {
            "include_dirs": [folder]}):
        for path, content in files.items():
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text(content)
        made = clinch.compile(text, **options(str(tmp_path / name)))
        return made.f(), made.stats["cache"]
    return compile_in


@pytest.mark.parametrize("options", [
    lambda folder: {"include_dirs": [folder + "/", folder + "/below"]},
    lambda folder: {"flags": ["-I" + folder]},
    lambda folder: {"flags": ["-O1", "-iquote", folder, "-w"]},
    lambda folder: {"flags": ["-idirafter" + folder + "/./below/..", "-Inone"]},
])
def test_the_same_headers_in_another_folder(compiled, options):
    files = {"own.h": '#include "below/more.h"\n', "below/more.h": "#define OWN 1\n"}
    assert compiled("one", files, options=options) == (1, "miss")
    assert compiled("two", files, options=options) == (1, "hit")
    # Its own headers decide: neither those of the first, nor what was there before.
    files["below/more.h"] = "#define OWN 3\n"
    assert compiled("two", files, options=options) == (3, "miss")
    assert compiled("one", {}, options=options) == (1, "hit")
    assert compiled("three", files, options=options) == (3, "hit")


def test_a_header_in_front(compiled):
    def both(folder):
        return {"include_dirs": [folder + "/first", folder + "/second"]}
    files = {"first/other.h": "", "second/own.h": "#define OWN 1\n"}
    assert compiled("one", files, options=both) == (1, "miss")
    files["first/own.h"] = "#define OWN 2\n"
    assert compiled("two", files, options=both) == (2, "miss")


@pytest.mark.parametrize("header, text", [
    ("#define OWN __FILE__[sizeof __FILE__ - 8]\n", TEXT),
    ("static inline int at(const char *path, int i) { return path[i - 8]; }\n"
     "#define OWN at(HERE, sizeof HERE)\n",
     "#define HERE __FILE__\n" + TEXT),
])
def test_a_header_that_knows_its_place(compiled, header, text):
    """`/b/own.h` and `/c/own.h`: it gives the letter."""
    header += "static inline int mine(void) { return OWN; }\n"
    text = text.replace("return OWN", "return mine()")
    assert [compiled(name, {"own.h": header}, text) for name in "bc"] == [
        (ord("b"), "miss"), (ord("c"), "miss")]


def test_a_header_beside_the_folder(compiled):
    """`../own.h` is in no folder that was named."""
    def below(folder):
        return {"include_dirs": [folder + "/below"]}
    for name, value in (("one", 1), ("two", 2)):
        files = {"own.h": f"#define OWN {value}\n", "below/in.h": '#include "../own.h"\n'}
        assert compiled(name, files, TEXT.replace("own", "in"), below) == (value, "miss")
