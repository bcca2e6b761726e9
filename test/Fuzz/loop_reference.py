"""What a loop does, run by Python, and where its arrays lie."""

import numpy

import reference
from kinds import KINDS
from loops import LoopScope, terms_of
from terms import leaves


def places(case, n):
    """The numbers of iterations that run, in order."""
    step = case["loop"]["step"]
    numbers = range(0, max(n, 0), step)
    if case["loop"]["form"] in ("down", "down to"):
        return range(max(n, 0) - 1, -1, -1)
    return numbers


def gathered(name, case, n, span):
    """What an array of indices holds: any items of the first `span`."""
    draw = numpy.random.RandomState(sum(map(ord, name)) + n)
    return draw.randint(0, max(span, 1), size=max(n, 1))


class Layout:
    """Where arrays begin in their buffers for a number of iterations."""

    def __init__(self, case, n):
        self.n = n
        self.indices = {}
        last = max(n - 1, 0)
        rows = case["loop"]["rows"] - 1
        least, most = {}, {}
        for name, a in case["arrays"].items():
            reach = a["stride"] * last
            if a["walk"] == "gather":
                self.indices[name] = gathered(name, case, n, n)
            offsets = [0] + [t[2] for t in _uses(case, name)]
            ends = [a["shift"] + reach_ + row + offset
                    for reach_ in (0, last if a["walk"] == "gather" else reach)
                    for row in (0, a["row"] * rows)
                    for offset in (min(offsets), max(offsets))]
            buffer = a["buffer"]
            least[buffer] = min([least.get(buffer, 0), *ends])
            most[buffer] = max([most.get(buffer, 0), *ends])
        self.size = {b: most[b] - least[b] + 1 for b in least}
        #: Of the item of iteration 0 in row 0.
        self.first = {name: a["shift"] - least[a["buffer"]]
                      for name, a in case["arrays"].items()}


def number_of(case, name, layout):
    """A whole number that the loop is given, by its name."""
    if name == "n":
        return layout.n
    if name == "m":
        return layout.n - 1
    if name == "rows":
        return case["loop"]["rows"]
    a = case["arrays"][name[2:]]
    if name.startswith("r_"):
        return a["row"]
    if name.startswith("b_"):
        return a["stride"] * KINDS[a["kind"]].size
    by = case["loop"]["step"] if a["walk"] == "runtime pointer" else 1
    return a["stride"] * by


def _uses(case, array):
    for statement in case["body"]:
        yield from _uses_in(statement, array)


def _uses_in(statement, array):
    for top in terms_of(statement):
        yield from (t for t in leaves(top) if t[0] == "at" and t[1] == array)
    if statement[0] == "if":
        for inner in statement[2] + statement[3]:
            yield from _uses_in(inner, array)
    elif statement[0] == "store" and statement[1] == array:
        yield ["at", array, statement[2]]


class LoopReference:
    """A case as a function of Python."""

    def __init__(self, case, reading):
        self.case = case
        self.scope = LoopScope(case)
        self.terms = reference.Reference(self.scope, reading, self._item)
        self.code = compile(self.text(), "reference", "exec")

    def run(self, layout, buffers, seed=0):
        """Computes in `buffers`, lists by name; returns the locals' values."""
        scope = reference.names(seed)
        exec(self.code, scope)
        given = {name: p["value"]
                 for name, p in self.case["parameters"].items()}
        indices = {f"k_{name}": list(map(int, k))
                   for name, k in layout.indices.items()}
        first = {f"at_{name}": at for name, at in layout.first.items()}
        return scope["run"](places(self.case, layout.n), **buffers, **first,
                            **indices, **given)

    def text(self):
        names = [*(self.case["buffers"]),
                 *(f"at_{name}" for name in self.case["arrays"]),
                 *(f"k_{name}" for name, a in self.case["arrays"].items()
                   if a["walk"] == "gather"),
                 *self.case["parameters"]]
        lines = [f"def run(numbers, {', '.join(names)}):"]
        for name, given in self.case["locals"].items():
            start = self.terms.converted(given["start"],
                                         KINDS[given["kind"]])
            lines.append(f"  {name} = {start}")
        lines.append(f"  for j in range({self.case['loop']['rows']}):")
        lines.append("    for i in numbers:")
        for name, a in self.case["arrays"].items():
            if a["walk"] == "step" and not a["written"]:
                lines.append(f"      v_{name} = {self._place(name, 0)}")
        lines += self._block(self.case["body"], "      ") or ["      pass"]
        made = [f"{name!r}: {name}" for name in self.case["locals"]]
        return "\n".join([*lines, f"  return {{{', '.join(made)}}}"])

    def _place(self, array, offset):
        a = self.case["arrays"][array]
        moved = f"k_{array}[i]" if a["walk"] == "gather" else (
            f"{a['stride']} * i")
        row = f" + {a['row']} * j" if self.case["loop"]["rows"] > 1 else ""
        return f"{a['buffer']}[at_{array} + {moved}{row} + {offset}]"

    def _item(self, array, offset):
        if self.case["arrays"][array]["walk"] == "step":
            return f"v_{array}"
        return self._place(array, offset)

    def _block(self, body, indent):
        return [line for s in body for line in self._statement(s, indent)]

    def _statement(self, statement, indent):
        head = statement[0]
        if head == "if":
            yield f"{indent}if {self.terms.text(statement[1])}:"
            yield from self._block(statement[2], indent + "  ") or [
                f"{indent}  pass"]
            if statement[3]:
                yield f"{indent}else:"
                yield from self._block(statement[3], indent + "  ")
        elif head in ("continue", "break"):
            yield f"{indent}if {self.terms.text(statement[1])}: {head}"
        elif head == "store":
            _, array, offset, term = statement
            value = self.terms.converted(term, self.scope.kinds[array])
            yield f"{indent}{self._place(array, offset)} = {value}"
        else:
            name, term = statement[1], statement[-1]
            if head == "add":
                term = [statement[2], ["var", name], term]
            value = self.terms.converted(term, self.scope.kinds[name])
            yield f"{indent}{name} = {value}"


def data(case, layout, seed):
    """What the buffers hold before a run: {name: array}"""
    draw = numpy.random.RandomState(seed % 2**32)
    return {name: _values(KINDS[b["kind"]], b["values"], layout.size[name], draw)
            for name, b in case["buffers"].items()}


def _values(kind, what, size, draw):
    if kind.is_float:
        return _floats(kind, what, size, draw)
    if what == "small":
        least = max(-100, kind.bounds[0])
        return draw.randint(least, 101, size=size).astype(kind.dtype)
    if what == "unit":
        return draw.randint(0, 2, size=size).astype(kind.dtype)
    return numpy.frombuffer(draw.bytes(size * kind.size), kind.dtype).copy()


def _floats(kind, what, size, draw):
    if what == "small":
        return draw.uniform(-100, 100, size).astype(kind.dtype)
    if what == "unit":
        return draw.uniform(0, 1, size).astype(kind.dtype)
    with numpy.errstate(over="ignore"):
        values = (draw.uniform(-1, 1, size) *
                  2.0 ** draw.randint(-60, 60, size)).astype(kind.dtype)
    if what == "special":
        odd = numpy.array([0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, 1.0,
                           numpy.finfo(kind.dtype).tiny / 2,
                           numpy.finfo(kind.dtype).max], kind.dtype)
        chosen = draw.uniform(size=size) < 0.2
        values[chosen] = odd[draw.randint(0, len(odd), size)][chosen]
    return values
