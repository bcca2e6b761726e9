"""Random expressions."""

from kinds import KINDS
from terms import COMPARISONS, EXACT, MATHEMATICAL

WHOLE_KINDS = [k for k in KINDS if KINDS[k].family != "f"]


def choose(draw, weights):
    """One key of a dict of weights."""
    return draw.choices(list(weights), list(weights.values()))[0]


def number(kind, value):
    return ["num", kind, float(value) if KINDS[kind].is_float else value]


class RandomTerms:
    """Draws expressions over variables and arrays. `pool`: the types that
    casts, numbers and functions are of; `arrays`: names and the offsets at
    which they may be read."""

    def __init__(self, draw, pool, mathematical):
        self.draw = draw
        self.pool = pool
        self.mathematical = mathematical
        self.variables = []
        self.arrays = {}

    def number(self, kind):
        if KINDS[kind].is_float:
            return number(kind, self.draw.choice(
                [0.5, 1.5, 2.0, 3.0, 0.1015625, 10.25]))
        most = min(KINDS[kind].bounds[1], 1000)
        return number(kind, self.draw.randint(1, most) >>
                      self.draw.choice([0, 0, 4]) or 1)

    def leaf(self):
        names = list(self.arrays)
        if names and (self.draw.random() < 0.8 or not self.variables):
            name = self.draw.choice(names)
            return ["at", name, self.draw.choice(self.arrays[name])]
        return ["var", self.draw.choice(self.variables)]

    def term(self, depth):
        """Any expression of at most so many levels; never a number alone, so
        that nothing is computed before it runs."""
        if depth <= 0 or self.draw.random() < 0.15:
            return self.leaf()
        make = choose(self.draw, {
            self._sum: 12, self._call: 9 if self.mathematical else 2,
            self._either: 3, self._cast: 3, self._bits: 3, self.condition: 1,
            self._quotient: 2, self._shift: 2, self._with_number: 4,
            self._unary: 1})
        return make(depth - 1)

    def _sum(self, depth):
        return [self.draw.choice("++--**"), self.term(depth), self.term(depth)]

    def _with_number(self, depth):
        terms = [self.term(depth), self.number(self.draw.choice(self.pool))]
        self.draw.shuffle(terms)
        return [self.draw.choice("+-*"), *terms]

    def _call(self, depth):
        functions = MATHEMATICAL if self.mathematical else EXACT
        name = self.draw.choice(list(functions))
        kinds = [k for k in self.pool if KINDS[k].is_float]
        kind = self.draw.choice(kinds or ["f32", "f64"])
        return ["call", name, kind,
                *(self.term(min(depth, 2)) for _ in range(functions[name]))]

    def _either(self, depth):
        arms = [self.term(depth), self.term(depth)]
        if self.draw.random() < 0.3:
            arms[self.draw.randrange(2)] = self.number(
                self.draw.choice(self.pool))
        return ["?", self.condition(1), *arms]

    def _cast(self, depth):
        return ["cast", self.draw.choice(self.pool), self.term(depth)]

    def whole(self, depth):
        kinds = [k for k in self.pool if not KINDS[k].is_float] or WHOLE_KINDS
        return ["cast", self.draw.choice(kinds), self.term(depth)]

    def _bits(self, depth):
        return [self.draw.choice("&|^"), self.whole(depth), self.whole(depth)]

    def condition(self, depth):
        other = (self.number(self.draw.choice(self.pool))
                 if self.draw.random() < 0.4 else self.term(depth))
        made = [self.draw.choice(COMPARISONS), self.term(depth), other]
        if self.draw.random() < 0.15:
            made = [self.draw.choice(["&&", "||"]), made, self.term(depth)]
        return made

    def _quotient(self, depth):
        floats = [k for k in self.pool if KINDS[k].is_float]
        if floats and self.draw.random() < 0.6:
            kind = self.draw.choice(floats)
            return ["/", ["cast", kind, self.term(depth)], self.term(depth)]
        fifteen = ["&", self.whole(0), number("i32", 15)]
        below = self.draw.choice([number("i32", self.draw.randint(1, 50)),
                                  ["+", fifteen, number("i32", 1)]])
        return [self.draw.choice("/%"), self.whole(depth), below]

    def _shift(self, depth):
        by = self.draw.choice([number("i32", self.draw.randint(0, 31)),
                               ["&", self.whole(0), number("i32", 31)]])
        return [self.draw.choice(["<<", ">>"]), self.whole(depth), by]

    def _unary(self, depth):
        head = self.draw.choice(["neg", "neg", "inv", "not"])
        return [head, self.whole(depth) if head == "inv" else self.term(depth)]
