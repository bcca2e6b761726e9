"""Random graphs of mixed types, strides and broadcasting, in every tier.

    python random_graphs.py [--minutes 10] [--seed 1] [--only NUMBER]

A graph grows apply by apply, and each apply's `perform` gives its value at once, so
that the next one is chosen for which that value is fit: whole numbers that are not
zero to divide by, values within range to cast. What is computed without rounding has
to be equal, all else near. Where Clinch differs and g++ gives what Clinch does, the
difference is PyTensor's own; it is counted, and is no failure.
"""

import clinch.pytensor  # isort: skip

import argparse
import random
import shutil
import sys
import time
import warnings
from dataclasses import dataclass

import numpy as np
import pytensor.tensor as pt
from pytensor.compile.mode import Mode

import pytensor

TIERS = ("fast", "default", "max")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float32", "float64")
DTYPES = ("bool", *INTEGERS, *FLOATS)


@dataclass(eq=False)
class Known:
    """A variable, its value, and how near other computations of it come."""

    variable: object
    value: np.ndarray
    exact: bool
    #: The largest number that had a part in it: what its errors are measured by.
    scale: float

    @property
    def kind(self):
        return self.value.dtype.kind

    @property
    def low(self):
        return self.value.min(initial=0)

    @property
    def high(self):
        return self.value.max(initial=0)


class Graph:
    """A graph of `size` steps, the same for the same seed and number."""

    def __init__(self, seed, number, size=12):
        self.random = random.Random(f"{seed}/{number}")
        self.known, self.inputs, self.values, self.memo = [], [], [], {}
        self.shape = [self.random.choice((1, 2, 3, 5, 17)) for _ in range(3)]
        for _ in range(self.random.randint(2, 4)):
            self.add_leaf()
        tries = 0
        while len(self.known) < size and tries < 20 * size:
            tries += 1
            self.add(self.random.choice(STEPS))

    def outputs(self):
        """The last of what was made, as nothing uses it yet."""
        return self.known[-3:]

    def pick(self, kinds="biuf", exact=None, ndim=0):
        """Something known of these kinds of types, if there is."""
        fit = [
            k
            for k in self.known
            if k.kind in kinds and k.value.ndim >= ndim and exact in (None, k.exact)
        ]
        return self.random.choice(fit) if fit else None

    def add_leaf(self):
        dtype = self.random.choice(DTYPES)
        shape = self.shape[self.random.randint(0, 3) :]
        shape = [1 if self.random.random() < 0.25 else n for n in shape]
        static = [n if n == 1 or self.random.random() < 0.3 else None for n in shape]
        low = 0 if dtype[0] in "ub" else -6
        items = [self.random.randint(low, 1 if dtype == "bool" else 6) for _ in range(1000)]
        value = np.resize(np.array(items), shape).astype(dtype)
        if dtype in FLOATS:
            value = value / np.asarray(4, dtype)
        variable = pt.tensor(f"x{len(self.inputs)}", dtype=dtype, shape=tuple(static))
        self.inputs.append(variable)
        self.values.append(self.laid_out(value))
        self.memo[variable] = self.values[-1]
        self.known.append(Known(variable, self.values[-1], True, 6.0))

    def laid_out(self, value):
        """The same values, elsewhere in memory."""
        way = self.random.choice(("C", "F", "apart", "backwards", "C"))
        if not value.ndim or way in "CF":
            return np.array(value, order=way if value.ndim else "C")
        if way == "backwards":
            return np.array(value[::-1])[::-1]
        wide = np.zeros((*value.shape[:-1], 2 * value.shape[-1]), value.dtype)
        wide[..., ::2] = value
        return wide[..., ::2]

    def add(self, step):
        try:
            made = step(self)
            if made is None:
                return
            variable, parts, exact = made
            value = np.asarray(self.value_of(variable))
        except (TypeError, ValueError, IndexError):  # PyTensor refuses it.
            return
        finite = np.abs(np.where(np.isfinite(value), value, 0).astype("float64"))
        largest = float(finite.max(initial=0))
        if value.size > 20000 or largest > 1e4:
            return
        exact = exact and all(part.exact for part in parts)
        scale = max([largest, *(part.scale for part in parts)])
        self.known.append(Known(variable, value, exact, scale))

    def value_of(self, variable):
        """By the `perform` of each apply that is new."""
        node = variable.owner
        if variable not in self.memo and node is None:
            self.memo[variable] = variable.data
        elif variable not in self.memo:
            given = [self.value_of(v) for v in node.inputs]
            # What is done in place is done to a copy.
            given = [np.array(v) if isinstance(v, np.ndarray) else v for v in given]
            cells = [[None] for _ in node.outputs]
            node.op.prepare_node(node, None, None, "py")
            node.op.perform(node, given, cells)
            for v, (value,) in zip(node.outputs, cells, strict=True):
                self.memo[v] = np.asarray(value) if hasattr(v.type, "ndim") else value
        return self.memo[variable]


