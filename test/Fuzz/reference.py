"""What terms compute, as text in Python: the reference for compiled code."""

import math
import random

from kinds import F32, F64, KINDS, common, math_function, round_to_float
from terms import ARITHMETIC, COMPARISONS, EXACT, LOGICAL, MATHEMATICAL, SAFE
from terms import within


class Reading:
    """How floats are computed. fused: where Clang makes one operation of the
    product and the sum of an expression, so does this. shaken: results that are
    rounded are moved about a little, for code that may round otherwise."""

    def __init__(self, fused=False, shaken=False):
        self.fused = fused
        self.shaken = shaken


class Reference:
    """Terms of a Scope as Python. `item(array, offset)` says how an item of an
    array is read."""

    def __init__(self, scope, reading, item):
        self.scope = scope
        self.reading = reading
        self.item = item

    def text(self, term):
        head = term[0]
        if head == "num":
            return repr(term[2]) if term[2] >= 0 else f"({term[2]!r})"
        if head == "var":
            return term[1]
        if head == "at":
            return self.item(term[1], term[2])
        if head == "cast":
            return self.converted(term[2], KINDS[term[1]])
        if head == "call":
            return self._call(*term[1:])
        if head == "not":
            return f"(not {self.text(term[1])})"
        if head in LOGICAL:
            a, b = map(self.text, term[1:])
            return f"(bool({a}) {'and' if head == '&&' else 'or'} bool({b}))"
        kind = self.scope.kind(term)
        if head == "?":
            a, b = (self.converted(t, kind) for t in term[2:])
            return f"({a} if {self.text(term[1])} else {b})"
        if head in ("neg", "inv"):
            sign = "-" if head == "neg" else "~"
            return self._kept(term, f"({sign}{self.converted(term[1], kind)})")
        return self._binary(term, kind)

    def _call(self, name, kind, *arguments):
        given = ", ".join(self.converted(a, KINDS[kind]) for a in arguments)
        text = f"{name}_{kind}({given})"
        if self.reading.shaken and name in MATHEMATICAL:
            return f"shaken_{kind}({text})"
        return text

    def _binary(self, term, kind):
        head, left, right = term
        if head in ("<<", ">>"):
            a = self.converted(left, kind)
            return self._kept(term, f"({a} {head} {self.text(right)})")
        if head in COMPARISONS:
            kind = common(self.scope.kind(left), self.scope.kind(right))
        elif self.reading.fused and kind.is_float and head in "+-":
            if made := self._fused(head, left, right, kind):
                return made
        a, b = self.converted(left, kind), self.converted(right, kind)
        if head in ("/", "%"):
            name = {"/": "divided", "%": "remainder"}[head]
            return self._kept(term, f"{name}_{kind.family}({a}, {b})")
        return self._kept(term, f"({a} {head} {b})")

    def _kept(self, term, text):
        """The text's value in the bits of the term's type."""
        kind = self.scope.kind(term)
        if kind.is_float:
            if term[0] not in ARITHMETIC:
                return text
            if self.reading.shaken:
                return f"shaken_{kind}({text})"
            return f"nearest_float({text})" if kind is F32 else text
        bounds = self.scope.exact_bounds(term)
        if within(bounds, kind.bounds) and term[0] not in ("<<", "inv"):
            return text
        return _wrapped(text, kind)

    def _fused(self, head, left, right, kind):
        """As Clang does for one expression: the product on the left first."""
        if product := self._product(left, kind):
            sign = "-" if head == "-" else ""
            return self._fma(kind, *product,
                             f"{sign}{self.converted(right, kind)}")
        if product := self._product(right, kind):
            negative, a, b = product
            return self._fma(kind, negative != (head == "-"), a, b,
                             self.converted(left, kind))
        return None

    def _fma(self, kind, negative, a, b, c):
        return f"fma_{kind}({'-' if negative else ''}{a}, {b}, {c})"

    def _product(self, term, kind):
        """(whether it is negated, its factors), or None."""
        term = self._without_cast(term, kind)
        negative = term[0] == "neg"
        if negative:
            term = self._without_cast(term[1], kind)
        if term[0] != "*" or self.scope.kind(term) is not kind:
            return None
        return negative, *(self.converted(t, kind) for t in term[1:])

    def _without_cast(self, term, kind):
        """Clang sees through a cast that changes nothing."""
        while term[0] == "cast" and self.scope.kind(term) is kind is (
                self.scope.kind(term[2])):
            term = term[2]
        return term

    def converted(self, term, kind):
        text, own = self.text(term), self.scope.kind(term)
        if own is kind:
            return text
        if kind is F32:
            return f"nearest_float({text})"
        if kind is F64:
            return text if own is F32 else f"float({text})"
        if own.is_float:
            if self.scope.needs_care(term, kind):
                return f"whole_{kind}({text})"
            return _wrapped(f"int({text})", kind)
        if within(self.scope.bounds(term), kind.bounds):
            return text
        return _wrapped(text, kind)


def _wrapped(text, kind):
    mask = (1 << kind.bits) - 1
    if kind.family == "u":
        return f"({text} & {mask:#x})"
    half = 1 << kind.bits - 1
    return f"(({text} + {half:#x} & {mask:#x}) - {half:#x})"


def _divided_whole(a, b):
    """C's: towards zero."""
    return abs(a) // b if a >= 0 else -(-a // b)


def _divided_float(a, b):
    if b:
        return a / b
    if a != a or b != b or not a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _whole(kind):
    least, greatest = SAFE[kind.name]

    def convert(value):
        return int(value) if least <= value <= greatest else 0
    return convert


def _shaken(kind, draw):
    size = 2.0 ** (-40 if kind is F64 else -16)

    def shake(value):
        value *= 1.0 + size * (draw() - 0.5)
        return round_to_float(value) if kind is F32 else value
    return shake


def _least_or_greatest(name):
    choose = min if name == "fmin" else max

    def function(a, b):
        if a != a or b != b:
            return (b if a != a else a) + 0.0
        return choose(a, b) + 0.0
    return function


def names(seed=0):
    """What the text of a reference may call."""
    made = {"nearest_float": round_to_float, "divided_f": _divided_float,
            "range": range}
    for family in "iu":
        made[f"divided_{family}"] = _divided_whole
        made[f"remainder_{family}"] = lambda a, b: a - b * _divided_whole(a, b)
    draw = random.Random(seed).random
    for kind in KINDS.values():
        if not kind.is_float:
            made[f"whole_{kind}"] = _whole(kind)
            continue
        made[f"shaken_{kind}"] = _shaken(kind, draw)
        for name, count in {**EXACT, **MATHEMATICAL}.items():
            made[f"{name}_{kind}"] = (
                _least_or_greatest(name) if name in ("fmin", "fmax")
                else math_function(name, kind, count))
    return made
