#!/usr/bin/env python3
"""Measures how exact mathematical functions are in the tier max, in units in the
last place, against mpmath; prints the table of docs/reference/mathematics.md.

    PYTHONPATH=build/python /usr/bin/python3 scripts/measure-accuracy.py [COUNT]

For each function, COUNT (2,000) random numbers of each range: of ordinary size,
of every exponent for which the result is finite, and close to what is special.
"""

import math
import platform
import random
import sys

import clinch
import numpy
from mpmath import mp

mp.prec = 160
ORDINARY = {"acos": (-1, 1), "asin": (-1, 1), "atanh": (-1, 1),
            "acosh": (1, 100), "log": (0, 100), "log10": (0, 100),
            "log2": (0, 100), "log1p": (-1, 100), "pow": (0, 30),
            "erfc": (-6, 10)}
NEAR = {"acos": (1, -1), "asin": (1, -1), "atanh": (1, -1), "acosh": (1,),
        "log": (1,), "log2": (1,), "log10": (1,), "pow": (1,),
        "sin": (math.pi, -2 * math.pi, 100 * math.pi),
        "cos": (math.pi / 2, 1.5 * math.pi, 1001 * math.pi / 2),
        "tan": (math.pi, math.pi / 2)}
EXACT = {
    "acos": mp.acos, "acosh": mp.acosh, "asin": mp.asin, "asinh": mp.asinh,
    "atan": mp.atan, "atan2": mp.atan2, "atanh": mp.atanh,
    "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)), "cos": mp.cos,
    "cosh": mp.cosh, "erf": mp.erf, "erfc": mp.erfc, "exp": mp.exp,
    "exp10": lambda x: mp.power(10, x), "exp2": lambda x: mp.power(2, x),
    "expm1": mp.expm1, "hypot": mp.hypot, "log": mp.log, "log10": mp.log10,
    "log1p": mp.log1p, "log2": lambda x: mp.log(x, 2), "pow": mp.power,
    "sin": mp.sin, "sinh": mp.sinh, "tan": mp.tan, "tanh": mp.tanh}
OF_TWO = {"atan2", "hypot", "pow"}
KINDS = {"double": (numpy.float64, 53, -1021), "float": (numpy.float32, 24, -125)}


def inputs(function, kind, count, rng):
    low, high = ORDINARY.get(function, (-20, 20))
    exponents = 30 if function in ("sin", "cos", "tan") else (
        1020 if kind == "double" else 125)
    values = [rng.uniform(low, high) for _ in range(count)]
    values += [math.ldexp(rng.uniform(-2, 2), rng.randint(-exponents, exponents))
               for _ in range(count)]
    for near in NEAR.get(function, (0,)):
        values += [near + math.ldexp(rng.uniform(-1, 1), -rng.randint(1, 50))
                   for _ in range(count // 4)]
    return numpy.array(values, KINDS[kind][0])


def compiled(kind, tier, flags):
    suffix = "f" if kind == "float" else ""
    text = "#define _GNU_SOURCE\n#include <math.h>\n"
    for function in EXACT:
        call = "x[i], y[i]" if function in OF_TWO else "x[i]"
        text += f"""void loop_{function}(const {kind} *x, const {kind} *y,
                 {kind} *restrict o, long n) {{
  for (long i = 0; i < n; ++i) o[i] = {function}{suffix}({call});
}}
"""
    return clinch.compile(text, tier=tier, flags=flags)


def exact(function, *values):
    """Of real numbers, else None."""
    try:
        value = EXACT[function](*map(mp.mpf, values))
    except (ZeroDivisionError, ValueError, OverflowError):
        return None
    return value if isinstance(value, mp.mpf) and mp.isfinite(value) else None


def units(found, value, kind):
    _, digits, least = KINDS[kind]
    exponent = max(int(mp.floor(mp.log(abs(value), 2))) + 1 if value else least,
                   least)
    return float(abs(mp.mpf(float(found)) - value) / mp.ldexp(1, exponent - digits))


def worst(function, kind, code, x, y):
    result = numpy.empty_like(x)
    code[f"void loop_{function}(void *, void *, void *, long)"](
        x.ctypes.data, y.ctypes.data, result.ctypes.data, len(x))
    most = 0.0
    for a, b, found in zip(x.tolist(), y.tolist(), result):
        if not numpy.isfinite(found):
            continue
        value = exact(function, *([a, b] if function in OF_TWO else [a]))
        if value is not None:
            most = max(most, units(found, value, kind))
    return most


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    columns = [(kind, name, compiled(kind, *how))
               for kind in KINDS
               for name, how in {
                   "AVX2": ("max", ["-march=x86-64-v3"]),
                   "SSE": ("max", ["-march=x86-64"]),
                   "libm": ("default", [])}.items()]
    print(f"glibc {platform.libc_ver()[1]}, {count} numbers of each range\n")
    print("| function |", " | ".join(f"{k}, {n}" for k, n, _ in columns), "|")
    print("|---|" + "---|" * len(columns))
    for function in EXACT:
        cells = []
        for kind, _, code in columns:
            rng = random.Random(function)
            x = inputs(function, kind, count, rng)
            y = numpy.array([rng.uniform(-20, 20) for _ in x], x.dtype)
            cells.append(f"{worst(function, kind, code, x, y):.2f}")
        print(f"| `{function}` |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