def _fit(a, b):
    """Whether two broadcast by what their types say."""
    pairs = zip(reversed(a.variable.type.shape), reversed(b.variable.type.shape), strict=False)
    values = zip(reversed(a.value.shape), reversed(b.value.shape), strict=False)
    return all(
        n == m or 1 in (s, t) for (s, t), (n, m) in zip(pairs, values, strict=False)
    )


def _two(graph, kinds="biuf", exact=None):
    a, b = graph.pick(kinds, exact), graph.pick(kinds, exact)
    return (a, b) if a and b and _fit(a, b) else (None, None)


def arithmetic(graph):
    a, b = _two(graph)
    if a is None:
        return None
    op = graph.random.choice((pt.add, pt.mul, pt.sub, pt.maximum, pt.minimum))
    if op is pt.sub and "b" in (a.kind, b.kind):
        return None
    # float32 has 24 bits, and each multiplication may need those of both.
    return op(a.variable, b.variable), (a, b), a.scale * b.scale < 2**10


def comparison(graph):
    a, b = _two(graph, exact=True)
    if a is None:
        return None
    op = graph.random.choice((pt.lt, pt.le, pt.gt, pt.ge, pt.eq, pt.neq))
    return op(a.variable, b.variable), (a, b), True


def bits(graph):
    a, b = _two(graph, graph.random.choice(("b", "iu")))
    if a is None:
        return None
    op = graph.random.choice((pt.bitwise_and, pt.bitwise_or, pt.bitwise_xor))
    return op(a.variable, b.variable), (a, b), True


def choice(graph):
    a, b = _two(graph)
    c = graph.pick("b")
    if a is None or c is None or not _fit(c, a) or not _fit(c, b):
        return None
    return pt.switch(c.variable, a.variable, b.variable), (a, b, c), True


def division(graph):
    a, b = _two(graph, "iu")
    if a is None:
        return None
    whole = pt.switch(pt.eq(b.variable, 0), b.variable + 1, b.variable)
    op = graph.random.choice((pt.int_div, pt.mod, pt.true_div))
    return op(a.variable, whole), (a, b), op is not pt.true_div


def cast(graph):
    a = graph.pick(exact=True)
    to = graph.random.choice(DTYPES)
    if a is None or to == "bool":
        return None
    if to in INTEGERS:
        bounds = np.iinfo(to)
        if a.low < bounds.min or a.high > bounds.max:
            return None
    return pt.cast(a.variable, to), (a,), True


def of_one(graph):
    a = graph.pick("if")
    if a is None:
        return None
    op = graph.random.choice((pt.neg, pt.abs, pt.sqr))
    return op(a.variable), (a,), a.scale**2 < 2**10


def stepwise(graph):
    a = graph.pick("if", exact=True)
    if a is None:
        return None
    v = a.variable
    made = (pt.floor, pt.ceil, pt.trunc, pt.sign, lambda v: pt.clip(v, -1, 2))
    return graph.random.choice(made)(v), (a,), True


