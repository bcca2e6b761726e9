"""A loop computes the same in every tier, wherever its arrays lie and whichever
way it runs."""

import numpy
import pytest

import clinch

#: Items whose loop is long enough for everything that LLVM does to loops.
LONG = 2048
#: Bytes around what is looked at, which no loop may write to.
EDGE = 256

LOOPS = {
    "scaled": "z[i] = x[i] * 3",
    "two inputs": "z[i] = x[i] + y[i]",
    "in place": "z[i] = z[i] * 3",
    "filled": "z[i] = 7",
    "chosen": "z[i] = x[i] < y[i] ? x[i] : y[i]",
    "of its number": "z[i] = x[i] + i",
    "backwards": "z[i] = x[n - 1 - i] * 3",
    "every second": "z[i] = x[2 * i] + x[2 * i + 1]",
    "two outputs": "z[i] = x[i] * 3; w[i] = y[i] - x[i]",
    "from behind": "z[i] = z[i + 1] * 3",
    "from before": "z[i + 1] = z[i] * 3",
    "from long before": "z[i + 40] = z[i] * 3",
    "to the strided": "z[2 * i] = x[i] * 3",
    "of what is not": "z[i] = x[i & 3]",
    "stored backwards": "z[n - 1 - i] = x[i] * 3",
    "stored backwards, by pointers": "z[n - 1 - i] = x[n - 1 - i] + y[i]",
}
TYPES = {"double": numpy.float64, "float": numpy.float32,
         "long": numpy.int64, "int": numpy.int32}


def compiled(type, body, tier):
    """The loop; its arrays may lie anywhere, at odd addresses too."""
    return clinch.compile(
        f"typedef {type} T __attribute__((aligned(1)));\n"
        "void f(long n, T *z, T *w, const T *x, const T *y) {\n"
        f"  for (long i = 0; i < n; ++i) {{ {body}; }}\n}}\n",
        tier=tier)["void f(long n, void *z, void *w, void *x, void *y)"]


class Memory:
    """Four arrays one behind the other, each of which begins at `places[k]`
    bytes behind a boundary of 64."""

    def __init__(self, type, length, places, seed=0):
        item = numpy.dtype(type).itemsize
        size = (2 * length + 64) * item + 2 * EDGE
        size += -size % 64
        self.all = numpy.zeros(4 * size + 64, numpy.uint8)
        start = -self.all.ctypes.data % 64
        self.offsets = [start + k * size + EDGE + place
                        for k, place in enumerate(places)]
        values = numpy.random.default_rng(seed).integers(
            -1000, 1000, 2 * length + 60).astype(type)
        for k, offset in enumerate(self.offsets):
            part = numpy.roll(values, k).view(numpy.uint8)
            self.all[offset:offset + part.size] = part
        self.before = self.all.copy()

    def after(self, function, length):
        """What is in memory when the function has run on it."""
        self.all[:] = self.before
        base = self.all.ctypes.data
        function(length, *(base + offset for offset in self.offsets))
        return self.all.copy()


def same(type, fast, best, length, places):
    memory = Memory(type, length, places)
    return numpy.array_equal(memory.after(fast, length),
                             memory.after(best, length))


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("body", LOOPS.values(), ids=LOOPS)
def test_every_place(type, body):
    fast, best = (compiled(type, body, tier) for tier in ("fast", "max"))
    numpy_type = TYPES[type]
    long = LONG * 8 // numpy.dtype(numpy_type).itemsize
    for place in range(64):
        for length in (place, long + 37 * place):
            for places in ((place, 0, 16, 8), (16, 3, place, 0),
                           (place, place, place, place)):
                assert same(numpy_type, fast, best, length, places), (
                    length, places)


def test_every_length():
    fast, best = (compiled("double", LOOPS["in place"], tier)
                  for tier in ("fast", "max"))
    for place in (0, 8, 16, 24, 56, 63):
        for length in (*range(200), *range(LONG - 40, LONG + 90)):
            places = (place, 0, 0, 0)
            assert same(numpy.float64, fast, best, length, places), (
                length, places)


def test_arrays_whose_place_the_compiler_knows():
    text = clinch.compile(
        "static double x[5000] __attribute__((aligned(64)));\n"
        "void set(long i, double v) { x[i] = v; }\n"
        "void f(double *z, long n) {\n"
        "  for (long i = 0; i < n; ++i) z[i] = x[i] * x[i];\n}\n", tier="max")
    for i in range(5000):
        text["void set(long i, double v)"](i, i + 0.5)
    f = text["void f(void *z, long n)"]
    wanted = (numpy.arange(5000) + 0.5) ** 2
    for place in range(0, 64, 8):
        z = numpy.zeros(5100 * 8, numpy.uint8)
        start = -z.ctypes.data % 64 + place
        z = z[start:start + 5008 * 8].view(numpy.float64)
        f(z.ctypes.data, 4999)
        assert numpy.array_equal(z[:4999], wanted[:4999])
        assert not z[4999:].any()
