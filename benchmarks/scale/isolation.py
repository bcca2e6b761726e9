"""What a compile costs here, and in the engine's process: alternating, new texts."""

import argparse
import statistics
import time

import clinch

SMALL = """
#include <Python.h>
int block_UNIQUE(PyObject *x, PyObject *y, PyObject **z) {
  if (!PyFloat_Check(x) || !PyFloat_Check(y)) {
    PyErr_SetString(PyExc_TypeError, "two floats are needed");
    return 1;
  }
  *z = PyFloat_FromDouble(PyFloat_AS_DOUBLE(x) + PyFloat_AS_DOUBLE(y));
  return *z ? 0 : 2;
}
"""


def milliseconds(number, tier, **how):
    text = SMALL.replace("UNIQUE", str(number))
    begin = time.perf_counter()
    clinch.compile(text, tier=tier, python=True, **how)
    return (time.perf_counter() - begin) * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    clinch.config.cache = False
    ways = {"here": {}, "in a process": {"isolation": "process"},
            "limited": {"time_limit": 60, "memory_limit": 1 << 30}}
    number = 0
    for way, how in ways.items():
        print(f"first {way}: {milliseconds(number, 'fast', **how):.1f} ms")
        number += 1
    for tier in ("fast", "default", "max"):
        times = {way: [] for way in ways}
        for _ in range(rounds):
            for way, how in ways.items():
                times[way].append(milliseconds(number, tier, **how))
                number += 1
        print(tier, ", ".join(f"{way} {statistics.median(t):.2f}"
                              for way, t in times.items()), "ms")


if __name__ == "__main__":
    main()