def curve(graph):
    a = graph.pick()
    if a is None or (a.kind in "iub" and a.value.dtype.itemsize < 4):
        return None
    v = a.variable
    ways = (
        lambda: pt.tanh(v), lambda: pt.sin(v), lambda: pt.cos(v),
        lambda: pt.exp(-pt.sqr(v)), lambda: pt.log(pt.sqr(v) + 1),
        lambda: pt.sqrt(abs(v) + 1), lambda: pt.log1p(abs(v)), lambda: pt.sigmoid(v),
        lambda: pt.erf(v), lambda: pt.arctan(v), lambda: 1 / (pt.sqr(v) + 1.5),
    )  # fmt: skip
    return graph.random.choice(ways)(), (a,), False


def reduction(graph):
    op = graph.random.choice((pt.sum, pt.max, pt.min, pt.mean, pt.argmax, pt.any, pt.all))
    kinds = "b" if op in (pt.any, pt.all) else "iuf"
    a = graph.pick(kinds, exact=True if op is pt.argmax else None, ndim=1)
    if a is None or not a.value.size:
        return None
    axis = graph.random.choice((None, *range(a.value.ndim)))
    keep = graph.random.random() < 0.5
    made = op(a.variable, axis=axis, keepdims=keep)
    exact = op is not pt.mean and a.scale * a.value.size < 2**12
    return made, (a,), exact


def order(graph):
    a = graph.pick(ndim=1)
    if a is None:
        return None
    axes = list(range(a.value.ndim))
    graph.random.shuffle(axes)
    if graph.random.random() < 0.3:
        axes.insert(graph.random.randint(0, len(axes)), "x")
    return a.variable.dimshuffle(*axes), (a,), True


def shape(graph):
    a = graph.pick(ndim=1)
    if a is None:
        return None
    made = a.variable.flatten() if graph.random.random() < 0.5 else None
    if made is None:
        made = a.variable.reshape((a.value.shape[0], -1), ndim=2) if a.value.size else None
    return made if made is None else (made, (a,), True)


def part(graph):
    a = graph.pick(ndim=1)
    if a is None or not a.value.size:
        return None
    indices = []
    for n in a.value.shape:
        first, last = sorted(graph.random.choices(range(n + 1), k=2))
        way = graph.random.choice(("all", "item", "slice", "back", "step"))
        indices.append({
            "all": slice(None), "item": graph.random.randrange(-n, n),
            "slice": slice(first, last), "back": slice(None, None, -1),
            "step": slice(first, None, 2),
        }[way])  # fmt: skip
    return a.variable[tuple(indices)], (a,), True


def gathered(graph):
    a = graph.pick(ndim=1)
    if a is None or not a.value.shape[0]:
        return None
    n = a.value.shape[0]
    rows = [graph.random.randrange(-n, n) for _ in range(graph.random.randint(0, 6))]
    index = pt.constant(np.array(rows, graph.random.choice(("int8", "int32", "int64"))))
    return a.variable[index], (a,), True


def changed(graph):
    a = graph.pick("iuf", ndim=1)
    if a is None or not a.value.shape[0]:
        return None
    b = graph.pick("b" if a.kind == "u" else a.kind, exact=True)
    if b is None or b.value.ndim or b.value.dtype.itemsize > a.value.dtype.itemsize:
        return None
    change = graph.random.choice((pt.set_subtensor, pt.inc_subtensor))
    index = graph.random.choice((slice(1, None), slice(None, None, -2), 0, [0, 0, -1]))
    return change(a.variable[index], b.variable), (a, b), True


def product(graph):
    a, b = graph.pick("f", ndim=2), graph.pick("f", ndim=1)
    if a is None or b is None or a.value.ndim != 2 or b.value.ndim > 2:
        return None
    if a.value.shape[1] != b.value.shape[0]:
        return None
    return pt.dot(a.variable, b.variable), (a, b), False


