"""Mathematical functions: the same bits in every tier, and from the cache alone."""

import ctypes
import os
import subprocess
import sys

import numpy
import pytest

import clinch

TEXT = """#include <math.h>
double one(double x) { return tanh(x) + exp(-x) * pow(1.3, sin(x)); }
double (*const pointer)(double) = cosh;
double through(double x) { return pointer(x); }
"""
VALUES = [0.1 + 0.37 * n for n in range(40)]


def values_of(tier, flags=()):
    code = clinch.compile(TEXT, tier=tier, flags=list(flags))
    for name in ("one", "through"):
        function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(code.lookup(name))
        yield from map(function, VALUES)


@pytest.mark.parametrize("tier", ["default", "max"])
@pytest.mark.parametrize("flags", [(), ("-O0",), ("-march=native",),
                                   ("-ffp-contract=fast", "-march=native")])
def test_texts_have_one_mathematics(tier, flags):
    expected = list(values_of("fast", [f for f in flags if f != "-O0"]))
    assert list(values_of(tier, flags)) == expected


def test_graphs_have_one_mathematics():
    x, y = clinch.vector("x"), clinch.vector("y")
    given = (numpy.linspace(-3, 3, 1003), numpy.linspace(0, 5, 1003))
    found = []
    for tier in ("fast", "default", "max"):
        f = clinch.function([x, y], numpy.tanh(x * y + numpy.exp(-y)),
                            mode=clinch.Mode(tier=tier))
        found.append(f(*given).tobytes())
    assert found[1:] == found[:1] * 2


ANOTHER = f"""
import ctypes
import clinch
code = clinch.compile({TEXT!r}, tier="max")
one = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(code.lookup("one"))
print(code.stats["cache"], one(1.5).hex())
print("libclinch-engine" in open("/proc/self/maps").read())
"""


def test_code_from_the_cache_needs_no_engine(tmp_path):
    package = os.path.dirname(os.path.dirname(clinch.__file__))
    environment = {**os.environ, "CLINCH_CACHE_DIR": str(tmp_path),
                   "PYTHONPATH": package}

    def run():
        done = subprocess.run([sys.executable, "-c", ANOTHER], env=environment,
                              capture_output=True, text=True, check=True)
        return done.stdout.split()

    made, value, engine = run()
    assert (made, engine) == ("miss", "True")
    assert run() == ["hit", value, "False"]
