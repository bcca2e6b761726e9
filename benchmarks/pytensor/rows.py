"""The rows of the table."""

import gc
import operator
import resource
import subprocess
import sys
import time

import authors_op
import numpy as np
import pytensor.scalar as ps
import pytensor.tensor as pt
from measure import (
    call_times,
    cold,
    link,
    one_after_another,
    rewritten,
    without_debug_information,
)
from model import hierarchical_regression

from clinch.pytensor import wait


def _three():
    return pt.dvectors("x", "y", "z")


_OPERATORS = (operator.add, operator.sub, operator.mul, operator.truediv)


def new_families():
    """name -> graphs like the one named: inputs, outputs, values.

    They have other operators in them, so no cache knows one for another.
    """
    x, y, z = _three()
    s = pt.dscalar("s")
    v = np.linspace(0.1, 1, 10)
    pairs = [(f, g) for f in _OPERATORS for g in _OPERATORS if f is not g]
    mixed = (*_OPERATORS, pt.maximum, pt.minimum, pt.lt, pt.gt, pt.le, pt.ge)
    return {
        "(x+y)*z": [([x, y, z], g(f(x, y), z), [v, v, v]) for f, g in pairs],
        "vector*scalar": [([x, s], f(x, s), [v, np.array(2.0)]) for f in mixed],
        "tanh(x*y+exp(-z))": [
            ([x, y, z], pt.tanh(g(f(x, y), pt.exp(-z))), [v, v, v])
            for f, g in pairs
        ],
        "log(x+1)*sin(z*y)": [
            ([x, y, z], g(pt.log(x + 1), pt.sin(f(z, y))), [v, v, v])
            for f, g in pairs
        ],
        "an author's Ops": authors_op.graphs(len(pairs)),
    }


def _times_faster(name, rival):
    """What a new function's first result is to be."""
    if name == "an author's Ops":
        return 15
    return 10 if rival == "numba" else 25


def new_function(table):
    """Link and call graphs that no cache knows, one after another.

    The first of a family also finds out, or compiles, what all of it share:
    Clinch the functions of Types, the others what they import. What comes after
    it is what is compared; what the first takes is said beside it.
    """
    for name, family in new_families().items():
        first, ours = one_after_another(family, "clinch", len(family))
        table.note(f"new {name}, the first", first, "ms")
        # Numba cannot compile an author's C.
        for rival in ("c", "cvm", "numba")[: 2 if "author" in name else 3]:
            _, theirs = one_after_another(family, rival, 4)
            wanted = _times_faster(name, rival)
            table.add(f"new {name}", ours, theirs, rival, wanted)


def scalar_chain(length):
    """Alternating sums and products; scalars, so nothing is fused or rewritten."""
    x, y = ps.float64("x"), ps.float64("y")
    value = x
    for i in range(length):
        value = ps.add(value, y) if i % 2 else ps.mul(value, y)
    return [x, y], value


def chains(table):
    for length, target, without_g in ((1000, 100, 20), (3000, 500, 50)):
        inputs, output = scalar_chain(length)
        how = {"optimizer": None, "values": [1.0, 1.0]}
        ours = cold(inputs, output, "clinch", 5, **how)
        with without_debug_information():
            theirs = cold(inputs, output, "c", 1, **how)
        table.add(f"chain of {length} scalars", ours, theirs, "c, no -g", without_g)
        theirs = cold(inputs, output, "c", 1, **how)
        table.add(f"chain of {length} scalars", ours, theirs, "c", target)


def elementwise_chain(table):
    x, y = pt.dscalar("x"), pt.dscalar("y")
    value = x
    for i in range(1000):
        value = value + y if i % 2 else value * y
    how = {"optimizer": None, "values": [np.array(1.0), np.array(1.0)]}
    ours = cold([x, y], value, "clinch", 3, **how)
    theirs = cold([x, y], value, "c", 1, **how)
    table.add("chain of 1000 0-d Elemwise", ours, theirs, "c", 80)


def _compiled_behind(inputs, outputs, values):
    """Seconds of processor that go on behind a function's first result."""
    _, function = link(inputs, outputs, "clinch", values=values)
    begin = time.process_time()
    wait()
    del function
    return time.process_time() - begin


