"""Prefixes of one's own: headers that are precompiled once."""

import itertools
import os
import pickle
import re
import subprocess
import sys
import threading
import zlib

import pytest

import clinch

HEADER = """
#pragma once
#include <vector>
template <typename T> T sum(const std::vector<T> &v) {
  T s = 0;
  for (T x : v) s += x;
  return s;
}
inline int scale() { return SCALE; }
"""
TEXT = """
extern "C" int f(int n) {
  std::vector<int> v;
  for (int i = 0; i < n; ++i) v.push_back(i);
  return sum(v) * scale();
}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "own.h").write_text(HEADER.replace("SCALE", "10"))
    return tmp_path


def make(folder, text=("own.h",), **options):
    return clinch.PrecompiledHeaders(text, language="c++", include_dirs=[str(folder)],
                                     **options)


def test_a_text_has_what_the_prefix_includes(folder):
    prefix = make(folder)
    text = clinch.compile(TEXT, prefix=prefix)
    assert text.f(4) == 60
    # Its stage of parsing pays for its own lines alone: a header twice is none.
    assert clinch.compile('#include "own.h"\n' + TEXT, prefix=prefix).f(5) == 100
    assert repr(prefix) == "PrecompiledHeaders('#include <own.h>\\n', language='c++')"


def test_pickles_name_the_class_as_version_0_1_did(folder):
    """As protocol 0 it is text, in which the old names can be written."""
    now = pickle.dumps(make(folder), protocol=0)
    old = now.replace(b"clinch.source.prefixes\nPrecompiledHeaders\n",
                      b"clinch.prefixes\nPrefix\n")
    assert old != now
    for pickled in (now, old):
        prefix = pickle.loads(pickled)
        assert type(prefix) is clinch.PrecompiledHeaders
        assert clinch.compile(TEXT, prefix=prefix).f(4) == 60


def test_a_prefix_is_text_or_headers(folder):
    assert make(folder, '#include "own.h"\nenum { MORE = 7 };\n').text == (
        '#include "own.h"\nenum { MORE = 7 };\n')
    assert make(folder, ["<cmath>", '"own.h"', "own.h"]).text == (
        '#include <cmath>\n#include "own.h"\n#include <own.h>\n')
    prefix = make(folder, "enum { MORE = 7 };\n#define TWO 2\n")
    assert clinch.compile('extern "C" int f() { return MORE + TWO; }',
                          prefix=prefix).f() == 9


def test_a_header_that_changes_is_noticed(folder):
    prefix = make(folder)
    first = clinch.compile(TEXT, prefix=prefix)
    assert first.f(4) == 60
    (folder / "own.h").write_text(HEADER.replace("SCALE", "100"))
    second = clinch.compile(TEXT, prefix=prefix)
    assert (first.f(4), second.f(4)) == (60, 600)
    (folder / "own.h").write_text(HEADER.replace("SCALE", "10"))
    third = clinch.compile(TEXT, prefix=prefix)
    assert third.f(4) == 60


def test_a_header_that_changes_is_noticed_by_other_processes(folder, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(f"""
import clinch
prefix = clinch.PrecompiledHeaders(["own.h"], language="c++", include_dirs=[{str(folder)!r}])
print(clinch.compile({TEXT!r}, prefix=prefix).f(4))
""")

    def run():
        environment = {**os.environ, "CLINCH_CACHE_DIR": str(tmp_path / "cache")}
        return subprocess.run([sys.executable, script], env=environment, check=True,
                              capture_output=True, text=True).stdout

    assert (run(), run()) == ("60\n", "60\n")
    (folder / "own.h").write_text(HEADER.replace("SCALE", "7"))
    assert (run(), run()) == ("42\n", "42\n")


def test_a_header_that_appears_in_front_is_noticed(folder, tmp_path):
    (tmp_path / "first").mkdir()
    prefix = clinch.PrecompiledHeaders(
        ["own.h"], language="c++", include_dirs=[str(tmp_path / "first"), str(folder)])
    assert clinch.compile(TEXT, prefix=prefix).f(4) == 60
    (tmp_path / "first" / "own.h").write_text(HEADER.replace("SCALE", "1"))
    assert clinch.compile(TEXT, prefix=prefix).f(4) == 6


def test_options_of_the_text_and_of_the_prefix(folder, tmp_path):
    (folder / "own.h").write_text(HEADER)
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "more.h").write_text("enum { MORE = 1000 };\n")
    prefix = make(folder, defines=["SCALE=3"], flags=["-std=c++17"])
    text = clinch.compile(
        '#include "more.h"\nstatic_assert(__cplusplus == 201703L);' +
        TEXT.replace("scale()", "scale() + MORE + OTHER"), prefix=prefix,
        include_dirs=[str(tmp_path / "more")], defines=["OTHER=1"], tier="fast")
    assert text.f(4) == 18 + 1001


@pytest.mark.parametrize("tier", ["fast", "default"])
def test_headers_see_the_processor_and_the_openmp_of_flags(folder, tier):
    (folder / "own.h").write_text("""
        #if defined(__AVX2__) && defined(__FMA__) && defined(_OPENMP)
        enum { SEEN = 1 };
        #else
        enum { SEEN = 0 };
        #endif
    """)
    for flags, seen in ((["-mavx2", "-mfma", "-fopenmp"], 1),
                        (["-march=x86-64-v3", "-fopenmp"], 1), (["-mavx2"], 0)):
        prefix = make(folder, flags=flags)
        text = clinch.compile("int f() { return SEEN; }", prefix=prefix, tier=tier)
        assert text.f() == seen


def test_pythons_headers_and_more(folder):
    prefix = make(folder, python=True)
    text = clinch.compile("""
        extern "C" PyObject *f(int n) {
          return PyLong_FromLong(sum(std::vector<int>(n, 2)));
        }""", prefix=prefix)
    assert text.f(4) == 8


def test_a_pickle(folder):
    text = clinch.compile(TEXT, prefix=make(folder))
    assert pickle.loads(pickle.dumps(text)).f(4) == 60


def test_extensions_and_objects_have_prefixes_too(folder):
    prefix = make(folder)
    other = clinch.compile_object(TEXT, prefix=prefix)
    text = clinch.compile('extern "C" int f(int); extern "C" int g() { return f(4); }',
                          prefix=prefix, objects=[other])
    assert text.g() == 60


def test_what_is_wrong_with_a_prefix(folder):
    with pytest.raises(clinch.CompileError) as caught:
        make(folder, ["nonesuch.h"])
    assert "'nonesuch.h' file not found" in str(caught.value)
    with pytest.raises(clinch.CompileError, match="unknown type name 'nit'"):
        make(folder, "nit x;")
    with pytest.raises(ValueError) as value:
        clinch.compile("int x;", language="c", prefix=make(folder))
    assert str(value.value) == "the prefix is c++, and the text is to be c"


VIRTUAL = """
struct base { virtual ~base() = default; virtual int told() const = 0; };
template <typename T> struct derived : base {
  int told() const override { return sizeof(T) / (T() - T()); }
};
inline base *made() { return new derived<long>; }
"""


def test_what_a_prefix_instantiates_no_text_does_again():
    """Nor what only a virtual table names. Each instantiation would warn."""
    text = "extern \"C\" bool f() { base *b = made(); delete b; return b; }"
    alone = clinch.compile(VIRTUAL + text, language="c++", symbols={})
    assert "division by zero" in str(alone.stats["warnings"])
    after = clinch.compile(text, prefix=clinch.PrecompiledHeaders(VIRTUAL, language="c++"))
    assert after.stats["warnings"] == []
    assert after.f() is True


def test_a_header_without_a_folder_of_the_texts_is_noticed(folder):
    prefix = clinch.PrecompiledHeaders([f'"{folder}/own.h"'], language="c++")
    assert clinch.compile(TEXT, prefix=prefix).f(4) == 60
    (folder / "own.h").write_text(HEADER.replace("SCALE", "7"))
    assert clinch.compile(TEXT, prefix=prefix).f(4) == 42


def test_a_header_that_changes_while_the_prefix_is_built(folder):
    """What is precompiled is what is recorded of it."""
    before = "".join(f'#include "more{n}.h"\n' for n in range(400))
    for n in range(400):
        (folder / f"more{n}.h").write_text(f"#pragma once\nint more{n}();\n" * 50)
    done = threading.Event()
    scales = itertools.count(1)

    def write():
        while not done.is_set():
            aside = folder / "aside"
            aside.write_text(HEADER.replace("SCALE", str(next(scales))))
            aside.rename(folder / "own.h")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        prefix = make(folder, '#include "own.h"\n' + before)
        text = clinch.compile(TEXT, prefix=prefix)
    except OSError as error:
        assert str(error) == "The headers of the prefix change while they are compiled."
    else:
        assert text.f(4) % 6 == 0
    finally:
        done.set()
        writer.join()
    prefix = make(folder, '#include "own.h"\n' + before)
    assert clinch.compile(TEXT, prefix=prefix).f(4) == 6 * (next(scales) - 1)


@pytest.fixture
def cache(tmp_path):
    before = clinch.config.cache_dir, clinch.config.cache_limit
    clinch.config.cache_dir = tmp_path / "kept"
    yield tmp_path / "kept"
    clinch.config.cache_dir, clinch.config.cache_limit = before


def sizes(cache):
    return {path: path.stat().st_size for path in cache.glob("*.clinch")}


def test_prefixes_count_against_the_caches_limit(folder, cache):
    def once(number):
        make(folder, defines=[f"SCALE={number}"])

    (folder / "own.h").write_text(HEADER)
    once(0)
    [size] = [size for path, size in sizes(cache).items() if ".pch." in path.name]
    clinch.config.cache_limit = int(2.5 * size)
    for number in range(1, 5):
        once(number)
        assert sum(sizes(cache).values()) <= clinch.config.cache_limit


def test_a_prefix_is_compressed(folder, cache):
    make(folder)
    [path] = [path for path in sizes(cache) if ".pch." in path.name]
    data = path.read_bytes()
    assert len(zlib.compress(data)) > 0.9 * len(data) > 100_000


def test_a_prefix_that_is_too_large_for_the_cache(folder, cache):
    clinch.config.cache_limit = 1_000_000
    prefix = make(folder)
    with pytest.warns(clinch.CompileWarning) as caught:
        text = clinch.compile(TEXT, prefix=prefix)
    assert re.fullmatch(
        r"The precompiled prefix takes \d MB, and each process will make "
        r"it anew: the cache takes files of up to half of its limit, here 0 MB\.",
        str(caught[0].message))
    assert not [path for path in sizes(cache) if ".pch." in path.name]
    assert text.f(4) == 60


@pytest.mark.parametrize("isolation", [None, "process"])
def test_a_prefix_that_takes_more_than_its_limit(folder, monkeypatch, isolation):
    """An array of 500 MB. What comes after it is as before."""
    (folder / "large.h").write_text("static const int large[] = {[0 ... 131071999] = 3};\n")
    monkeypatch.setattr(clinch.config, "isolation", isolation)
    monkeypatch.setattr(clinch.config, "memory_limit", 256 << 20)
    with pytest.raises(clinch.LimitError) as caught:
        clinch.PrecompiledHeaders(["large.h"], language="c", include_dirs=[str(folder)])
    assert str(caught.value) == (
        "The compile took more memory than its limit of 268435456 bytes.")
    assert clinch.compile(TEXT, prefix=make(folder)).f(4) == 60


def test_a_prefix_needs_what_only_its_texts_are_linked_with(folder):
    (folder / "own.h").write_text("int of_library(int); static int made = of_library(7);\n")
    prefix = make(folder)
    other = clinch.compile_object("int of_library(int a) { return a; }", language="c++")
    text = clinch.compile("extern \"C\" int f() { return made; }", prefix=prefix,
                          objects=[other])
    assert text.f() == 7
