"""How calls of different functions scale with threads without a GIL.

    PYTHONPATH=build/python python3 benchmarks/scale/threads.py [seconds]

Prints for each kind of function: the calls per second of one thread, those of two
threads with a function each, and their ratio; then the processor time of one call,
alone and beside the other thread, which depends less on the load of the machine.
Medians of five.
"""

import copy
import os
import statistics
import sys
import threading
import time

import numpy

import clinch
from clinch import double, function, vector


def count_calls(functions, arguments, seconds):
    """Calls in a second, of threads that have one of the functions each, and the
    nanoseconds of a processor that one takes."""
    begin = threading.Barrier(len(functions) + 1)
    calls, times = [0] * len(functions), [0.0] * len(functions)
    over = threading.Event()

    def run(number):
        f, made, n = functions[number], arguments(), 0
        begin.wait()
        before = time.thread_time()
        while not over.is_set():
            for _ in range(100):
                f(*made)
            n += 100
        calls[number], times[number] = n, time.thread_time() - before
    threads = [threading.Thread(target=run, args=(n,))
               for n in range(len(functions))]
    for thread in threads:
        thread.start()
    begin.wait()
    before = time.perf_counter()
    time.sleep(seconds)
    over.set()
    for thread in threads:
        thread.join()
    return (sum(calls) / (time.perf_counter() - before),
            1e9 * sum(times) / sum(calls))


def cases():
    x, y = double("x"), double("y")
    yield ("numbers", [function([x, y], x * y + n) for n in (1.0, 2.0)],
           lambda: (1.5, 2.5))
    v, w = vector("v"), vector("w")
    for size in (10, 1000, 100000):
        yield (f"arrays of {size}",
               [function([v, w], v * n + w) for n in (1.0, 2.0)],
               lambda: (numpy.ones(size), numpy.ones(size)))
    yield ("tanh of 1000", [function([v], clinch.tanh(v) + n)
                            for n in (1.0, 2.0)], lambda: (numpy.ones(1000),))
    f = function([x, y], x - y)
    yield "copies of one", [f, copy.copy(f)], lambda: (1.5, 2.5)
    yield "one function, by both", [f, f], lambda: (1.5, 2.5)


def main(seconds):
    free = not getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"Python {sys.version.split()[0]}, {'no GIL' if free else 'a GIL'}, "
          f"load {os.getloadavg()[0]:.1f}")
    for name, functions, arguments in cases():
        rows = [(count_calls(functions[:1], arguments, seconds),
                 count_calls(functions, arguments, seconds))
                for _ in range(5)]
        one, two, alone, beside = (
            statistics.median(row[k][part] for row in rows)
            for part in (0, 1) for k in (0, 1))
        ratio = statistics.median(b[0] / a[0] for a, b in rows)
        print(f"{name:24} {one:12,.0f}/s {two:12,.0f}/s {ratio:6.2f}"
              f"{alone:12,.0f} ns {beside:12,.0f} ns", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 0.5)
