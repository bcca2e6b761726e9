"""A caller's own key stands for the text; a trace is of a compile that is made anew."""

import json
import os

import pytest

import clinch
import clinch.cuda

TEXT = "int f(void) { return %d; }"


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(clinch.config, "cache_dir", str(tmp_path / "cache"))


def made(number, **options):
    """What f returns, and how the cache answered."""
    text = clinch.compile(TEXT % number, **options)
    return text.f(), text.stats["cache"]


def test_another_text_of_the_key_is_the_same_code():
    assert made(1, key="a") == (1, "miss")
    assert made(2, key="a") == (1, "hit")
    assert made(2, key="b") == (2, "miss")
    assert made(2) == (2, "miss")  # The text itself is no key, nor a key a text.
    assert clinch.compile("int g(void);", key=TEXT % 2).stats["cache"] == "miss"


@pytest.mark.parametrize("others", [
    {"tier": "fast"}, {"flags": ["-O1"]}, {"defines": ["A"]}, {"cpu": "x86-64"},
    {"language": "c++"}, {"python": True},
    {"debug": True},  # Which shows the text.
])
def test_all_else_belongs_to_the_key(others):
    assert made(1, key="a") == (1, "miss")
    assert made(2, key="a", **others) == (2, "miss")


def test_headers_are_looked_at_all_the_same(tmp_path):
    header = tmp_path / "own.h"
    for value, number in ((1, 1), (5, 2)):
        header.write_text(f"#define OWN {value}\n")
        text = clinch.compile(f'#include "own.h"\nint f(void) {{ return OWN + {number}; }}',
                              key="a", include_dirs=[str(tmp_path)])
        assert (text.f(), text.stats["cache"]) == (value + number, "miss")


@pytest.mark.parametrize("isolation", [None, "process"])
def test_a_trace_has_the_times_of_the_parts(tmp_path, isolation):
    path = tmp_path / "times.json"
    text = """template <class T> T half(T x) { return x / 2; }
              extern "C" double f(const double *x, int n) {
                double sum = 0;
                for (int i = 0; i < n; ++i) sum += half(x[i]);
                return sum; }"""
    clinch.compile(text, language="c++")
    for _ in range(2):  # No cache has the times of a compile.
        made = clinch.compile(text, language="c++", trace=path, isolation=isolation)
        assert made.stats["cache"] == "miss"
        events = json.loads(path.read_text())["traceEvents"]
        path.unlink()
        names = {event["name"] for event in events if event["ph"] == "X"}
        assert {"InstantiateFunction", "LoopVectorizePass", "RunPass"} <= names
    assert os.listdir(tmp_path) == ["cache"]
    assert clinch.compile(text, language="c++").stats["cache"] == "hit"


@pytest.mark.parametrize("simulate", [False, True])
def test_a_trace_of_kernels(tmp_path, simulate):
    path = tmp_path / "times.json"
    text = "__global__ void fill(double *x) { x[threadIdx.x] = 2; }"
    for _ in range(2):
        clinch.cuda.compile(text, simulate=simulate, trace=path)
        events = json.loads(path.read_text())["traceEvents"]
        path.unlink()
        assert {"Frontend", "RunPass"} <= {event["name"] for event in events}
    assert not getattr(clinch.cuda.compile(text), "from_cache")


def test_no_trace_without_a_compile_or_a_place(tmp_path):
    with pytest.raises(clinch.CompileError):
        clinch.compile("int f(void) { return x; }", trace=tmp_path / "a.json")
    with pytest.raises(FileNotFoundError, match="none"):
        clinch.compile("int f(void);", trace=tmp_path / "none" / "a.json")
    assert not list(tmp_path.glob("*.json*"))
