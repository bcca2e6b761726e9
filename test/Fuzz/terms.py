"""Expressions of C as trees: their type, the values they can have, and their
text in C. `reference.py` has the same in Python.

A term is a list, so that a case can be written down as JSON:
["num", kind, value]  ["var", name]  ["at", array, offset]
["neg" | "inv" | "not", a]  [operator, a, b]  ["?", condition, a, b]
["cast", kind, a]  ["call", function, kind, arguments...]
"""

from kinds import I32, KINDS, common, promoted

ARITHMETIC = ("+", "-", "*", "/")
WHOLE = ("%", "&", "|", "^", "<<", ">>")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
LOGICAL = ("&&", "||")

#: Functions whose result is the same everywhere, and their arguments' number.
EXACT = {"sqrt": 1, "fabs": 1, "floor": 1, "ceil": 1, "trunc": 1, "rint": 1,
         "fmin": 2, "fmax": 2, "fma": 3}
#: Functions of lib/Math, or of libm.
MATHEMATICAL = {
    "acos": 1, "acosh": 1, "asin": 1, "asinh": 1, "atan": 1, "atan2": 2,
    "atanh": 1, "cbrt": 1, "cos": 1, "cosh": 1, "erf": 1, "erfc": 1, "exp": 1,
    "exp10": 1, "exp2": 1, "expm1": 1, "hypot": 2, "log": 1, "log10": 1,
    "log1p": 1, "log2": 1, "pow": 2, "sin": 1, "sinh": 1, "tan": 1, "tanh": 1,
    "tgamma": 1}

#: What a float may be for a conversion to a type of whole numbers to be had
#: for certain.
SAFE = {"i8": (-100, 100), "u8": (0, 200), "i16": (-30000, 30000),
        "u16": (0, 60000), "i32": (-10**9, 10**9), "u32": (0, 4 * 10**9),
        "i64": (-10**18, 10**18), "u64": (0, 10**19)}


class NotC(ValueError):
    """A tree that stands for no C with a certain meaning."""


def leaves(term):
    """The term and all terms in it."""
    yield term
    for part in term[1:]:
        if isinstance(part, list):
            yield from leaves(part)