def joined(graph):
    a = graph.pick(ndim=1)
    b = graph.pick(ndim=1)
    if a is None or b is None or a.value.shape[1:] != b.value.shape[1:]:
        return None
    return pt.concatenate([a.variable, b.variable]), (a, b), True


def sorted_(graph):
    a = graph.pick(exact=True, ndim=1)
    if a is None:
        return None
    op = graph.random.choice((pt.sort, lambda v: pt.argsort(v, kind="stable"), pt.cumsum))
    return op(a.variable), (a,), a.scale * a.value.size < 2**12


STEPS = (
    arithmetic, arithmetic, arithmetic, comparison, bits, choice, choice, division, cast,
    cast, of_one, stepwise, curve, curve, reduction, reduction, order, shape, part, part,
    gathered, changed, product, joined, sorted_,
)  # fmt: skip


def differs(known, found):
    """Whether a value is another one; None where it is as it has to be."""
    expected = known.value
    if found.dtype != known.variable.type.dtype or found.shape != expected.shape:
        return f"{found.dtype}{found.shape} for {expected.dtype}{expected.shape}"
    if known.exact or found.dtype.kind != "f":
        if known.exact and not np.array_equal(found, expected, equal_nan=found.dtype.kind == "f"):
            return f"{found!r} for {expected!r}"
        return None
    # Numbers of float32 on the way round what is float64 in the end.
    bound = 1e-4 * max(known.scale, 1.0)
    if not np.allclose(found, expected, rtol=1e-4, atol=bound, equal_nan=True):
        return f"{found!r} for {expected!r}"
    return None


def run(graph, mode):
    outputs = [known.variable for known in graph.outputs()]
    function = pytensor.function(graph.inputs, outputs, mode=mode, on_unused_input="ignore")
    return [np.asarray(v) for v in function(*graph.values)]


def check(graph):
    """What is wrong, by tier, and what is PyTensor's own doing."""
    wrong, own = {}, 0
    for tier in TIERS:
        clinch.pytensor.options.tier = tier
        clinch.pytensor.options.first_tier = None
        found = run(graph, "CLINCH")
        said = [differs(k, v) for k, v in zip(graph.outputs(), found, strict=True)]
        if any(said):
            wrong[tier] = found, said
    if wrong and all(_same_as_gxx(graph, found) for found, _ in wrong.values()):
        wrong, own = {}, 1
    return {tier: said for tier, (_, said) in wrong.items()}, own


def _same_as_gxx(graph, found):
    gxx = shutil.which("g++")
    if gxx is None:
        return False
    with pytensor.config.change_flags(cxx=gxx):
        theirs = run(graph, Mode("cvm", "fast_run"))
    return all(
        np.array_equal(a, b) or np.allclose(a, b, rtol=1e-6, atol=1e-6, equal_nan=True)
        for a, b in zip(found, theirs, strict=True)
    )


def search(seed, numbers, until=float("inf")):
    """Checks graphs; returns how many there were, PyTensor's own, and failures."""
    count = own = 0
    failures = []
    kept = vars(clinch.pytensor.options).copy()
    try:
        for number in numbers:
            if time.monotonic() > until:
                break
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                graph = Graph(seed, number)
                wrong, theirs = check(graph)
            count, own = count + 1, own + theirs
            if wrong:
                failures.append(f"seed {seed}, graph {number}: {wrong}")
    finally:
        vars(clinch.pytensor.options).update(kept)
    return count, own, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", type=int, help="one graph, printed")
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else random.randrange(10**6)
    print(f"seed {seed}", flush=True)
    if arguments.only is not None:
        graph = Graph(seed, arguments.only)
        pytensor.dprint([known.variable for known in graph.outputs()], print_type=True)
        print(check(graph))
        return
    until = time.monotonic() + 60 * arguments.minutes
    count, own, failures = search(seed, range(10**9), until)
    print(f"{count} graphs, {own} PyTensor's own differences, {len(failures)} failures")
    print(*failures, sep="\n")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
