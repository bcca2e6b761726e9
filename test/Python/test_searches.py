"""That `make soak` would notice: what ways show is spoilt in each respect in which
they are compared, and code is made to mean something else."""

import copy
import ctypes
import os
import shutil
import signal
import subprocess
import sys
from types import SimpleNamespace

import numpy
import pytest

import clinch

FUZZ = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                    "Fuzz")


@pytest.fixture(autouse=True, scope="module")
def searches():
    """Their modules, which use no cache."""
    cache = clinch.config.cache
    sys.path.insert(0, FUZZ)
    yield
    sys.path.remove(FUZZ)
    clinch.config.cache = cache


def graph_case(*texts, language="c"):
    nodes = [dict(op="text", text=text, of=[n]) for n, text in enumerate(texts)]
    return dict(language=language, inputs=["traced"], nodes=nodes,
                outputs=[len(texts)], values=[[2.5], [0.5]])


FAST = dict(via="program", form="struct", tier="fast")
MAX = dict(via="program", form="struct", tier="max")
FUNCTION = dict(via="program", form="function", tier="fast")
OP = dict(via="op", form="struct", tier="fast")
UPGRADE = dict(via="upgrade", form="struct", tier="max")
MEMORY = dict(via="memory", form="struct", tier="fast")


def judged(case, spoilt, way=MAX, first=FAST, seen=None):
    """The kind of what is found when the second way shows something else."""
    import graph_search
    comparison = graph_search.Comparison(case)
    comparison.add(first, seen)
    other = copy.deepcopy(seen)
    other["codes"] = [way["tier"]] * 2
    spoilt(other)
    with pytest.raises(graph_search.Finding) as found:
        comparison.add(way, other)
    return found.value.data["kind"]


@pytest.fixture(scope="module")
def good():
    import graph_search
    case = graph_case("comma", "goto")
    seen = graph_search.observe(case, FAST)
    graph_search.Comparison(case).add(FAST, seen)
    return case, seen


#: How the second call of seven, in which the first site fails, is spoilt.
SPOILT = {
    "another value": lambda seen: seen["calls"][0].update(value=["0x0.0p+0"]),
    "another raised": lambda seen: seen["calls"][1].update(raised=["E", "x"]),
    "another hook": lambda seen: seen["calls"][1].update(hook="`other`"),
    "another block": lambda seen: seen["calls"][1].update(block=9),
    "another events": lambda seen: seen["calls"][0]["events"].reverse(),
    "another references": lambda seen: seen["calls"][1].update(references=[7]),
    "another inputs": lambda seen: seen["calls"][1].update(inputs=["0x0"]),
    "memory lost": lambda seen: seen.update(lost=1),
    "other code": lambda seen: seen.update(codes=["fast", "fast; max failed"]),
}


@pytest.mark.parametrize("kind", SPOILT)
def test_what_is_compared_of_graphs(kind, good):
    case, seen = good
    assert judged(case, SPOILT[kind], seen=seen) == kind


def test_cleanups_are_counted_with_the_op_linker(good):
    case, seen = good

    def forget(seen):
        seen["calls"][0]["events"].remove("code cleanup 100")
    assert judged(case, forget, OP, seen=seen) == "another code"


def test_a_wrong_value_in_all_ways_is_found(good):
    import graph_search
    case, seen = good
    seen = copy.deepcopy(seen)
    seen["calls"][0]["value"] = ["0x0.0p+0"]
    with pytest.raises(graph_search.Finding, match="wrong value"):
        graph_search.Comparison(case).add(FAST, seen)


def test_code_from_elsewhere_is_found(good):
    import graph_search
    case, seen = good
    for via in ("disk", "memory"):
        with pytest.raises(graph_search.Finding, match=f"not from {via}"):
            graph_search.Comparison(case).add(dict(FAST, via=via), seen)


