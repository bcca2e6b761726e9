"""Random loops, in every tier and for several processors: all must compute what
Python computes from the same tree, and tiers with the same flags the same bits.
"""

import ctypes
import random

import numpy

import clinch
import loop_cases
import oracle
import processors
from kinds import KINDS
from loop_reference import Layout, LoopReference, data, number_of
from loop_script import script
from loops import LoopText, statements_of, terms_of
from memory import Regions
from reference import Reading, names
from terms import COMPARISONS, LOGICAL, MATHEMATICAL, NotC, leaves

clinch.config.cache = False
TIERS = ("fast", "default", "max")
LIMIT = 60  # Seconds for one case.


def make(seed):
    draw = random.Random(seed)
    case = loop_cases.make(draw)
    case["ways"] = ways(draw, case)
    return case


def ways(draw, case):
    """Groups of ways with the same flags: [{cpu, flags, language, tiers}]"""
    made = []
    for cpu in ["", *draw.sample(processors.runnable(), 2)]:
        flags = []
        if draw.random() < 0.4:
            flags.append("-fno-math-errno")
        elif draw.random() < 0.1:
            flags.append("-fmath-errno")
        contract = draw.choice(["", "on", "on", "off", "fast"])
        if contract:
            flags.append(f"-ffp-contract={contract}")
        if draw.random() < 0.1:
            flags.append(draw.choice(["-fno-strict-aliasing", "-O0", "-O1",
                                      "-Os", "-O3"]))
        if draw.random() < (0.5 if calls_mathematics(case) else 0.1):
            width = draw.choice([128, 256, 512])
            flags.append(f"-mprefer-vector-width={width}")
        made.append(dict(cpu=cpu, flags=flags,
                         language=draw.choice(["c", "c", "c++"]),
                         tiers=list(TIERS)))
    return made


def calls_mathematics(case):
    return any(t[0] == "call" and t[1] in MATHEMATICAL
               for s in case["body"] for top in terms_of(s)
               for t in leaves(top))


class Way:
    """One tier with flags: how it reads a text, and the code."""

    def __init__(self, group, tier, wraps):
        self.tier = tier
        self.cpu = group["cpu"]
        self.language = group["language"]
        self.flags = [*(processors.march(self.cpu) if self.cpu else []),
                      *(["-fwrapv"] if wraps else []), *group["flags"]]
        #: The best of this machine, unless told otherwise.
        processor = self.cpu or ("x86-64" if tier == "fast" else "native")
        contract = "off"  # Unless a flag asks for it.
        for flag in self.flags:
            if flag.startswith("-ffp-contract="):
                contract = flag.partition("=")[2]
        fuses = processors.fuses(processor)
        self.fused = fuses and contract == "on"
        self.free = contract == "fast"
        #: Ways with the same meaning have to give the same bits: where each
        #: operation is rounded, all processors are alike.
        alike = contract == "off" or contract == "on" and not fuses
        self.meaning = "off" if alike else (contract, fuses)

    def __repr__(self):
        return (f"tier={self.tier!r}, language={self.language!r}, "
                f"flags={self.flags!r}")

    def compile(self, text):
        return clinch.compile(text, "loop", tier=self.tier,
                              language=self.language, flags=self.flags)


class Finding(Exception):
    """What went wrong: its kind, the way, and how it shows."""

    def __init__(self, kind, way, detail, other=None):
        super().__init__(f"{kind}: {way}: {detail}")
        self.data = dict(kind=kind, way=repr(way), detail=detail,
                         language=way.language, tier=way.tier, flags=way.flags,
                         fused=way.fused, other=other)


