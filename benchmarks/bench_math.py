"""A loop of each mathematical function in the tier max, against scalar libm."""

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


def text(function, kind):
    suffix = "f" if kind == "float" else ""
    arguments = "x[i], y[i]" if function in OF_TWO else "x[i]"
    return f"""#define _GNU_SOURCE
#include <math.h>
void loop(const {kind} *x, const {kind} *y, {kind} *restrict o, long n) {{
  for (long i = 0; i < n; ++i) o[i] = {function}{suffix}({arguments});
}}"""


def best(functions, arguments):
    """The least time of each, in turns: of a loop without branches it is the
    one that nothing disturbed."""
    import time
    times = [[] for _ in functions]
    for _ in range(ROUNDS):
        for function, taken in zip(functions, times):
            begin = time.perf_counter()
            for _ in range(REPEAT):
                function(*arguments)
            taken.append((time.perf_counter() - begin) / REPEAT)
    return map(min, times)


def rows(build):
    import clinch
    random = numpy.random.default_rng(1)
    out = []
    for kind in ("double", "float"):
        for function in FUNCTIONS:
            codes = [clinch.compile(text(function, kind), tier=tier, flags=flags)
                     ["void loop(void *, void *, void *, long)"]
                     for tier, flags in (("max", []), ("default", ["-fno-builtin"]))]
            low, high = RANGES.get(function, (-10, 10))
            x, y = (random.uniform(low, high, COUNT).astype(
                numpy.float32 if kind == "float" else numpy.float64)
                    for _ in range(2))
            result = numpy.empty_like(x)
            arguments = [x.ctypes.data, y.ctypes.data, result.ctypes.data, COUNT]
            ours, theirs = (1e6 * t for t in best(codes, arguments))
            out.append(row(f"{function} of 1e5 {kind}s, max", ours, theirs,
                           "libm, one by one", "us", "beside it", True))
    return out