def test_what_is_refused_in_one_way_is_found(good):
    case, seen = good
    refusal = {"refused": ["RuleError", "`Written.c_code`", 1, "no"]}

    def refuse(seen):
        seen.clear()
        seen.update(refusal)
    assert judged(case, refuse, seen=seen) == "refused"
    wrong = graph_case("return")
    import graph_search
    with pytest.raises(graph_search.Finding, match="not refused"):
        graph_search.Comparison(wrong).add(FAST, seen)
    comparison = graph_search.Comparison(wrong)
    comparison.add(FAST, refusal)
    for place, other in enumerate(("HookError", "`Written.c_sync`", 2, "yes")):
        refused = list(refusal["refused"])
        refused[place] = other
        with pytest.raises(graph_search.Finding, match="another"):
            comparison.add(MAX, {"refused": refused})


def array_case(inputs, nodes, outputs, borrow=False):
    return dict(language="c", inputs=inputs, outputs=outputs, borrow=borrow,
                nodes=[dict(op="array", text=text, of=of) for text, of in nodes],
                values=[[[1.5, -2.0, 4.0]] * len(inputs)] * 2)


def unprotected(ins, outs):
    return [out.variable for out in outs], [False] * len(outs)


@pytest.mark.parametrize("case, kind", [
    (array_case(["vector"], [("view", [0])], [1]), "shared memory"),
    (array_case(["vector"], [("new", [0])], [1, 0]), "shared memory"),
    (array_case(["borrowed"], [("rest", [0])], [1]), "shared memory"),
    (array_case(["vector"], [("new", [0]), ("rest", [1])], [1, 2]), "shared memory"),
    (array_case(["vector"], [("in place", [0]), ("new", [1])], [2]),
     "shared memory"),
    (array_case(["default"], [("rest", [0])], [1]), "wrong value"),
    (array_case(["default"], [("in place", [0]), ("new", [1])], [2]), "wrong value"),
])
def test_memory_that_is_not_kept_apart_is_found(case, kind, monkeypatch):
    import graph_search
    import graph_ways
    plain = dict(case, ways=[FAST, FUNCTION, OP])
    assert "finding" not in graph_search.run(plain)
    monkeypatch.setattr(graph_ways, "protect", unprotected)
    monkeypatch.setattr(clinch.build.functions, "protect", unprotected)
    way = OP if kind == "wrong value" else FAST
    found = graph_search.run(dict(case, ways=[way]))["finding"]
    assert found["kind"] == kind


def test_a_constant_that_is_given_away_is_found(monkeypatch):
    import graph_search
    case = array_case(["vector"], [("new", [0])], [1])
    case["nodes"].append(dict(op="constant", of=[]))
    case["nodes"].append(dict(op="array", text="rest", of=[2]))
    case["outputs"] = [1, 3]
    assert "finding" not in graph_search.run(dict(case, ways=[OP]))
    monkeypatch.setattr(clinch.build.functions, "protect", unprotected)
    monkeypatch.setattr(clinch.graph.variables, "_sealed", lambda value: value)
    found = graph_search.run(dict(case, ways=[OP]))["finding"]
    assert (found["kind"], found["detail"][:9]) == ("wrong value", "output 1 ")


def test_graphs_go_every_way(good):
    import graph_search
    case, _ = good
    cxx = dict(FUNCTION, language="c++")
    split = dict(FAST, split=True)
    disk, pickled = dict(FAST, via="disk"), dict(FAST, via="pickle")
    ways = [FAST, MAX, FUNCTION, OP, UPGRADE, MEMORY, cxx, split, disk, pickled]
    result = graph_search.run(dict(case, ways=ways))
    assert "finding" not in result, result["finding"]
    assert result["counts"]["ways run"] == len(ways)
    assert result["counts"]["went over to better code"] == 1
    assert result["counts"]["from memory"] == 1
    assert result["counts"]["from disk"] == 1


