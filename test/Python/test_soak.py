"""That the searches of `make soak` would notice what they look for."""

import os
import re
import shutil
import subprocess
import sys
import time

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


def kind_of(answer):
    return answer.get("finding", {}).get("kind")


def test_texts_of_every_kind_are_told_apart():
    from text_search import _try
    assert _try("c_code", "z = x * 3;", 4.5, "c") == ("right", None)
    assert _try("c_code", "z = x * 3;", 4.0, "c") == (
        "wrong value", "[6.0, 4.5, 10.0], expected [6.0, 4.0, 10.0]")
    what, detail = _try("c_code", "z = x *;", 4.5, "c++")
    assert what == "whole text refused" and "expected expression" in detail
    assert _try("c_code", "z = x *;", None, "c++") == ("refused", None)
    assert _try("c_code", "z = x * 4;", None, "c") == ("compiled with slips",
                                                       None)
    assert _try("c_code", "__builtin_trap();", None, "c") == ("ran wild", None)


#: LLVM 22.1 cannot lower it for AVX-512.
CRASHES = """
typedef short S __attribute__((vector_size(16)));
typedef double V __attribute__((vector_size(64)));
void f(S *a, V *b) { *b = __builtin_elementwise_exp2(__builtin_convertvector(*a, V)); }
"""


@pytest.mark.skipif(not os.path.exists("/usr/bin/clang-22"), reason="there is no stock Clang")
def test_a_crash_of_stock_clang_is_none_of_ours(monkeypatch):
    import oracle
    import text_search

    def crash(*args, **how):
        error = clinch.CompilerCrash("The compiler crashed over this text")
        error.source = CRASHES
        raise error
    monkeypatch.setattr(text_search, "function", crash)
    monkeypatch.setattr(text_search, "INCLUDES", ["-march=skylake-avx512"])
    case = ("c_code", "z = x;", None, "c")
    assert oracle.crashes("int a;", "c", "fast", []) is False
    assert text_search._try(*case) == ("crashes of stock Clang, too", None)
    monkeypatch.setattr(oracle, "crashes", lambda *what: False)
    assert text_search._try(*case)[0] == "CompilerCrash"


def test_an_error_without_its_hook_is_found(monkeypatch):
    import text_search

    def refuse(*args, **how):
        raise clinch.CompileError("thunk.c:50:9: error: expected expression")
    monkeypatch.setattr(text_search, "function", refuse)
    assert text_search._try("c_code", "z = ;", None, "c")[0] == \
        "error without its hook"


def test_what_runs_at_once_runs_apart():
    from text_search import _apart
    raises = "PyErr_SetString(PyExc_ValueError, \"no\");"
    cases = [("c_init_code", "int i = ;", None, "c"),
             ("c_init_code_struct", "abort();", None, "c"),
             ("c_init_code", raises, None, "c"),
             ("c_init_code_struct", "for (;;) ;", None, "c"),
             ("c_init_code_struct", "throw 1;", None, "c++"),
             ("c_cleanup_code_struct", "int i = ;", None, "c++")]
    assert [tuple(answer) for answer in _apart(cases)] == [
        ("refused", None), ("ran wild", None),
        ("raised at once", None), ("ran wild", None), ("raised at once", None),
        ("refused", None)]


@pytest.mark.skipif(not shutil.which("false"), reason="there is no `false` to stand for ptxas")
def test_what_is_wrong_with_simulated_kernels_is_found(monkeypatch):
    import kernel_search as search
    case, launch, compute = search.make(5), search.launch, search.expected
    answer = search.run(case)
    assert "finding" not in answer
    assert [what for what in answer["counts"] if what.startswith("mistakes")] == [
        f"mistakes: {what}" for what in
        ("no barrier", "shifted", "no warp barrier", "race", "branch")]

    def came(name, patch):
        with monkeypatch.context() as patched:
            patched.setattr(search, name, patch)
            return kind_of(search.run(case))

    def another_line(*what):
        arrays, found = launch(*what)
        return arrays, [{**one, "line": 1, "notes": []} for one in found]
    for k in range(5):
        def other(case, k=k):
            arrays = compute(case)
            arrays[k][-1] += 1
            return arrays
        assert came("expected", other) == "other result"
    assert came("launch", lambda *what: (launch(*what)[0], [])) == "missed: no barrier"
    assert came("launch", another_line) == "missed: no barrier"
    assert came("PTXAS", "false") == "refused by ptxas"
    alarm = dict(message="a race", line=1, notes=[])
    assert came("launch", lambda *what: (launch(*what)[0], [alarm])) == "false alarm"
    assert came("BARRIER", "") == "other result"


def test_children_that_are_wrong_or_hang_are_found(monkeypatch):
    import fork_search
    case = dict(seed=1, forks=1)
    assert fork_search.run(case) == {"counts": {"forks": 1}}
    monkeypatch.setattr(fork_search, "child", lambda number: False)
    assert "0x200" in fork_search.run(case)["finding"]["detail"]

    def hang(number):
        import signal
        signal.alarm(1)
        time.sleep(100)
    monkeypatch.setattr(fork_search, "child", hang)
    assert "0xe" in fork_search.run(case)["finding"]["detail"]


