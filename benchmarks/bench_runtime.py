"""Calls, first results, imports, arrays and memory of the Python package."""

import gc
import os
import statistics
import sys
import tempfile

import numpy

from run import row
from runtime import tools

CALLS = 200_000
#: That measure a call, each for itself.
PROCESSES = 15
#: Functions compiled and dropped; compiled to stay; alive at once, each code
#: shared by several of them.
DROPPED, COMPILED, ALIVE = 10_000, 10_000, 50_000


def rows(build):
    import clinch
    clinch.config.cache = False
    found = [*call_rows(clinch), *first_rows(clinch), *start_rows(),
             *array_rows(clinch), *steady_rows(clinch), *many_rows(clinch)]
    return found


def xyz(clinch):
    return [clinch.double(name) for name in "xyz"]


CALLS_IN_PROCESS = """
import sys
import clinch
from runtime import tools
clinch.config.cache = False
x, y, z = map(clinch.double, "xyz")
f, rival = clinch.function([x, y, z], (x + y) * z), tools.load(sys.argv[1])
print(*tools.medians(tools.loop_of_calls(f, (1.0, 2.0, 3.0)),
                     tools.loop_of_calls(rival.by_hand, (1.0, 2.0, 3.0)),
                     rounds=101))
"""


def call_rows(clinch):
    with tempfile.TemporaryDirectory() as folder:
        path = tools.build_rival(folder)
        rival = tools.load(path)
        # In some processes, one call or the other is half as slow again from
        # beginning to end: where the system has put the stack decides.
        pairs = [tools.child_numbers(CALLS_IN_PROCESS, path)
                 for _ in range(PROCESSES)]
    ours, theirs = (1e9 * statistics.median(times) / 10_000
                    for times in zip(*pairs))
    yield row("f(1., 2., 3.) of (x+y)*z", ours, theirs,
              "METH_FASTCALL by g++ -O3", "ns", "<= 1.25 times",
              ours <= 1.25 * theirs)

    x, y, z = xyz(clinch)
    f = clinch.function([x, y, z], (x + y) * z)
    for cell, value in zip(f.thunk.cells, (1.0, 2.0, 3.0)):
        cell[0] = value
    built = tools.BuiltByHand(f, f.thunk.cells)
    run = f.thunk.program.symbol("clinch_run")
    count = CALLS
    pairs = [(rival.repeat(run, f.thunk.state_address, count),
              rival.repeat(built.run, built.state_address, count))
             for _ in range(15)]
    ours, theirs = (1e9 * statistics.median(times) / count
                    for times in zip(*pairs))
    yield row("the bare thunk, cells filled", ours, theirs,
              "the same text by g++ -O3", "ns", "<= 1.0 times",
              ours <= 1.0 * theirs)


def first_rows(clinch):
    for tier, target in (("fast", 4), ("default", 8)):
        graphs = []
        for number in range(41):
            x, y, z = xyz(clinch)
            graphs.append(([x, y, z], (x + y) * z + (number + 0.5)))

        def first(number):
            inputs, output = graphs[number]
            clinch.function(inputs, output, mode=clinch.Mode(tier=tier))(1.0, 2.0, 3.0)
        first(40)
        time = tools.median_ms(first, 40)
        yield row(f"graph to first result, {tier}", time, None, None, "ms",
                  f"<= {target} ms", time <= target)
    x, y, z = xyz(clinch)
    keep = clinch.function([x, y, z], (x + y) * z)
    time = tools.median_ms(lambda _: clinch.function(
        keep.inputs, keep.outputs[0])(1.0, 2.0, 3.0), 200)
    yield row("the same, in the memory cache", time, None, None, "ms",
              "<= 0.3 ms", time <= 0.3)


FIRST_IN_PROCESS = """
import time
from clinch import double, function
x, y, z = double("x"), double("y"), double("z")
output = (x + y) * z
start = time.perf_counter()
function([x, y, z], output)(1.0, 2.0, 3.0)
print((time.perf_counter() - start) * 1e3)
assert "libclinch-engine" not in open("/proc/self/maps").read()
"""
IMPORT = """
import numpy, time
start = time.perf_counter()
from clinch import function
print((time.perf_counter() - start) * 1e3)
assert "libclinch-engine" not in open("/proc/self/maps").read()
"""


