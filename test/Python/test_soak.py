"""The searches of `make soak`: a fault that one finds ends it with status 1, and what is
done to a cache leaves the cache right."""

import os
import re
import shutil
import subprocess
import sys

import pytest

import clinch

FUZZ = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                    "Fuzz")


@pytest.fixture(autouse=True, scope="module")
def searches():
    """Their modules; what they set is as it was afterwards."""
    cache, folder = clinch.config.cache, clinch.config.cache_dir
    sys.path.insert(0, FUZZ)
    yield
    sys.path.remove(FUZZ)
    clinch.config.cache_dir = folder
    clinch.config.cache = cache


def test_findings_end_with_status_1(tmp_path):
    """A case that dies, one that hangs, and a wrong one; the seed is printed."""
    folder = tmp_path / "searches"
    shutil.copytree(FUZZ, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "bad_search.py").write_text("""
import os
import time
LIMIT = 2
def make(seed):
    return {"seed": seed, "size": 8}
def run(case):
    if case["seed"] == 41:
        os.kill(os.getpid(), 11)
    if case["seed"] == 42:
        time.sleep(60)
    if case["seed"] == 43 and case["size"] > 2:
        return {"counts": {}, "finding": dict(kind="wrong", way="", detail="")}
    return {"counts": {"fine": 1}}
def smaller(case):
    if case["seed"] == 43:
        yield dict(case, size=case["size"] - 1)
def script(case, finding):
    return repr(case)
""")
    out = tmp_path / "out"
    run = subprocess.run(
        [sys.executable, str(folder / "fuzz.py"), "--seed", "40", "--cases", "5",
         "--jobs", "1", "--out", str(out), "bad_search"],
        capture_output=True, text=True, timeout=300)
    assert run.returncode == 1
    assert run.stdout.splitlines()[0] == "seed 40, 1 at a time"
    for seed, kind in ((41, "died"), (42, "hung"), (43, "wrong")):
        assert f"bad_search, seed {seed}: {kind}" in run.stdout
    assert run.stdout.splitlines()[-1] == "seed 40: 3 findings"
    assert (out / "bad_search-43.py").read_text() == "{'seed': 43, 'size': 3}"


def test_a_search_that_finds_something_fails_the_soak(tmp_path):
    """Its last line says which; the others run all the same."""
    script = f"""
import sys
sys.path.insert(0, {FUZZ!r})
import soak
soak.SEARCHES = {{"good": "-c pass", "bad": "-c raise(SystemExit(1))",
                  "last": "-c pass"}}
sys.argv[1:] = ["--seed", "5", "--minutes", "1", "good", "bad", "last"]
sys.exit(soak.main())
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True,
                           text=True)
    assert ended.returncode == 1
    assert ended.stdout.splitlines()[-1] == (
        "seed 5: 2 searches found nothing, 1 found something: bad")
    assert re.findall("== (.*): status (.)", ended.stdout) == [
        ("good", "0"), ("bad", "1"), ("last", "0")]


def test_another_version_has_entries_of_its_own(tmp_path):
    """Both fill the cache, and neither loads what the other put there."""
    import cache_search
    cache = cache_search.Cache(1, str(tmp_path))

    def names():
        return {os.path.relpath(path, tmp_path)
                for path in cache_search.entries(tmp_path)}
    cache._await([cache_search.fork(
        lambda: cache_search.use(str(tmp_path), cache.numbers))])
    own = names()
    cache.other()
    assert cache.wrong is None
    assert len(names()) == 2 * len(own) == 2 * cache_search.TEXTS
    cache.numbers = ["no number"]
    cache.other()
    assert cache.wrong == "another version answered {'status': 256}"


def test_every_event_leaves_a_cache_that_is_right(tmp_path):
    import cache_search
    cache_search.life.made(0)
    cache = cache_search.Cache(1, str(tmp_path))
    for kind in sorted(set(cache_search.KINDS)):
        cache._await([cache_search.fork(
            lambda: cache_search.use(str(tmp_path), cache.numbers))])
        before = sorted(cache_search.entries(tmp_path))
        assert len(before) >= cache_search.TEXTS - 1, kind
        getattr(cache, kind)()
        assert cache.wrong is None, kind