class Run:
    """One case in all its ways."""

    regions = Regions()

    def __init__(self, case):
        self.case = case
        self.loop = LoopText(case)
        self.text = self.loop.text()
        self.mathematical = calls_mathematics(case)
        self.counts = {}
        self.references = {}
        self.expected = {}
        self.layouts = [Layout(case, n) for n in case["lengths"]]
        self.before = [data(case, layout, case["data"] + layout.n)
                       for layout in self.layouts]

    def count(self, what, number=1):
        self.counts[what] = self.counts.get(what, 0) + number

    def all(self):
        """Runs every way; the counts. A Finding is raised."""
        seen = {}
        for group in self.case["ways"]:
            for tier in group["tiers"]:
                way = Way(group, tier, self.case["wraps"])
                self._run(way, seen)
        return self.counts

    def _run(self, way, seen):
        try:
            compiled = way.compile(self.text)
        except clinch.CompileError as error:
            raise Finding(type(error).__name__, way, str(error)) from None
        self.count(f"compiled {way.tier}")
        function = compiled.f
        for number, layout in enumerate(self.layouts):
            after = self._call(function, layout, self.before[number], way)
            self.count("runs")
            self._compare(way, number, after)
            first = seen.setdefault((way.meaning, number), (way, after))
            if first[0] is not way:
                self.count("compared with another tier")
                self._same(way, layout, first[1], after, first[0])

    def _call(self, function, layout, before, way):
        case, looks, addresses = self.case, {}, {}
        for number, (name, values) in enumerate(before.items()):
            region = self.regions.get(number, values.nbytes)
            addresses[name], looks[name] = region.place(
                values, case["buffers"][name]["edge"],
                case["buffers"][name]["moved"])
        results = {name: KINDS[given["kind"]].ctype()
                   for name, given in case["locals"].items()}
        kept = []
        given = [self._argument(kind, name, layout, addresses, results, kept)
                 for kind, name in self.loop.parameters()]
        function(*given)
        after = {}
        for name, look in looks.items():
            after[name], whole = look()
            if not whole:
                raise Finding("wrote outside", way, f"of {name}, n={layout.n}")
        for name, result in results.items():
            after[name] = numpy.array([result.value], KINDS[
                case["locals"][name]["kind"]].dtype)
        return after

    def _argument(self, kind, name, layout, addresses, results, kept):
        case = self.case
        if kind == "pointer":
            return ctypes.c_void_p(self._address(name, layout, addresses))
        if kind == "indices":
            array = layout.indices[name[2:]].astype(
                KINDS[case["indices"]].dtype)
            kept.append(array)
            return ctypes.c_void_p(array.ctypes.data)
        if kind == "result":
            return ctypes.byref(results[name[2:]])
        if name in case["parameters"]:
            return KINDS[kind].ctype(case["parameters"][name]["value"]).value
        return KINDS[kind].ctype(number_of(case, name, layout)).value

    def _address(self, name, layout, addresses):
        a = self.case["arrays"][name]
        item = layout.first[name]
        if a["walk"] == "mirror":
            item -= layout.n - 1
        return addresses[a["buffer"]] + item * KINDS[a["kind"]].size

    # -- what is expected

    def _compare(self, way, number, after):
        if way.free or self.mathematical:
            self._compare_roughly(way, number, after)
            return
        expected = self._expected(Reading(way.fused), number)
        self.count("compared with Python")
        self._same(way, self.layouts[number], expected, after)

    def _expected(self, reading, number, seed=0):
        key = (reading.fused, reading.shaken, number, seed)
        if key in self.expected:
            return self.expected[key]
        kind = key[:2]
        if kind not in self.references:
            self.references[kind] = LoopReference(self.case, reading)
        layout = self.layouts[number]
        lists = {name: values.tolist()
                 for name, values in self.before[number].items()}
        results = self.references[kind].run(layout, lists, seed)
        made = {}
        with numpy.errstate(over="ignore"):
            for name, values in lists.items():
                made[name] = numpy.array(
                    values, KINDS[self.case["buffers"][name]["kind"]].dtype)
            for name, value in results.items():
                made[name] = numpy.array([value], KINDS[
                    self.case["locals"][name]["kind"]].dtype)
        self.expected[key] = made
        return made

    def _same(self, way, layout, expected, after, other=None):
        for name, values in expected.items():
            wrong = different(values, after[name])
            if wrong.any():
                at = int(numpy.flatnonzero(wrong)[0])
                than = f"with {other}" if other else "Python computes"
                raise Finding(
                    "wrong value", way,
                    f"another value than {than}: {name}[{at}] is "
                    f"{after[name][at]!r} and not {values[at]!r} "
                    f"(n={layout.n}, {int(wrong.sum())} of {len(values)} "
                    f"items)", repr(other) if other else None)

    def _compare_roughly(self, way, number, after):
        """Against what Python computes as it stands, and with roundings that are
        moved about: where these agree with one another, the code has to as well."""
        if jumps(self.case):
            self.count("compared with tiers alone")
            return
        drawn = [self._expected(Reading(shaken=bool(seed)), number, seed)
                 for seed in range(5)]
        self.count("compared roughly with Python")
        for name in after:
            if after[name].dtype.kind != "f":
                continue
            self._near(way, number, name, after[name],
                       numpy.array([d[name] for d in drawn]))

    def _near(self, way, number, name, found, drawn):
        with numpy.errstate(all="ignore"):
            least, most = drawn.min(axis=0), drawn.max(axis=0)
            # And the last bit, for a result that lies between two; of a float, if a
            # double may have been one.
            narrowest = "f4" if "f32" in repr(self.case) else found.dtype
            room = (100 * (most - least) +
                    2 * numpy.spacing(numpy.abs(most).astype(narrowest)))
            fits = (found >= least - room) & (found <= most + room)
            # Those far apart say nothing: tan(1e14 + 1) can be any number.
            agree = most - least <= 1e-3 * numpy.maximum(abs(most), abs(least))
        known = agree & numpy.isfinite(room)
        wrong = known & ~fits
        if wrong.any():
            at = int(numpy.flatnonzero(wrong)[0])
            raise Finding("far from Python's", way,
                          f"{name}[{at}] is {found[at]!r} and not about "
                          f"{drawn[0][at]!r} (n={self.layouts[number].n})")