def test_threads_that_fail_are_found(monkeypatch):
    import fork_search
    monkeypatch.setattr(fork_search.life, "fails", lambda f: False)
    assert kind_of(fork_search.run(dict(seed=1, forks=20))) == "fork"


def test_growth_and_handles_are_found(monkeypatch):
    import life_search
    case = dict(seed=1, steps=20)
    assert kind_of(life_search.run(case)) is None
    for what in ("resident", "handles"):
        with monkeypatch.context() as patched:
            patched.setattr(life_search, "_cases", life_search.WARM_CASES)
            patched.setattr(life_search, "_after", (1 << 60, 1 << 20))
            patched.setattr(life_search, "_last", (1 << 60, 1 << 20))
            assert kind_of(life_search.run(case)) is None
            patched.setattr(life_search.life, what, lambda: 1 << 62)
            assert kind_of(life_search.run(case)) == "life"


def test_what_goes_wrong_without_memory_is_found(monkeypatch):
    import scarce
    way = scarce.Fast(1)
    monkeypatch.setattr(scarce, "fail", lambda after, many=1: 0)

    def came(work):
        monkeypatch.setattr(way, "work", work)
        return scarce.outcome(way, None, "malloc", 0, 1)

    def refuse(error):
        yield error
        while True:
            yield None

    def after(error):
        errors = refuse(error)

        def work():
            if (raised := next(errors)) is not None:
                raise raised
            return scarce.Fast.work(way)
        return work
    assert came(way.work) == "right"
    assert came(after(MemoryError())) == "MemoryError"
    assert came(after(clinch.LimitError("Out of memory."))) == "LimitError"
    crash = "The compiler crashed over this text: out of memory."
    assert came(after(clinch.CompilerCrash(crash))) == "CompilerCrash"
    assert came(after(clinch.CompilerCrash("it crashed"))).startswith("OTHER ERROR")
    assert came(lambda: lambda x: 0.0) == "WRONG"
    assert scarce.in_child(lambda: os.write(2, b"oh")).startswith("PRINTED oh")
    assert scarce.in_child(lambda: os.kill(os.getpid(), 9)).startswith(
        "DIED: killed by SIGKILL")
    assert scarce.in_child(lambda: 1 / 0).startswith("FAILED AFTERWARDS")
    monkeypatch.setattr(scarce, "CHILD", 1)
    assert scarce.in_child(lambda: time.sleep(100)).startswith("DIED: killed by SIGALRM")


def test_a_wrong_load_is_found(monkeypatch):
    import cache_search
    case = dict(seed=1, events=3)
    assert kind_of(cache_search.run(case)) is None
    right = cache_search.life.is_right
    monkeypatch.setattr(cache_search.life, "is_right",
                        lambda f, number: right(f, number + 1))
    found = cache_search.run(case)["finding"]
    assert (found["kind"], found["detail"]) == (
        "cache", "a process ended with status 0x200")


@pytest.mark.skipif(not shutil.which("ar"), reason="there is no ar")
def test_a_cache_that_misses_a_change_is_found(monkeypatch):
    """Here it looks at the key alone."""
    import input_search
    case = input_search.make(1)
    assert kind_of(input_search.run(dict(edits=case["edits"][:12]))) is None
    right, known = input_search.outcome, {}

    def stale(tree, unique=None):
        key = repr((tree.text, tree.prefix, tree.folders, tree.defines))
        return right(tree, unique) if unique else known.setdefault(key, right(tree))
    monkeypatch.setattr(input_search, "outcome", stale)
    assert kind_of(input_search.run(case)) == "stale"


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


def test_a_pickle_of_which_a_process_dies_is_found(monkeypatch):
    import pickle_search
    case = dict(seed=1, only=[0, 1, 2])
    answer = pickle_search.run(case)
    assert answer["counts"]["pickles"] == 3 and "finding" not in answer
    monkeypatch.setattr(pickle_search, "called",
                        lambda thing, arguments: os.abort())
    monkeypatch.setattr(pickle_search, "damaged", lambda draw, data, other: data)
    assert pickle_search.run(case)["finding"]["detail"] == "killed by SIGABRT"


@pytest.mark.parametrize("typed, found", [
    (b"print(6 * 7)\n:quit\n", None), (b"exit(3)\n", None),
    (b"import os; os.abort()\n", "killed by SIGABRT"),
    (b"import os; os._exit(0)\n", "ended with status 0"),
    (b"import clinch.cli.console as c; print(c.__file__)\n", "console.py")])
def test_a_session_that_ends_the_prompt_is_found(monkeypatch, typed, found):
    import prompt_search
    monkeypatch.setattr(prompt_search, "sessions", lambda case: [(0, typed)])
    answer = prompt_search.run(prompt_search.make(1))
    detail = answer.get("finding", {}).get("detail")
    assert detail is None if found is None else found in detail


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
