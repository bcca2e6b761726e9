"""The ways from a graph to its results, and what is seen on each of them."""

import gc
import pickle
import re
import sys

import numpy

import clinch
import graph_ops
from clinch import _clinch
from clinch.build.ownership import protect
from graph_cases import VECTORS, Graph
from graph_ops import DEFAULT
from graph_texts import REFUSED, TEXTS

_NAME = re.compile(r"`V\d+`")  # Code that applies share has other ones.
_HOOK = re.compile(r"block (\d+), (`[^`]+`)")


def all_ways(draw, case):
    """Some ways of each kind, and always those that compile quickest and best."""
    plain = [dict(via="program", form=form, tier=tier)
             for form in ("function", "struct")
             for tier in ("fast", "default", "max")]
    kept = [plain[0], plain[5], *draw.sample(plain[1:5], 2)]
    tiers = ("default", "max")
    kept.append(dict(via="program", form=draw.choice(["function", "struct"]),
                     tier=draw.choice(["fast", "max"]), split=True))
    kept.append(dict(via="upgrade", form="struct", tier=draw.choice(tiers)))
    kept.append(dict(via="op", form=draw.choice(["function", "struct"]),
                     tier=draw.choice(["fast", *tiers])))
    kept.append(dict(draw.choice(plain), via=draw.choice(["disk", "pickle"])))
    if draw.random() < 0.3:
        kept.append(dict(draw.choice(plain), via="memory"))
    texts = [TEXTS[n["text"]] for n in case["nodes"] if n["op"] == "text"]
    if all(t.language is None and t.clash is None and not t.renames
           and t.value is not REFUSED for t in texts):
        other = "c++" if case["language"] == "c" else "c"
        kept.append(dict(draw.choice(plain), language=other))
    return kept


def values_of(case, draw):
    """Two sets of arguments."""
    made = []
    for _ in range(2):
        made.append([
            [draw.uniform(-9, 9) for _ in range(draw.choice([0, 1, 5, 17]))]
            if kind in VECTORS else draw.uniform(0.1, 9)
            for kind in case["inputs"]])
        for place, kind in enumerate(case["inputs"]):
            if kind == "default":
                made[-1][place] = DEFAULT
    return made


def given(values):
    """New objects: references to those of other calls may go at any time."""
    return [numpy.array(v) if isinstance(v, list) else v * 1.0 for v in values]


def shown(value):
    """A value, bit for bit."""
    if isinstance(value, numpy.ndarray):
        return [str(value.dtype), list(value.shape), value.tobytes().hex()]
    return float(value).hex() if isinstance(value, float) else repr(value)


class Called:
    """Something that takes arguments, with what there is to be seen of it."""

    def __init__(self, run, wait=None):
        self.run = run  # From arguments to the outputs.
        self.wait = wait or (lambda: None)
        self.program = self.thunk = None


def through_program(case, way, cache=False):
    """The thunk itself, its cells filled by hand."""
    graph = Graph(case)
    outputs, copied = protect(graph.ins, graph.outs)
    assert not any(copied)
    options = dict(form=way["form"], tier=way["tier"], disk_cache=cache,
                   language=way.get("language", case["language"]))
    if way.get("split"):
        options.update(split_above=2, chunk_size=2)
    if way["via"] == "upgrade":
        options.update(first_tier="fast")
    program = _clinch.Program(graph.inputs, outputs, **options)
    thunk = program.instantiate()
    places = list(map(id, program.cells))
    ins = [places.index(id(v)) for v in graph.inputs if id(v) in places]
    used = [n for n, v in enumerate(graph.inputs) if id(v) in places]
    outs = [places.index(id(v)) for v in outputs]

    def run(arguments):
        for place, n in zip(ins, used):
            thunk.cells[place][0] = arguments[n]
        thunk()
        return [thunk.cells[place][0] for place in outs]
    called = Called(run, thunk.wait)
    called.program, called.thunk = program, thunk
    return called


def from_memory(case, way):
    """The second of two, whose code is that of the first."""
    first = through_program(case, way)
    called = through_program(case, way)
    called.first = first
    return called


def through_function(case, way):
    graph = Graph(case)
    function = clinch.function(
        graph.ins, graph.outs,
        mode=clinch.Mode(form=way["form"], tier=way["tier"],
                         linker="op" if way["via"] == "op" else "graph",
                         language=case["language"]))
    called = Called(by_name(function, case))
    called.function = function
    return called


