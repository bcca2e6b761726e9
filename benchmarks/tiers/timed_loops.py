"""The loops that are timed in every tier: name -> a function that compiles one.

Each function takes a tier and the name of a processor, and returns a call without
arguments. All tiers of one loop read and write the same memory: where an array starts
is worth more than a tier.
"""

import random
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

import clinch
from authors_code import CODE
from bench_math import FUNCTIONS, RANGES, SIGNATURE, text
from expressions import CONSTANTS, EXPRESSIONS, inputs_of
from kinds import KINDS
from loop_cases import make
from loop_reference import Layout, data
from loop_search import Run
from loops import LoopText
from texts import loop
from theano_ops import ExternalVectorProduct, VectorTimesScalar, VectorTimesVector

SIZES = (10, 1_000, 100_000)
RANDOM = 100


def every():
    """Yields (name, compile) of each loop."""
    for size in SIZES:
        yield from expressions(size)
        yield from authors_ops(size)
    yield from mathematics()
    yield "tanh(x*y + exp(-z)) in C", partial(
        c_loop, loop(), "void loop(void *, void *, void *, void *, long)",
        [np.linspace(0.1, 1.9, 1_000) for _ in range(4)])
    for seed in range(RANDOM):
        yield f"random loop {seed}", RandomLoop(make(random.Random(seed))).compile


class ArrayOn(clinch.TensorType):
    """An array in graphs that are compiled for a processor."""

    cpu = ""

    def c_compile_args(self, **_):
        return [f"-march={self.cpu}"] if self.cpu else []


def graph(make_output, arrays, outputs, tier, cpu):
    """Compiles an expression over variables for these arrays. `outputs` keeps the array
    that the first tier returns, for all of them."""
    inputs = [ArrayOn(a.dtype, (None,) * a.ndim)() for a in arrays]
    for variable in inputs:
        variable.type.cpu = cpu
    thunk = clinch.function(inputs, make_output(*inputs), mode=clinch.Mode(tier)).thunk
    for cell, array in zip(thunk.cells, arrays):
        cell[0] = array
    thunk.cells[-1][:] = outputs or [None]
    thunk()
    outputs[:] = thunk.cells[-1]
    return thunk


def expressions(size):
    for case in (*EXPRESSIONS, *CONSTANTS):
        arrays = inputs_of(case, size)
        yield f"{case.name}, {size:,}", partial(graph, case.make, arrays, [])


#: Loops of an author's function of `x`, `y` and `z`, with the type of their strides.
WALKS = {
    "int pointers": ("int", "for (; n > 0; --n, x += sx, y += sy, z += sz) *z = *x * *y;"),
    "pointers": ("npy_intp", "for (; n > 0; --n, x += sx, y += sy, z += sz) *z = *x * *y;"),
    "strides": ("npy_intp", "for (int i = 0; i < n; ++i) z[i * sz] = x[i * sx] * y[i * sy];"),
    "unsigned strides": ("unsigned", """
        for (unsigned i = 0; i < n; ++i) z[i * sz] = x[i * sx] * y[i * sy];"""),
    "a long index": ("int", "for (long i = 0; i < n; ++i) z[i * sz] = x[i * sx] * y[i * sy];"),
    "indices that grow": ("int", """int ix = 0, iy = 0, iz = 0;
        for (; n > 0; --n, ix += sx, iy += sy, iz += sz) z[iz] = x[ix] * y[iy];"""),
    "no strides": ("int", "for (int i = 0; i < n; ++i) z[i] = x[i] * y[i];"),
    "rows": ("int", """for (int j = 0; j < 10; ++j) for (int i = 0; i < n / 10; ++i)
        z[(j * (n / 10) + i) * sz] = x[(j * (n / 10) + i) * sx] * y[i * sy];"""),
    "neighbours": ("int", """for (int i = 1; i < n - 1; ++i)
        z[i * sz] = x[(i - 1) * sx] + x[(i + 1) * sx] - 2 * x[i * sx] * y[i * sy];"""),
}


class Walk(VectorTimesVector):
    """The seeds' Op with another loop."""

    __props__ = ("walk",)

    def __init__(self, walk):
        self.walk = walk

    def c_support_code_apply(self, node, name):
        stride, loop = WALKS[self.walk]
        return f"""void vector_elemwise_mult_{name}(
            npy_float64 *x, {stride} sx, npy_float64 *y, {stride} sy,
            npy_float64 *z, {stride} sz, int n) {{ {loop} }}"""


class ScaleAndShift(VectorTimesScalar):
    """The author's Op of benchmarks/pytensor, on Clinch's own arrays."""

    def make_node(self, x):
        return clinch.Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return CODE.format(x=inputs[0], z=outputs[0], scale=0.5, shift=1.5, fail=sub["fail"])


def authors_ops(size):
    x, y, scalar = np.linspace(0.1, 1, size), np.linspace(2, 3, size), np.array(2.0)
    for op, arrays in ((VectorTimesScalar(), (x, scalar)), (VectorTimesVector(), (x, y)),
                       (ExternalVectorProduct(), (x, y)), (ScaleAndShift(), (x,))):
        yield f"{type(op).__name__}, {size:,}", partial(graph, op, arrays, [])
    for walk in WALKS:
        yield f"vectors by {walk}, {size:,}", partial(graph, Walk(walk), (x, y), [])


def c_loop(source, signature, arrays, tier, cpu):
    f = clinch.compile(source, tier=tier, cpu=cpu)[signature]
    arguments = [*(a.ctypes.data for a in arrays), len(arrays[0])]
    return lambda: f(*arguments)


def mathematics():
    draw = np.random.default_rng(1)
    for kind in ("double", "float"):
        for function in FUNCTIONS:
            arrays = [draw.uniform(*RANGES.get(function, (-10, 10)), 1_000).astype(
                np.float32 if kind == "float" else np.float64) for _ in range(3)]
            yield f"{function} of {kind}", partial(
                c_loop, text(function, kind), SIGNATURE, arrays)


class RandomLoop(Run):
    """A case of test/Fuzz, called with its longest arrays."""

    def __init__(self, case):
        self.case, self.loop = case, LoopText(case)
        self.layout = Layout(case, max(case["lengths"]))
        self.buffers = data(case, self.layout, case["data"] + self.layout.n)
        self.before = {name: values.copy() for name, values in self.buffers.items()}
        self.results = {name: KINDS[given["kind"]].ctype()
                        for name, given in case["locals"].items()}
        self.kept = []

    def compile(self, tier, cpu):
        code = clinch.compile(self.loop.text(), tier=tier, cpu=cpu,
                              flags=["-fwrapv"] if self.case["wraps"] else [])
        addresses = {name: values.ctypes.data for name, values in self.buffers.items()}
        arguments = [self._argument(kind, name, self.layout, addresses, self.results,
                                    self.kept) for kind, name in self.loop.parameters()]
        f = code.f
        return Resettable(lambda: f(*arguments), self.reset)

    def reset(self):
        for name, values in self.buffers.items():
            values[:] = self.before[name]


class Resettable(NamedTuple):
    """A call that changes what it reads, and what undoes that."""

    call: Callable
    reset: Callable

    def __call__(self):
        self.reset()
        self.call()