def start_rows():
    with tempfile.TemporaryDirectory() as folder:
        fill = FIRST_IN_PROCESS.replace("assert", "True or")
        tools.child_ms(fill, 1, CLINCH_CACHE_DIR=folder)
        time = tools.child_ms(FIRST_IN_PROCESS, 15, CLINCH_CACHE_DIR=folder)
        yield row("the same, in a new process, from disk", time, None, None,
                  "ms", "<= 1.5 ms", time <= 1.5)
    time = tools.child_ms(IMPORT, 15)
    yield row("import clinch, beyond numpy", time, None, None, "ms",
              "<= 25 ms, no LLVM", time <= 25)


def array_rows(clinch):
    sys.path.append(os.path.join(os.path.dirname(__file__), "..", "test",
                                 "Python"))
    from theano_ops import VectorTimesScalar, VectorTimesVector
    vector = clinch.TensorType("float64", (None,))
    scalar = clinch.TensorType("float64", ())
    x, y, s = vector("x"), vector("y"), scalar("s")
    for size in (1_000, 100_000, 10_000_000):
        two = numpy.array(2.0)
        yield vectors_row("scalar", size, lambda: two, lambda: clinch.function(
            [x, s], VectorTimesScalar()(x, s), mode="max"))
        yield vectors_row("vector", size, lambda: numpy.random.rand(size),
                          lambda: clinch.function(
                              [x, y], VectorTimesVector()(x, y), mode="max"))


def vectors_row(name, size, make_other, make_function):
    """The median of several places in memory: where the kernel puts an array
    is worth a few per cent, to either."""
    repeat = max(1, 2_000_000 // size)
    places, times = [], []
    for _ in range(9 if size < 1_000_000 else 3):
        f, a, other = make_function(), numpy.random.rand(size), make_other()
        out = numpy.empty(size)
        places.append((f, a, other, out))

        def ours():
            for _ in range(repeat):
                f(a, other)

        def theirs():
            for _ in range(repeat):
                numpy.multiply(a, other, out=out)
        times.append(tools.medians(ours, theirs, rounds=11))
    t, u = map(statistics.median, zip(*times))
    moved = 8e-9 * size * repeat * (2 if name == "scalar" else 3)
    return row(f"vector x {name}, {size:.0e}", moved / t, moved / u,
               "numpy.multiply(out=)", "GB/s", ">= 0.95", u / t >= 0.95, ratio=u / t)


def growth(work, count, *objects):
    """kB of resident memory, references, and objects, that `count` runs add."""
    work(count // 10)
    gc.collect()
    before = (tools.resident_kb(), sum(map(sys.getrefcount, objects)),
              len(gc.get_objects()))
    work(count)
    gc.collect()
    after = (tools.resident_kb(), sum(map(sys.getrefcount, objects)),
             len(gc.get_objects()))
    return [b - a for a, b in zip(before, after)]


def steady_rows(clinch):
    from theano_ops import VectorTimesVector
    vector = clinch.TensorType("float64", (None,))
    x, y = vector("x"), vector("y")
    f = clinch.function([x, y], VectorTimesVector()(x, y))
    a, b, short = numpy.ones(3), numpy.ones(3), numpy.ones(2)

    def calls(count):
        for _ in range(count):
            f(a, b)

    def failing(count):
        for _ in range(count):
            try:
                f(a, short)
            except ValueError:
                pass
    for name, work in (("1e6 calls", calls), ("1e6 failing calls", failing)):
        memory, references, objects = growth(work, 1_000_000, a, b, short, f,
                                             x, y, vector)
        met = memory < 512 and references == 0 and objects <= 0
        yield row(f"{name}: growth of memory ({references} references, "
                  f"{objects} objects)", memory, None, None, "kB",
                  "< 512 kB, 0, 0", met)


def many_rows(clinch):
    def make(number):
        x, y, z = xyz(clinch)
        f = clinch.function([x, y, z], (x + y) * z + float(number),
                            mode="fast")
        assert f(1.0, 2.0, 3.0) == 9.0 + number
        return f

    def dropped(count):
        for number in range(count):
            make(number)
    memory, _, _ = growth(dropped, DROPPED)
    yield row(f"{DROPPED:,} functions compiled, called, dropped", memory,
              None, None, "kB", "< 10,240 kB", memory < 10_240)
    before = tools.resident_kb()
    alive = [make(number) for number in range(COMPILED)]
    alive += [alive[n % COMPILED].copy() for n in range(ALIVE - COMPILED)]
    each = (tools.resident_kb() - before) / len(alive)
    works = all(f(1.0, 2.0, 3.0) == 9.0 + n % COMPILED
                for n, f in enumerate(alive))
    yield row(f"{ALIVE:,} functions alive, memory of each", each, None, None,
              "kB", "all of them work", works)
