"""Random graphs of Ops that come with Clinch and of authors' hostile ones, in
every way: the same values, the same failures, the same cleanups in the same
order, the same references.
"""

import atexit
import random
import re

import clinch
import graph_cases
import graph_ways
from graph_cases import smaller
from graph_ops import SPOILT, VECTOR_FUNCTIONS
from graph_texts import TEXTS
from pool import Driven

LIMIT = 120
_other_process = Driven("graph_reader")
atexit.register(_other_process.stop)


def make(seed):
    draw = random.Random(seed)
    case = graph_cases.make(draw)
    case["values"] = graph_ways.values_of(case, draw)
    case["ways"] = graph_ways.all_ways(draw, case)
    return case


class Finding(Exception):
    """Two ways that differ, or one that cannot be."""

    def __init__(self, kind, way, detail):
        super().__init__(kind)
        self.data = dict(kind=kind, way=str(way), detail=detail)


def observe(case, way):
    if way["via"] == "op":
        return graph_ways.observe(
            case, lambda: graph_ways.through_function(case, way))
    if way["via"] in ("program", "upgrade", "memory"):
        make = (graph_ways.from_memory if way["via"] == "memory"
                else graph_ways.through_program)
        return graph_ways.observe(case, lambda: make(case, way))
    question = {**case, "way": way}
    try:
        if way["via"] == "pickle":
            question["pickle"] = graph_ways.pickled(case, way)
        else:
            graph_ways.through_program(case, way, cache=True)
    except clinch.CompilerCrash:
        raise
    except clinch.CompileError as error:
        return {"refused": graph_ways.refusal(error)}
    answer = _other_process.ask({"case": question}, LIMIT / 2)
    if "finding" in answer:
        raise Finding("other process " + answer["finding"]["kind"], way,
                      answer["finding"]["detail"])
    return answer["seen"]