def different(a, b):
    """Where two arrays differ in a bit; one NaN is as good as another."""
    if a.dtype.kind != "f":
        return a != b
    whole = f"u{a.dtype.itemsize}"
    return (a.view(whole) != b.view(whole)) & ~(numpy.isnan(a) &
                                                numpy.isnan(b))


def jumps(case):
    """Whether a float that is a little more or less may change something by a
    lot: a choice, or a whole number that is used again."""
    scope = LoopText(case).scope
    for statement in statements_of(case["body"]):
        if statement[0] in ("set", "add", "store") and not scope.kinds[
                statement[1]].is_float and scope.kind(statement[-1]).is_float:
            return True
        for top in terms_of(statement):
            if any(_jumps(t, scope) for t in leaves(top)):
                return True
    return False


def _jumps(term, scope):
    head = term[0]
    if head == "call":
        return term[1] in ("floor", "ceil", "trunc", "rint", "fmin", "fmax")
    if head == "?":
        return scope.kind(term[1]).is_float
    if head == "cast":
        return term[1][0] != "f" and scope.kind(term[2]).is_float
    return head in (*COMPARISONS, *LOGICAL, "not") and any(
        scope.kind(part).is_float for part in term[1:])


def run(case):
    """The counts of a case, and perhaps what is wrong."""
    try:
        made = Run(case)
    except NotC:
        return {"counts": {"no C": 1}}
    try:
        made.all()
    except Finding as finding:
        return {"counts": made.counts, "finding": finding.data}
    return {"counts": made.counts}


def known(case, finding):
    """What a finding is counted as, if it is none of Clinch's."""
    if finding["kind"] == "CompilerCrash" and oracle.crashes(
            LoopText(case).text(), finding["language"], finding["tier"],
            finding["flags"]):
        return "crashes of stock Clang, too"
    return None
