"""How calls of different functions scale with threads without a GIL.

    PYTHONPATH=build/python python3 benchmarks/scale/threads.py [seconds]

Prints for each kind of function: the calls per second of one thread, those of two
threads with a function each, and their ratio; then the processor time of one call,
alone and beside the other thread, which depends less on the load of the machine.
Medians of five. Functions of Python's and NumPy's own are there to compare.
"""

import copy
import json
import math
import os
import statistics
import subprocess
import sys
import threading
import time
import types

import numpy

import clinch
from clinch import double, function, vector


def call(f, arguments, over, begin):
    """Calls until something is in `over`; how many, and the seconds of a processor."""
    n = 0
    begin.wait()
    before = time.thread_time()
    while not over:
        for _ in range(100):
            f(*arguments)
        n += 100
    return n, time.thread_time() - before


def count_calls(functions, arguments, seconds):
    """Calls in a second, of threads that have one of the functions each, and the
    nanoseconds of a processor that one takes. The threads share nothing else: threads
    that run the same code object of Python's slow one another down by themselves."""
    begin = threading.Barrier(len(functions) + 1)
    over = [[] for _ in functions]
    results = [None] * len(functions)

    def run(number):
        own = types.FunctionType(call.__code__.replace(), {"time": time})
        results[number] = own(functions[number], arguments(), over[number], begin)
    threads = [threading.Thread(target=run, args=(n,))
               for n in range(len(functions))]
    for thread in threads:
        thread.start()
    begin.wait()
    before = time.perf_counter()
    time.sleep(seconds)
    for flag in over:
        flag.append(True)
    for thread in threads:
        thread.join()
    took = time.perf_counter() - before
    calls = sum(n for n, _ in results)
    return calls / took, 1e9 * sum(spent for _, spent in results) / calls


def numbers():
    """Objects that no other thread has: one that is shared has a shared count."""
    return float("1.5"), float("2.5")


def arrays(size):
    return lambda: (numpy.ones(size), numpy.ones(size))


def of_numbers():
    x, y = double("x"), double("y")
    return [function([x, y], x * y + n) for n in (1.0, 2.0)], numbers


def of_arrays(size):
    v, w = vector("v"), vector("w")
    return [function([v, w], v * n + w) for n in (1.0, 2.0)], arrays(size)


def of_tanh():
    v = vector("v")
    return ([function([v], clinch.tanh(v) + n) for n in (1.0, 2.0)],
            lambda: (numpy.ones(1000),))


def difference():
    x, y = double("x"), double("y")
    return function([x, y], x - y)


#: By name: two functions, and what gives a thread its arguments.
CASES = {
    "numbers": of_numbers,
    "arrays of 10": lambda: of_arrays(10),
    "arrays of 1000": lambda: of_arrays(1000),
    "arrays of 100000": lambda: of_arrays(100000),
    "tanh of 1000": of_tanh,
    "copies of one": lambda: ([f := difference(), copy.copy(f)], numbers),
    "one function, by both": lambda: ([difference()] * 2, numbers),
    "math.hypot": lambda: ([math.hypot] * 2, numbers),
    "numpy.add of 1000": lambda: ([numpy.add] * 2, arrays(1000)),
}


def measure(name, threads, seconds):
    """count_calls() in a process of its own: what an ended thread allocated is taken
    over by later ones, which then share lines of the cache."""
    told = subprocess.run(
        [sys.executable, __file__, str(seconds), name, str(threads)],
        check=True, capture_output=True, text=True)
    return json.loads(told.stdout)


def main(seconds):
    free = not getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"Python {sys.version.split()[0]}, {'no GIL' if free else 'a GIL'}, "
          f"load {os.getloadavg()[0]:.1f}")
    for name in CASES:
        rows = [[measure(name, threads, seconds) for threads in (1, 2)]
                for _ in range(5)]
        one, two, alone, beside = (
            statistics.median(row[k][part] for row in rows)
            for part in (0, 1) for k in (0, 1))
        ratio = statistics.median(b[0] / a[0] for a, b in rows)
        print(f"{name:24} {one:12,.0f}/s {two:12,.0f}/s {ratio:6.2f}"
              f"{alone:12,.0f} ns {beside:12,.0f} ns", flush=True)


if __name__ == "__main__":
    SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 0.5
    if len(sys.argv) > 2:
        made, given = CASES[sys.argv[2]]()
        print(json.dumps(count_calls(made[:int(sys.argv[3])], given, SECONDS)))
    else:
        main(SECONDS)
