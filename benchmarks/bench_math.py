"""A loop of each mathematical function in the tier max, beside libm one by one, NumPy,
libmvec as GCC calls it, and, where they are found, SLEEF (Debian's
libsleef-dev, or CFLAGS and LDFLAGS that lead to it) and Numba (with PyPI's icc-rt it
calls Intel's SVML)."""

import ctypes
import importlib
import math
import os
import shlex
import subprocess
import tempfile
import time

import numpy

from run import row

COUNT = 100_000
REPEAT = 3
ROUNDS = 5
FUNCTIONS = """acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp
exp10 exp2 expm1 hypot log log10 log1p log2 pow sin sinh tan tanh
tgamma""".split()
OF_TWO = {"atan2", "hypot", "pow"}
#: Where each is defined; elsewhere any number of that size.
RANGES = {"acos": (-1, 1), "asin": (-1, 1), "atanh": (-1, 1), "acosh": (1, 10),
          **dict.fromkeys(("log", "log10", "log1p", "log2", "pow"), (0.01, 10))}
#: NumPy's names that are not "a" and "arc" before C's.
NUMPY = {"pow": "power", "atan2": "arctan2"}
#: The most exact of SLEEF's that are not of one unit.
UNITS = {"hypot": "u05", "erfc": "u15"}
#: What makes GCC call libmvec. With -ffast-math itself, a library that is loaded would
#: flush subnormal numbers in the whole process.
FAST = ["-D__FAST_MATH__", "-fno-math-errno", "-fno-trapping-math", "-ffinite-math-only"]
SIGNATURE = "void loop(void *, void *, void *, long)"


def text(function, kind):
    suffix = "f" if kind == "float" else ""
    arguments = "x[i], y[i]" if function in OF_TWO else "x[i]"
    return f"""#define _GNU_SOURCE
#include <math.h>
void loop(const {kind} *x, const {kind} *y, {kind} *restrict o, long n) {{
  for (long i = 0; i < n; ++i) o[i] = {function}{suffix}({arguments});
}}"""


def of_sleef(function, kind):
    """The same in vectors of AVX2, which 1e5 items leave no remainder of."""
    lanes, letter, vector = (8, "f", "ps") if kind == "float" else (4, "d", "pd")
    loads = ", ".join(f"_mm256_loadu_{vector}({a} + i)" for a in
                      ("xy" if function in OF_TWO else "x"))
    name = f"Sleef_{function}{letter}{lanes}_{UNITS.get(function, 'u10')}avx2"
    return f"""#include <immintrin.h>
#include <sleef.h>
void loop(const {kind} *x, const {kind} *y, {kind} *restrict o, long n) {{
  for (long i = 0; i < n; i += {lanes})
    _mm256_storeu_{vector}(o + i, {name}({loads}));
}}"""


def built(folder, name, source, flags, libraries=""):
    """The loop as GCC compiles it, or None if there is no such function."""
    path = os.path.join(folder, name)
    with open(path + ".c", "w") as file:
        file.write(source)
    words = ["gcc", "-O3", "-march=native", "-shared", "-fPIC", *flags,
             *shlex.split(os.environ.get("CFLAGS", "")), path + ".c", "-o",
             path + ".so", *shlex.split(os.environ.get("LDFLAGS", "")), libraries, "-lm"]
    if subprocess.run([w for w in words if w], stderr=subprocess.DEVNULL).returncode:
        return None
    loop = ctypes.CDLL(path + ".so").loop
    loop.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_long]
    return loop


def of_numpy(function, arrays):
    name = NUMPY.get(function, function)
    if name[0] == "a" and not name.startswith("arc"):
        name = "arc" + name[1:]
    found = getattr(numpy, name, None)
    used = arrays[:2] if function in OF_TWO else arrays[:1]
    return found and (lambda *_: found(*used, out=arrays[2]))


def of_numba(function, arrays):
    try:
        numba = importlib.import_module("numba")
    except ImportError:
        return None
    scalar = getattr(math, function, None)
    if scalar is None:
        return None
    if function in OF_TWO:
        def item(x, y):
            return scalar(x, y)
    else:
        def item(x):
            return scalar(x)
    kernel = numba.vectorize(item)
    used = arrays[:2] if function in OF_TWO else arrays[:1]
    try:
        kernel(*used)
    except numba.core.errors.NumbaError:  # Some, such as math.cbrt, it does not know.
        return None
    return lambda *_: kernel(*used, out=arrays[2])


def best(functions, arguments):
    """The least time of each, in turns: of a loop without branches it is the
    one that nothing disturbed."""
    times = [[] for _ in functions]
    for _ in range(ROUNDS):
        for function, taken in zip(functions, times):
            begin = time.process_time()
            for _ in range(REPEAT):
                function(*arguments)
            taken.append((time.process_time() - begin) / REPEAT)
    return map(min, times)


def rivals(clinch, folder, function, kind, arrays):
    """{name: what computes it, or None}"""
    source = text(function, kind)

    def compiled(tier, *flags):
        return clinch.compile(source, tier=tier, flags=flags)[SIGNATURE]
    name = f"{function}-{kind}"
    return {"ours": compiled("max"),
            "libm, one by one": compiled("default", "-fno-builtin"),
            f"NumPy {numpy.__version__}": of_numpy(function, arrays),
            "libmvec": built(folder, name, source, FAST),
            "SLEEF": built(folder, name + "-sleef", of_sleef(function, kind), [],
                           "-lsleef"),
            "Numba": of_numba(function, arrays)}


def rows(build):
    import clinch
    random = numpy.random.default_rng(1)
    out = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("double", "float"):
            for function in FUNCTIONS:
                low, high = RANGES.get(function, (-10, 10))
                arrays = [random.uniform(low, high, COUNT).astype(
                    numpy.float32 if kind == "float" else numpy.float64)
                    for _ in range(3)]
                made = {name: call for name, call in rivals(
                    clinch, folder, function, kind, arrays).items() if call}
                times = dict(zip(made, best(list(made.values()), [
                    *(a.ctypes.data for a in arrays), COUNT])))
                ours = times.pop("ours")
                out += [row(f"{function} of 1e5 {kind}s, max", 1e6 * ours, 1e6 * theirs,
                            name, "us", "beside it", True)
                        for name, theirs in times.items()]
    return out
