"""Random models of groups, in one loop and Op by Op: the same bits, or the same error.

    python random_groups.py [--minutes 10] [--seed 1] [--only NUMBER]
"""

import random

import numpy as np
import pytensor.tensor as pt
from pytensor.compile.mode import Mode
from searching import main

import clinch.pytensor
import pytensor
from clinch.pytensor.fused import FusedLoop

TIERS = ("fast", "default", "max")
ROWS = (0, 1, 2, 7, 255, 256, 257, 600)
GROUPS = 5
VALUES = ("float64", "float64", "float64", "float32", "int32", "bool")
INDICES = ("int64", "int64", "int32", "int8", "uint8", "uint32")
ONE = (pt.exp, pt.sqr, pt.tanh, pt.neg, pt.abs, pt.sin, lambda x: pt.log1p(pt.abs(x)))
TWO = (
    pt.add,
    pt.sub,
    pt.mul,
    pt.maximum,
    pt.true_div,
    lambda x, y: pt.switch(pt.gt(x, y), x, 1 - pt.mul(y, 2)),
    # Not to an integer: a number too large for it, or NaN, has no meaning there in C.
    lambda x, y: pt.cast(pt.gt(x, y), "float32"),
)


class Model:
    """A graph with gathers, what it is called with, and how it is compiled."""

    def __init__(self, seed, number):
        self.random = random.Random(f"{seed} {number}")
        self.numbers = np.random.default_rng((seed, number))
        self.rows = self.random.choice(ROWS)
        self.values = {}
        self.tables = [self.vector(f"a{n}", GROUPS) for n in range(2)]
        self.columns = [self.vector(f"y{n}", self.rows) for n in range(2)]
        self.indices = [self.index(f"i{n}") for n in range(2)]
        self.scalar = self.named(pt.scalar("s"), self.numbers.normal())
        self.tier = self.random.choice(TIERS)
        self.outputs = self.made()
        self.spoilt = self.random.random() < 0.2 and self.spoil()

    def named(self, variable, value):
        self.values[variable] = np.asarray(value, variable.type.dtype)
        return variable

    def vector(self, name, size):
        dtype = self.random.choice(VALUES)
        return self.named(pt.vector(name, dtype=dtype), self.numbers.normal(size=size) * 3)

    def index(self, name):
        dtype = self.random.choice(INDICES)
        low = 0 if dtype.startswith("u") else -GROUPS
        places = self.numbers.integers(low, GROUPS, self.rows)
        places = self.random.choice((np.sort, np.array, lambda i: i * 0))(places)
        return self.named(pt.vector(name, dtype=dtype), places)

    def leaf(self):
        """A term; PyTensor subtracts no bool, so they become numbers."""
        made = self.term()
        return pt.cast(made, "int8") if made.dtype == "bool" else made

    def term(self):
        kind = self.random.random()
        if kind < 0.5:
            return self.random.choice(self.tables)[self.random.choice(self.indices)]
        if kind < 0.8:
            return self.random.choice(self.columns)
        return self.scalar if kind < 0.95 else pt.constant(0.5)

    def expression(self, depth):
        if depth == 0:
            return self.leaf()
        if self.random.random() < 0.4:
            return self.random.choice(ONE)(self.expression(depth - 1))
        left, right = self.expression(depth - 1), self.expression(self.random.randrange(depth))
        return self.random.choice(TWO)(left, right)

    def made(self):
        outputs, known = [], []
        for _ in range(self.random.randint(1, 3)):
            new = self.expression(self.random.randint(1, 4))
            if known and self.random.random() < 0.5:
                new = new * self.random.choice(known)
            known.append(new)
            for _ in range(self.random.randint(0, 2)):
                outputs.append(self.behind(new))
        return outputs or known

    def behind(self, made):
        """Something that reads it."""
        if made.ndim == 0:
            return made
        kind = self.random.randrange(7)
        if kind == 0:
            return made.sum()
        if kind == 1 and made.dtype.startswith("float"):
            wanted = [t for t in self.tables if t.dtype.startswith("float")]
            total = made.sum()
            reached = [t for t in wanted if t in pytensor.graph.ancestors([total])]
            return pt.grad(total, reached[0]) if reached else total
        if kind in (2, 3):
            return pt.zeros(GROUPS)[self.random.choice(self.indices)].inc(made)
        if kind == 4:
            table = self.random.choice(self.tables)
            if table.dtype == made.dtype:
                return table[self.random.choice(self.indices)].inc(made)
        return (made, made[::2], made.max(), pt.cumsum(made))[self.random.randrange(4)]

    def spoil(self):
        """Makes an index or a length wrong; it may be one that nothing reads."""
        if self.rows < 2:
            return False
        variable = self.random.choice([*self.indices, *self.columns])
        value = self.values[variable]
        if variable in self.columns or self.random.random() < 0.3:
            self.values[variable] = value[:-1]
        else:
            value[self.random.randrange(self.rows)] = GROUPS
        return True

    def laid_out(self, value):
        """The value as it is, or not contiguous."""
        how = self.random.random()
        if value.ndim == 0 or how < 0.7:
            return value
        return np.repeat(value, 2)[::2] if how < 0.85 else value[::-1].copy()[::-1]

    def compiled(self, fused):
        clinch.pytensor.options.fused_gathers = fused
        clinch.pytensor.options.small_graphs = fused
        clinch.pytensor.options.tier = self.tier
        clinch.pytensor.options.first_tier = None
        mode = Mode("clinch", "fast_run")
        return pytensor.function(
            list(self.values), self.outputs, mode=mode, on_unused_input="ignore"
        )


def one_nan(value):
    """The same with one NaN: that of `inf * 0` has another sign in LLVM than in x86."""
    if value.dtype.kind != "f":
        return value
    return np.where(np.isnan(value), value.dtype.type(np.nan), value)


def called(function, values):
    """The results' bytes, or the kind of error."""
    try:
        made = [one_nan(np.asarray(v)) for v in function(*values)]
        return [(v.dtype.str, v.shape, v.tobytes()) for v in made]
    except (AssertionError, IndexError, ValueError) as error:
        return type(error)


def check(seed, number):
    """Counts loops and mistakes, and says what is wrong."""
    model = Model(seed, number)
    one, apart = model.compiled(True), model.compiled(False)
    loops = sum(isinstance(n.op, FusedLoop) for n in one.maker.fgraph.apply_nodes)
    counts = {"models of groups": 1, "with a mistake": int(bool(model.spoilt)), "loops": loops}
    return counts, differs(model, one, apart)


def differs(model, one, apart):
    values = [model.laid_out(v) for v in model.values.values()]
    before = [v.tobytes() for v in values]
    with np.errstate(all="ignore"):
        for turn in ("first", "second"):
            left, right = called(one, values), called(apart, values)
            # A wrong length is wrong for several Ops: the first of them says so.
            if left != right and not (isinstance(left, type) and isinstance(right, type)):
                return f"{turn} call, tier {model.tier}: {left} for {right}"
    if [v.tobytes() for v in values] != before:
        return "an argument has changed"
    return None


if __name__ == "__main__":
    main(__doc__.splitlines()[0], check, lambda *which: Model(*which).outputs)
