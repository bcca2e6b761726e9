"""Kernels that are right, with what they are run with, as a device and the simulator
both run them."""

import ctypes
import sys
from pathlib import Path

import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Python"))
import kernel_cases

TEXT = (Path(__file__).parent / "kernels.cu").read_text()
#: What a device decides: which thread is first.
LOCKS = ("lock right", "lock in one warp", "volatile flag right")


class Pair(ctypes.Structure):
    _fields_ = [("a", ctypes.c_float), ("b", ctypes.c_double)]


class Case:
    """A kernel of a text, and its launch. arguments: what makes them, anew each time."""

    def __init__(self, name, text, kernel, grid, block, arguments, shared=0):
        self.name, self.text, self.kernel = name, text, kernel
        self.grid, self.block, self.arguments = grid, block, arguments
        self.shared = shared

    def expected(self, compile_simulated):
        """Returns the arguments after the simulator has run it."""
        given = self.arguments()
        compile_simulated(self.text)[self.kernel](
            self.grid, self.block, shared=self.shared)(*map(plain, given))
        return given


def plain(value):
    """NumPy's scalars are numbers to the simulator."""
    return value.item() if isinstance(value, numpy.generic) else value


def _of_inputs():
    for name, grid, block, arguments, wanted, text in kernel_cases.CASES:
        if not wanted:
            def make(written=arguments):
                given = map(kernel_cases.argument, written.split())
                return [numpy.int32(one) if isinstance(one, int) else one for one in given]
            yield Case(name, text, "k", int(grid), eval(block), make)


def _random(*wanted):
    """Returns what makes arrays: (dtype, count), of a fixed seed."""
    def one(generator, dtype, count):
        if numpy.dtype(dtype).kind == "f":
            return generator.standard_normal(count).astype(dtype) * 9
        low, high = (0, 1000) if count == 1024 else (-2**31, 2**31)
        if numpy.dtype(dtype).kind == "u":
            low, high = 0, 2**32
        return generator.integers(low, high, count).astype(dtype)

    def make():
        generator = numpy.random.default_rng(len(wanted))
        return [one(generator, *each) if isinstance(each, tuple) else
                each.copy() if isinstance(each, numpy.ndarray) else each
                for each in wanted]
    return make


def _own():
    int32, count = numpy.int32, 1024
    extremes = numpy.array([0, 0, 1 << 30, -(1 << 30), -1, 0, 0], "i")
    launches = {
        "saxpy": (8, 128, _random(int32(1003), numpy.float32(2.5), ("f", 1003),
                                  ("f", 1003))),
        "elementwise": (8, 128, _random(int32(1003), ("f", 1003),
                                        numpy.zeros(1003, "f"))),
        "matmul": ((4, 4), (16, 16), _random(("f", 4096), ("f", 4096),
                                             numpy.zeros(4096, "f"), int32(64))),
        "reduce": (7, 256, _random(("d", 10007), numpy.zeros(7), int32(10007))),
        "histogram": (5, 96, _random(("u4", 10007), numpy.zeros(64, "u4"), int32(10007))),
        "dynamic": (3, 96, _random(("f", 288), numpy.zeros(288, "f")), 384),
        "by_value": (4, 64, _random(Pair(1.5, 1 / 3), ("d", 256), numpy.zeros(256))),
        "constants": (4, 64, _random(("i", 256), numpy.zeros(256, "i"))),
        "votes": (8, 128, _random(("i", count), numpy.zeros(count, "u4"))),
        "shuffles": (8, 128, _random(("u8", count), numpy.zeros(count, "u8"))),
        "integers": (8, 129, _random(("i", 1032), ("i", 1032), numpy.zeros(1032, "i8"))),
        "conversions": (8, 128, _random(("f", count), ("d", count), numpy.zeros(count))),
        "atomics": (8, 128, _random(("i", count), extremes, numpy.zeros(1, "u8"))),
        "vectors": (4, 64, _random(("f", 1024), numpy.zeros(1024, "f"))),
    }
    for kernel, launch in launches.items():
        yield Case(kernel, TEXT, kernel, *launch)


CASES = [*_own(), *_of_inputs()]