def by_name(function, case):
    """A call with all arguments but those that have a default value."""
    def run(arguments):
        return function(**{f"x{n}": a for n, a in enumerate(arguments)
                           if case["inputs"][n] != "default"})
    return run


def unpickled(text, case):
    return Called(by_name(pickle.loads(bytes.fromhex(text)), case))


def pickled(case, way):
    function = through_function(case, way).function
    return pickle.dumps(function.with_object()).hex()


def observe(case, make):
    """All that is seen: {"refused": [...]}, or {"calls": [...], "lost": n}"""
    sys.clinch_events.clear()
    try:
        called = make()
    except clinch.CompilerCrash:
        raise
    except clinch.CompileError as error:
        return {"refused": refusal(error)}
    begun = list(sys.clinch_events)
    first, second = case["values"]
    sites = Graph(case).sites
    calls = [one_call(called, case, first, None)]
    calls += [one_call(called, case, second, site) for site in sites]
    codes = [code_of(called)]
    called.wait()
    codes += [code_of(called)]
    calls += [one_call(called, case, second, None)]
    calls += [one_call(called, case, first, site) for site in sites]
    calls += [one_call(called, case, first, None)]
    lost = blocks_lost(called, first, sites)
    return {"begun": begun, "calls": calls, "lost": lost, "codes": codes,
            "from": called.program.stats["cache_from"] if called.program
            else None}


def code_of(called):
    """The tier of the code that runs now, where that is known."""
    return called.thunk.code if called.thunk else None


def refusal(error):
    found = error.diagnostics[0] if error.diagnostics else {}
    origin = str(found.get("origin", ""))
    return [type(error).__name__, origin.partition(" for ")[0],
            found.get("line"), str(found.get("message"))]


def one_call(called, case, values, site):
    arguments = given(values)
    sys.clinch_events.clear()
    sys.clinch_failing_site = site
    counts = list(map(sys.getrefcount, arguments))
    seen = {"site": site}
    try:
        results = called.run(arguments)
        seen["value"] = list(map(shown, results))
        seen["shared"] = shared(case, values, arguments, results)
        write_into(results)
        del results
    except Exception as error:
        note = (getattr(error, "__notes__", None) or [""])[0]
        hook = _HOOK.search(note)
        seen["raised"] = [type(error).__name__, _NAME.sub("`...`", str(error))]
        seen["hook"] = hook[2] if hook else note
        seen["block"] = hook and int(hook[1])
        # Its traceback has the arguments.
        error.__traceback__ = None
        del error
    finally:
        sys.clinch_failing_site = None
    seen["events"] = list(sys.clinch_events)
    gc.collect(0)
    seen["references"] = [
        now - before for now, before in
        zip(map(sys.getrefcount, arguments), counts)]
    seen["inputs"] = [shown(a) for a in arguments]
    return seen


def shared(case, values, arguments, results):
    """Which arrays share memory that must not, and which arguments changed."""
    kinds, borrow = case["inputs"], case.get("borrow", False)
    kept = ("vector", "default") if borrow else ("vector", "default", "borrowed")
    found = [f"argument {n} changed" for n, kind in enumerate(kinds)
             if kind in VECTORS and kind != "mutable"
             and arguments[n].tolist() != values[n]]
    for k, result in enumerate(results):
        if not isinstance(result, numpy.ndarray):
            continue
        found += [f"result {k} and result {j}" for j in range(k)
                  if not borrow and numpy.shares_memory(results[j], result)]
        found += [f"result {k} and argument {n}" for n, kind in enumerate(kinds)
                  if kind in kept
                  and numpy.shares_memory(arguments[n], result)]
    return found


def write_into(results):
    """What a caller may do with what is his."""
    for result in results:
        if isinstance(result, numpy.ndarray) and result.flags.writeable:
            result[...] = 77.0


def blocks_lost(called, values, sites):
    """Blocks of memory that are lost in each round of calls, one of which
    succeeds while each of the others fails. Python keeps some for later, fewer
    and fewer: what is lost each time shows however many rounds there are."""
    def rounds(times):
        for _ in range(times):
            for site in [None, *sites]:
                sys.clinch_failing_site = site
                try:
                    called.run(given(values))
                except Exception:
                    pass
                sys.clinch_events.clear()
        sys.clinch_failing_site = None
    rounds(3)
    for times in (10, 100, 1000, 5000):
        gc.collect()
        before = sys.getallocatedblocks()
        rounds(times)
        gc.collect()
        lost = (sys.getallocatedblocks() - before) // times
        if lost <= 0:
            return 0
    return lost
