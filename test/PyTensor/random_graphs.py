"""Random graphs of mixed types, strides and broadcasting, in every tier.

    python random_graphs.py [--minutes 10] [--seed 1] [--only NUMBER]

A graph grows apply by apply, and each apply's `perform` gives its value at once, so
that the next one is chosen for which that value is fit: whole numbers that are not
zero to divide by, values within range to cast. What is computed without rounding has
to be equal, all else near. Where Clinch differs and g++ gives what Clinch does, the
difference is PyTensor's own; it is counted, and is no failure.
"""

import clinch.pytensor  # isort: skip

import random
import shutil
from dataclasses import dataclass

import numpy as np
import pytensor.tensor as pt
from pytensor.compile.mode import Mode
from pytensor.link.c.exceptions import CompileError
from random_steps import FLOATS, LEAVES, ROUNDING, STEPS
from searching import main

import pytensor

TIERS = ("fast", "default", "max")


@dataclass(eq=False)
class Known:
    """A variable, its value, and how near other computations of it come."""

    variable: object
    value: np.ndarray
    exact: bool
    #: The largest number that had a part in it: what its errors are measured by.
    scale: float
    #: Whether a float16 had a part in it.
    half: bool = False

    @property
    def kind(self):
        return self.value.dtype.kind

    @property
    def low(self):
        return self.value.min(initial=0).item()

    @property
    def high(self):
        return self.value.max(initial=0).item()


class Graph:
    """A graph of `size` steps, the same for the same seed and number."""

    def __init__(self, seed, number, size=12):
        self.random = random.Random(f"{seed}/{number}")
        self.known, self.inputs, self.values, self.memo = [], [], [], {}
        self.shape = [self.random.choice((1, 2, 3, 5, 17)) for _ in range(3)]
        # What has a known shape may be kept from call to call.
        self.static = self.random.choice((0.3, 1.0))
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
        dtype = self.random.choice(LEAVES)
        shape = self.shape[self.random.randint(0, 3) :]
        shape = [1 if self.random.random() < 0.25 else n for n in shape]
        shape = [0 if self.random.random() < 0.03 else n for n in shape]
        static = [n if n == 1 or self.random.random() < self.static else None for n in shape]
        low = 0 if dtype[0] in "ub" else -6
        items = [self.random.randint(low, 1 if dtype == "bool" else 6) for _ in range(1000)]
        value = np.resize(np.array(items), shape).astype(dtype)
        if dtype in FLOATS:
            value = value / np.asarray(4, dtype)
        if value.dtype.kind == "c":
            value = value + np.asarray(0.5j, dtype) * value[..., ::-1] if value.ndim else value * 1j
        variable = pt.tensor(f"x{len(self.inputs)}", dtype=dtype, shape=tuple(static))
        self.inputs.append(variable)
        self.values.append(self.laid_out(value))
        self.memo[variable] = self.values[-1]
        known = Known(variable, self.values[-1], True, 9.0, dtype == "float16")
        self.known.append(known)

    def laid_out(self, value):
        """The same values, elsewhere in memory."""
        way = self.random.choice(("C", "F", "apart", "backwards", "C"))
        if not value.ndim or way in "CF":
            return np.array(value, order=way if value.ndim else "C")
        if way == "backwards":
            way = [slice(None)] * value.ndim
            way[self.random.randrange(value.ndim)] = slice(None, None, -1)
            return np.array(value[tuple(way)])[tuple(way)]
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
        finite = np.abs(np.where(np.isfinite(value), value, 0)).astype("float64")
        largest = float(finite.max(initial=0))
        if value.size > 20000 or largest > 1e4:
            return
        half = value.dtype == "float16" or any(part.half for part in parts)
        exact = exact and all(part.exact for part in parts)
        exact = exact and not (half and step in ROUNDING)
        scale = max([largest, *(part.scale for part in parts)])
        self.known.append(Known(variable, value, exact, scale, half))

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


def differs(known, found):
    """Whether a value is another one; None where it is as it has to be."""
    expected = known.value
    if found.dtype != known.variable.type.dtype or found.shape != expected.shape:
        return f"{found.dtype}{found.shape} for {expected.dtype}{expected.shape}"
    rounds = found.dtype.kind in "fc"
    if known.exact or not rounds:
        if known.exact and not np.array_equal(found, expected, equal_nan=rounds):
            return f"{found!r} for {expected!r}"
        return None
    # Numbers of float32 on the way round what is float64 in the end.
    near = 2e-2 if known.half else 1e-4
    bound = near * max(known.scale, 1.0)
    if not np.allclose(found, expected, rtol=near, atol=bound, equal_nan=True):
        return f"{found!r} for {expected!r}"
    return None


def run(graph, mode, made):
    """The results `made` of a second call; None if it has written to those of the first."""
    outputs = [known.variable for known in made]
    function = pytensor.function(graph.inputs, outputs, mode=mode, on_unused_input="ignore")
    before = [r for r in function(*graph.values) if r.flags.writeable]
    for result in before:
        result.fill(0)
    results = [np.asarray(v) for v in function(*graph.values)]
    return None if any(result.any() for result in before) else results


def check(seed, number):
    """What is PyTensor's own doing, and what is wrong, by tier."""
    graph = Graph(seed, number)
    wrong, own = {}, 0
    for tier in TIERS:
        clinch.pytensor.options.tier = tier
        clinch.pytensor.options.first_tier = None
        made = graph.outputs()
        found = run(graph, "CLINCH", made)
        if found is None:
            wrong[tier] = ["a call has written to the results of the one before it"]
            continue
        said = [(k, v, differs(k, v)) for k, v in zip(made, found, strict=True)]
        said = [what for what in said if what[2]]
        if all(_same_as_gxx(graph, k, v) for k, v, _ in said):
            own += bool(said)
        else:
            wrong[tier] = [what for _, _, what in said]
    return {"graphs": 1, "PyTensor's own differences": min(own, 1)}, wrong


def _same_as_gxx(graph, known, found):
    """Whether it is also with g++, which does not compile all that Clang does."""
    gxx = shutil.which("g++")
    if gxx is None:
        return False
    with pytensor.config.change_flags(cxx=gxx):
        try:
            theirs = run(graph, Mode("cvm", "fast_run"), [known])
        except CompileError:
            return False
    return theirs is not None and (
        np.array_equal(found, theirs[0])
        or np.allclose(found, theirs[0], rtol=1e-6, atol=1e-6, equal_nan=True)
    )


def outputs(seed, number):
    return [known.variable for known in Graph(seed, number).outputs()]


if __name__ == "__main__":
    main(__doc__.splitlines()[0], check, outputs)