class Comparison:
    """What was seen on the ways so far; each that comes is held against it."""

    def __init__(self, case):
        self.case = case
        self.first = {}
        self.texts = [TEXTS[n["text"]] for n in case["nodes"]
                      if n["op"] == "text"]
        self.vectors = any(n["op"] in VECTOR_FUNCTIONS for n in case["nodes"])
        self.counts = {}

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def add(self, way, seen):
        linker = "op" if way["via"] == "op" else "graph"
        form = way["form"]
        self._judge_refusal(way, linker, seen)
        if "refused" in seen:
            self.count("refused")
            return
        self.count("ways run")
        self._judge_code(way, seen)
        if seen["lost"]:
            raise Finding("memory lost", way, f"{seen['lost']} blocks a round")
        # An Op on its own may run before another input is looked at.
        kept = any(t.by_form for t in self.texts)
        places = (linker if kept else "", form if kept else "")
        for number, call in enumerate(seen["calls"]):
            self.count("calls that failed" if "raised" in call
                       else "calls with a value")
            vectors = self.vectors and way["tier"] == "max"
            self._same(way, (number, "value", *places, vectors),
                       call.get("value"))
            self._call(way, number, call, places, linker, form)
            self._judge_spoilt(way, call)
            if call.get("shared"):
                raise Finding("shared memory", way, f"call {number}: "
                              f"{', '.join(call['shared'])}")
        self._judge_values(way, seen["calls"])

    def _call(self, way, number, call, places, linker, form):
        for name in ("raised", "hook"):
            self._same(way, (number, name, *places), call.get(name))
        code = sorted(e for e in call["events"] if e.startswith("code"))
        if "raised" not in call:
            self._same(way, (number, "code", *places), code)
        if linker == "graph":
            self._same(way, (number, "block"), call.get("block"))
        if way["via"] in ("program", "upgrade", "disk", "memory"):
            for name in ("events", "references", "inputs"):
                self._same(way, (number, name, form), call[name])

    def _judge_spoilt(self, way, call):
        """That what no output may be is told, whatever is done with it."""
        if (call["site"] or 0) % 100 < SPOILT:
            return
        self.count("wrong outputs")
        kind, message = call.get("raised", ("nothing", ""))
        if kind != "TypeError" or "`OfArrays.c_code` must set" not in message:
            raise Finding("a wrong output taken", way, f"{kind}: {message}")

    def _judge_code(self, way, seen):
        """That it is the code that this way is about."""
        if way["via"] in ("disk", "memory"):
            if seen["from"] != way["via"]:
                raise Finding(f"not from {way['via']}", way, str(seen["from"]))
            self.count(f"from {way['via']}")
        before, after = seen["codes"]
        if after not in (None, way["tier"]):
            raise Finding("other code", way, str(seen["codes"]))
        if way["via"] == "upgrade" and before != after:
            self.count("went over to better code")

    def _same(self, way, key, seen):
        other, before = self.first.setdefault(key, (way, seen))
        if other is not way:
            self.count("compared")
        if before != seen:
            raise Finding(f"another {key[1]}", way,
                          f"call {key[0]}: {seen!r}, and {before!r} on {other}")

    def _judge_refusal(self, way, linker, seen):
        texts = self.texts
        refused = seen.get("refused")
        if refused and refused[0] == "CompilerCrash":
            raise Finding("CompilerCrash", way, str(refused))
        if any(t.refused(self.case["language"]) for t in texts):
            if not refused:
                raise Finding("not refused", way, "a text that must not compile")
        elif refused and texts and all(
                callable(t.value) or t.clash for t in texts):
            raise Finding("refused", way, str(refused))
        # What is wrong in C++ may be right in C.
        language = way.get("language", self.case["language"])
        self._same(way, ("", "verdict", language), bool(refused))
        # Of two wrong texts, Op by Op and all at once meet another one first. In a
        # large graph a name with another meaning is refused for another reason, and so
        # perhaps before or after what else is wrong.
        renames = len(texts) > 1 and any(t.renames for t in texts)
        key = ("", "refusal", language, linker if len(texts) > 1 else "",
               renames and way.get("split", False))
        self._same(way, key, refused and refused[:3])
        if refused and linker == "graph" and not renames:
            self._same(way, ("", "message", language),
                       _without_names(refused[3]))

    def _judge_values(self, way, calls):
        first, second = self.case["values"]
        for call, values in ((calls[0], first), (calls[-1], first)):
            wanted = graph_cases.expected(
                self.case, graph_ways.given(values))
            if "value" not in call:
                raise Finding("raised", way, str(call["raised"]))
            for place, value in enumerate(wanted):
                if value is None:
                    continue
                self.count("compared with Python")
                if graph_ways.shown(value) != call["value"][place]:
                    raise Finding(
                        "wrong value", way, f"output {place} is "
                        f"{call['value'][place]}, not {value!r}, for {values}")


def _without_names(message):
    # How `fail` is spelt is said by those who know what the text is written in.
    message = re.sub(r"`(%\(fail\)s|FAIL|sub\[\"fail\"\])`", "`fail`", message)
    return re.sub(r"`?(V|node_|label_|thunk_)\w+`?", "...", message)


def run(case):
    comparison = Comparison(case)
    try:
        for way in case["ways"]:
            try:
                seen = observe(case, way)
            except clinch.CompilerCrash as error:
                raise Finding("CompilerCrash", way, str(error)) from None
            except ValueError as error:
                # Two that would write over the same memory, mostly.
                seen = {"refused": [type(error).__name__, "", 0, str(error)]}
            comparison.add(way, seen)
    except Finding as finding:
        return {"counts": comparison.counts, "finding": finding.data}
    return {"counts": comparison.counts}


def script(case, finding):
    texts = "\n".join(
        f"# {n['text']}: {TEXTS[n['text']].support}\n#   "
        + TEXTS[n["text"]].code.replace("\n", "\n#   ")
        for n in case["nodes"] if n["op"] == "text")
    detail = finding["detail"].replace('"""', "'''").replace("\\", "/")
    return f'''"""{finding["kind"]}: {finding["way"]}: {detail}

Run it with test/Fuzz and the package in PYTHONPATH.
"""
{texts}
import graph_search
print(graph_search.run({case!r}).get("finding", "nothing is wrong"))
'''