def processor_time(table):
    """What the better code of a big function takes of a processor."""
    x = pt.dmatrix("x")
    value = x
    for _ in range(200):
        value = pt.tanh(pt.dot(value, x))
    ours = _compiled_behind([x], value, [np.eye(3)])
    table.add("behind 200 x (dot, tanh)", ours, None, "", None, "s", at_most=8)
    vectors = pt.dvectors(*[f"v{i}" for i in range(200)])
    ours = _compiled_behind(vectors, sum(vectors), [np.ones(3)] * 200)
    table.add("behind 200 vector inputs", ours, None, "", None, "s", at_most=8)


NEW_PROCESS = """
import time, sys
sys.path[:0] = {path!r}
{imports}
import pytensor, numpy as np
import pytensor.tensor as pt
from pytensor.compile.io import In
from pytensor.compile.mode import Mode
x, y, z = pt.dvectors("x", "y", "z")
mode = Mode({linker!r}, "fast_run")
maker = mode.function_maker([In(x), In(y), In(z)], (x + y) * z, mode)
v = np.ones(3)
begin = time.perf_counter()
maker.create()(v, v, v)
print((time.perf_counter() - begin) * 1e3)
"""


def _in_new_process(linker, repeat):
    imports = "import clinch.pytensor" if linker == "clinch" else ""
    script = NEW_PROCESS.format(path=sys.path[:1], imports=imports, linker=linker)
    command = [sys.executable, "-c", script]
    times = [
        float(subprocess.run(command, capture_output=True, check=True).stdout)
        for _ in range(repeat + 1)
    ]
    return sorted(times[1:])[repeat // 2]  # The first one filled the caches.


def first_in_process(table):
    ours = _in_new_process("clinch", 9)
    theirs = _in_new_process("cvm", 5)
    table.add("first function, all cached", ours, theirs, "cvm", None, at_most=5)


def run_time(table):
    x, y, z = _three()
    graphs = {
        "(x+y)*z": ((x + y) * z, 1 / 1.02),
        "tanh(x*y+exp(-z))": (pt.tanh(x * y + pt.exp(-z)), 5),
    }
    for name, (output, target) in graphs.items():
        functions = {
            linker: link([x, y, z], output, linker)[1]
            for linker in ("clinch", "c", "cvm")
        }
        for function in functions.values():
            function.trust_input = True
        wait()
        for size in (1, 10**3, 10**5, 10**7):
            values = [np.random.default_rng(n).uniform(0, 1, size) for n in range(3)]
            times = {
                linker: seconds * 1e6
                for linker, seconds in call_times(functions, values).items()
            }
            wanted = target if size >= 1000 else 1 / 1.02
            for rival in ("c", "cvm"):
                table.add(
                    f"run {name}, {size}",
                    times["clinch"],
                    times[rival],
                    rival,
                    wanted,
                    "us",
                )


def _resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def _growth(linker, count):
    """MiB that `count` different functions leave when they are dropped.

    PyTensor itself keeps some of what it once rewrote. So all graphs are
    rewritten before.
    """
    x = pt.dvector("x")
    numbers = range(1000, 1000 + count)

    def graph(n):
        value = x
        for bit in range(12):  # A text for each number.
            value = value + x if n >> bit & 1 else value * x
        return [x], value, linker

    def make(n):
        _, function = link(*graph(n), values=[np.ones(2)])
        del function

    for n in numbers:
        rewritten(*graph(n))
    for n in range(20 if linker == "clinch" else 2):
        make(n)
    gc.collect()
    before = _resident()
    for n in numbers:
        make(n)
    gc.collect()
    return _resident() - before


def memory(table):
    ours = _growth("clinch", 1000)
    theirs = _growth("numba", 10) * 100
    table.add(
        "kept of 1000 functions", ours, theirs, "numba*100/10", None, "MiB", at_most=4
    )


def model(table):
    inputs, outputs, values = hierarchical_regression()
    ours = cold(inputs, outputs, "clinch", 5, values=values)
    for rival in ("cvm", "numba"):
        theirs = cold(inputs, outputs, rival, 1, values=values)
        table.add("model, log-density and gradient", ours, theirs, rival, 10)


ROWS = {
    "new": new_function,
    "process": first_in_process,
    "run": run_time,
    "memory": memory,
    "model": model,
    "chains": chains,
    "elementwise": elementwise_chain,
    "behind": processor_time,
}