class Scope:
    """What names stand for, and how they are written. `wraps`: whether
    arithmetic of signed types that overflows is defined, as -fwrapv has it."""

    def __init__(self, kinds, ranges, wraps=False):
        self.kinds = kinds    # The Kind of a variable or an array's items.
        self.ranges = ranges  # (least, greatest) of it, or None.
        self.wraps = wraps

    def c_item(self, array, offset):
        raise NotImplementedError

    # -- types and values

    def kind(self, term):
        head = term[0]
        if head == "num":
            return KINDS[term[1]]
        if head in ("var", "at"):
            return self.kinds[term[1]]
        if head == "cast":
            return KINDS[term[1]]
        if head == "call":
            return KINDS[term[2]]
        if head in ("neg", "inv"):
            return promoted(self.kind(term[1]))
        if head == "not" or head in COMPARISONS or head in LOGICAL:
            return I32
        if head == "?":
            return common(self.kind(term[2]), self.kind(term[3]))
        if head in ("<<", ">>"):
            return promoted(self.kind(term[1]))
        made = common(self.kind(term[1]), self.kind(term[2]))
        if head in WHOLE and made.is_float:
            raise NotC(f"{head} of {made}")
        return made

    def exact_bounds(self, term):
        """The values that the term would have if nothing were lost, or None
        where nothing is known of them (as of floats, mostly)."""
        head = term[0]
        if head == "num":
            return term[2], term[2]
        if head in ("var", "at"):
            known = self.ranges.get(term[1])
            kind = self.kinds[term[1]]
            return known or (None if kind.is_float else kind.bounds)
        if head == "not" or head in COMPARISONS or head in LOGICAL:
            return 0, 1
        if head == "cast":
            return self.converted_bounds(term[2], KINDS[term[1]])
        if head == "?":
            made = self.kind(term)
            a, b = (self.converted_bounds(t, made) for t in term[2:])
            return a and b and (min(a[0], b[0]), max(a[1], b[1]))
        made = self.kind(term)
        if head == "neg":
            a = self.converted_bounds(term[1], made)
            return a and (-a[1], -a[0])
        if head in ("+", "-", "*"):
            a, b = (self.converted_bounds(t, made) for t in term[1:])
            return a and b and _arithmetic_bounds(head, a, b)
        if head == "&":
            a, b = (self.converted_bounds(t, made) for t in term[1:])
            upper = [x[1] for x in (a, b) if x[0] >= 0]
            return (0, min(upper)) if upper else made.bounds
        return None if made.is_float else made.bounds

    def bounds(self, term):
        """The values of the term, as its type holds them."""
        made, kind = self.exact_bounds(term), self.kind(term)
        if kind.is_float:
            return made
        return made if within(made, kind.bounds) else kind.bounds

    def converted_bounds(self, term, kind):
        made = self.bounds(term)
        if kind.is_float:
            return made
        if self.kind(term).is_float and made:
            made = int(made[0]), int(made[1])
        return made if made and within(made, kind.bounds) else kind.bounds

    # -- C

    def c(self, term):
        head = term[0]
        if head == "num":
            return _c_number(KINDS[term[1]], term[2])
        if head == "var":
            return term[1]
        if head == "at":
            return self.c_item(term[1], term[2])
        if head == "cast":
            return self.c_converted(term[2], KINDS[term[1]])
        if head == "call":
            return self._c_call(term)
        if head == "not":
            return f"!{self.c(term[1])}"
        if head == "neg" and self._may_overflow(term):
            return self._c_wrapped("-", [term[1]], self.kind(term))
        if head in ("neg", "inv"):
            return f"({'-' if head == 'neg' else '~'}{self.c(term[1])})"
        if head == "?":
            return "(" + "{} ? {} : {}".format(*map(self.c, term[1:])) + ")"
        self._check_operands(term)
        if self._may_overflow(term):
            return self._c_wrapped(head, term[1:], self.kind(term))
        return f"({self.c(term[1])} {head} {self.c(term[2])})"

    def _check_operands(self, term):
        head, kind = term[0], self.kind(term)
        if head in ("/", "%") and not kind.is_float:
            b = self.converted_bounds(term[2], kind)
            if b[0] <= 0:
                raise NotC("a divisor that may be 0 or less")
        if head in ("<<", ">>"):
            b = self.bounds(term[2])
            if self.kind(term[2]).is_float or b[0] < 0 or b[1] >= kind.bits:
                raise NotC("a shift by too much")

    def _may_overflow(self, term):
        kind = self.kind(term)
        if kind.family != "i" or self.wraps or term[0] not in (
                "+", "-", "*", "neg"):
            return False
        return not within(self.exact_bounds(term), kind.bounds)

    def _c_wrapped(self, operator, operands, kind):
        unsigned = f"unsigned{' long' if kind.bits == 64 else ''}"
        texts = [f"({unsigned}){self.c(o)}" for o in operands]
        if len(texts) == 1:
            texts.insert(0, "")
        return f"({kind.c_name})({f' {operator} '.join(texts)})"

    def _c_call(self, term):
        _, name, kind, *arguments = term
        suffix = "f" if kind == "f32" else ""
        text = f"{name}{suffix}({', '.join(map(self.c, arguments))})"
        # Which zero of two it is, is nobody's promise.
        return f"({text} + 0.0{suffix})" if name in ("fmin", "fmax") else text

    def c_converted(self, term, kind):
        """The term as a value of another type."""
        text, own = self.c(term), self.kind(term)
        if self.needs_care(term, kind):
            return f"{own}_to_{kind}({text})"
        return f"({kind.c_name}){text}"

    def c_assigned(self, term, kind):
        """The same where C converts by itself."""
        text = self.c(term)
        if self.needs_care(term, kind):
            return f"{self.kind(term)}_to_{kind}({text})"
        return text[1:-1] if _is_one_group(text) else text

    def needs_care(self, term, kind):
        """Whether a float may not fit into the type of whole numbers."""
        return (self.kind(term).is_float and not kind.is_float and
                not within(self.bounds(term), SAFE[kind.name]))

def within(bounds, limits):
    return bool(bounds) and limits[0] <= bounds[0] and bounds[1] <= limits[1]


def _arithmetic_bounds(operator, a, b):
    if operator == "-":
        b = -b[1], -b[0]
    if operator != "*":
        return a[0] + b[0], a[1] + b[1]
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _c_number(kind, value):
    if kind.is_float:
        text = f"{abs(value)!r}{kind.suffix}"
    else:
        text = f"{abs(value)}{kind.suffix}"
    return f"(-{text})" if value < 0 else text


def _is_one_group(text):
    """Whether the parenthesis that opens the text is the one that ends it."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return text[0] == "(" and place == len(text) - 1
    return False