@pytest.fixture(scope="module")
def loop_case():
    """One with a result beside its arrays, compared bit for bit."""
    import loop_search
    return next(
        case for case in map(loop_search.make, range(2000))
        if case["locals"] and not loop_search.calls_mathematics(case)
        and not any("fast" in flag for group in case["ways"]
                    for flag in group["flags"])
        and "finding" not in loop_search.run(case))


@pytest.mark.parametrize("tier", ["fast", "default", "max"])
def test_loops_that_mean_something_else_are_found(tier, loop_case, monkeypatch):
    import loop_search
    compiled_by = loop_search.Way.compile

    def spoilt(way, text):
        own = compiled_by(way, text).f

        def f(*given):
            own(*given)
            result = next(g for g in given if hasattr(g, "_obj"))._obj
            result.value = not result.value
        return SimpleNamespace(f=f if way.tier == tier else own)
    monkeypatch.setattr(loop_search.Way, "compile", spoilt)
    found = loop_search.run(loop_case)["finding"]
    assert (found["kind"], found["tier"]) == ("wrong value", tier)


def test_bytes_outside_of_an_array_are_looked_at():
    import memory
    values = numpy.arange(4.0)
    region = memory.Regions().get(0, values.nbytes)
    address, look = region.place(values, "none", 64)
    assert look()[1]
    ctypes.cast(address, ctypes.POINTER(ctypes.c_double))[-1] = 7.0
    after, whole = look()
    assert after.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert not whole


def test_arrays_that_are_computed_wrongly_are_found(monkeypatch):
    import array_search
    case = next(case for case in map(array_search.make, range(500))
                if array_search.run(case)["counts"].get("compared"))
    function = clinch.function

    def spoilt(*given, **options):
        f = function(*given, **options)
        return lambda *arrays: [r + r.dtype.type(1) for r in f(*arrays)]
    monkeypatch.setattr(clinch, "function", spoilt)
    assert array_search.run(case)["finding"]["kind"] in ("result", "exception")


def test_what_rounding_can_do_is_no_finding():
    """sin(x) - 1 near the top of the sine: NumPy's last bit is not libm's."""
    import array_search
    x = dict(shape=[2100, 2, 1], seed=946687, dtype="float64", axes=[0, 1, 2],
             steps=[1, 1, 1], repeated=False)
    y = dict(x, seed=590139)
    term = ["log2", ["sub", ["sin", ["input", 0]], ["clip", ["input", 1]]]]
    case = dict(inputs=[x, y], terms=[term], fuse=True, tier="fast")
    ran = array_search.run(case)
    assert "finding" not in ran and ran["counts"]["compared"] == 1


@pytest.mark.parametrize("name", ["loop_search", "graph_search", "array_search"])
def test_a_seed_draws_the_same_case(name):
    search = __import__(name)
    assert [search.make(7), search.make(8)] == [search.make(7), search.make(8)]
    assert search.make(7) != search.make(8)


def with_search(name, text, tmp_path):
    """A folder of the searches with another one."""
    folder = tmp_path / "searches"
    folder.mkdir()
    for file in os.listdir(FUZZ):
        if file.endswith(".py"):
            shutil.copy(os.path.join(FUZZ, file), folder)
    (folder / f"{name}.py").write_text(text)
    return folder


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_search_that_is_ended_prints_its_figures(tmp_path, number):
    folder = with_search("long_search", """
import os
import signal
LIMIT = 60
def make(seed):
    return {"seed": seed}
def run(case):
    if case["seed"] == 3:
        os.kill(os.getppid(), NUMBER)
    return {"counts": {"fine": 1}}
""".replace("NUMBER", str(int(number))), tmp_path)
    run = subprocess.run(
        [sys.executable, str(folder / "fuzz.py"), "--seed", "1", "--minutes", "5",
         "--jobs", "1", "--out", str(tmp_path), "long_search", "graph_search"],
        capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    *_, cases, fine, found, last = run.stdout.splitlines()
    assert int(cases.split()[0]) == int(fine.split()[0]) >= 3
    assert (found.split(), last) == (["0", "found"], "seed 1: 0 findings")


def test_findings_end_with_status_1(tmp_path):
    """A case that dies, one that hangs, and a wrong one; the seed is printed."""
    folder = with_search("bad_search", """
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
""", tmp_path)
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


@pytest.mark.parametrize("kind, x, taken_away", [
    ("null then asked", 5, "-fdelete-null-pointer-checks"),
    ("overflow", 5, "-fno-wrapv"),
    ("pointer", 5, "-fno-wrapv-pointer"),
    ("for ever", 5, "-ffinite-loops"),
    ("alias", 3, "-fstrict-aliasing"),
])
def test_what_a_flag_defines_is_searched_for(kind, x, taken_away):
    import undefined_search
    case = dict(pieces=[dict(kind=kind, a=2, b=3)], x=x, flags=[])
    assert undefined_search.run(case) == {"counts": dict(texts=1, runs=6)}
    spoilt = undefined_search.PIECES[kind][:2]
    undefined_search.PIECES[kind], kept = spoilt, undefined_search.PIECES[kind]
    try:
        found = undefined_search.run({**case, "flags": [taken_away]})
    finally:
        undefined_search.PIECES[kind] = kept
    assert found["finding"]["kind"] == "other meaning"


@pytest.mark.parametrize("seed", range(20))
def test_what_iso_leaves_open_has_one_meaning(seed):
    import undefined_search
    assert "finding" not in undefined_search.run(undefined_search.make(seed))


PROGRAM = '#include "csmith.h"\nint main(void) {{ crc32_gentab(); {} return 0; }}\n'


@pytest.mark.skipif(not shutil.which("csmith"), reason="there is no Csmith")
def test_csmiths_programs_that_differ_are_found(monkeypatch):
    import csmith_search as search
    case = search.make(1)

    def program(text):
        monkeypatch.setattr(search, "text_of", lambda case: (
            search.HEAD + PROGRAM.format(text) + search.TAIL))

    crc = "transparent_crc({}, \"x\", 0);"
    program(crc.format("7"))
    assert search.run(case) == {"counts": {
        "programs": 1, "runs": 3, "without end": 0}}
    program("\n#ifdef __OPTIMIZE__\n" + crc.format("7") + "\n#else\n"
            + crc.format("8") + "\n#endif\n")
    found = search.run(case)["finding"]
    assert found["kind"] == "other checksum"
    assert "max" in found["way"]
    monkeypatch.setattr(search, "FOREVER", 0.1)
    program("for (;;) ;")
    assert search.run(case) == {"counts": {
        "programs": 1, "runs": 3, "without end": 1}}


@pytest.mark.parametrize("where", ["records", "arguments", "results"])
def test_data_that_c_has_otherwise_are_found(where, monkeypatch):
    import data_search
    case = {**data_search.make(3), "language": "c", "tiers": ["fast"],
            "records": [{"kind": "struct", "attribute": "", "pack": 0, "fields": [
                {"name": "x", "type": "int"}, {"name": "b", "type": "int", "width": 3}]}],
            "values": [{"x": 5, "b": -1}],
            "functions": [[["double", 0.5], [["record", 0], {"x": 1, "b": 2}]]]}
    text = data_search.source(case)
    assert data_search.run(case) == {"counts": {
        "calls": 3, "records": 1, "refused": 0, "wrong in Clang alone": 0}}
    monkeypatch.setattr(data_search, "source", lambda case: text)
    if where == "records":
        case["values"] = [{"x": 5, "b": -2}]
    elif where == "arguments":
        case["functions"][0][1][1] = {"x": 1, "b": 3}
    else:
        case["functions"][0][0][1] = 0.25
    assert data_search.run(case)["finding"]["kind"] == "Wrong"
