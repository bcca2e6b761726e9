"""What the rows of bench_runtime.py are measured with."""

import ctypes
import importlib.util
import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time

import clinch
import numpy

HERE = os.path.dirname(os.path.abspath(__file__))


def g_plus_plus(source, output, *flags):
    """Builds a shared library, as one would by hand."""
    includes = [f"-I{sysconfig.get_path('include')}", f"-I{numpy.get_include()}",
                f"-I{os.path.join(os.path.dirname(clinch.__file__), 'include')}"]
    subprocess.run(["g++", "-O3", "-shared", "-fPIC", *flags, *includes,
                    source, "-o", output], check=True)


def build_rival(folder):
    """Builds the module of rival.cpp; returns its path."""
    path = os.path.join(folder, "clinch_rival.so")
    g_plus_plus(os.path.join(HERE, "rival.cpp"), path)
    return path


def load(path):
    """The module of rival.cpp, built before."""
    spec = importlib.util.spec_from_file_location("clinch_rival", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class BuiltByHand:
    """The C text of a function, built by g++, with a state of its own."""

    def __init__(self, function, cells):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "thunk.c")
            with open(source, "w") as file:
                file.write(function.emit("c"))
            library = os.path.join(folder, "thunk.so")
            # As C text the pointers of void need no casts: -x c.
            g_plus_plus(source, library, "-x", "c", "-DNDEBUG")
            self.library = ctypes.PyDLL(library)
        size = ctypes.c_size_t.in_dll(self.library, "clinch_state_size").value
        self.state = ctypes.create_string_buffer(max(size, 8))
        self.cells = (ctypes.py_object * len(cells))(*cells)
        if self.library.clinch_init(self.state, self.cells) != 0:
            raise RuntimeError("clinch_init failed")
        self.run = ctypes.cast(self.library.clinch_run, ctypes.c_void_p).value

    @property
    def state_address(self):
        return ctypes.addressof(self.state)


def medians(*works, rounds=21):
    """For each callable the median of the CPU seconds it took, in turns."""
    times = [[] for _ in works]
    for _ in range(rounds):
        for taken, work in zip(times, works):
            start = time.process_time()
            work()
            taken.append(time.process_time() - start)
    return [statistics.median(taken) for taken in times]


def loop_of_calls(function, values):
    """A callable that calls `function` 10,000 times; each has a loop of its
    own, as the interpreter fits each call to what it finds there."""
    arguments = ", ".join(map(repr, values))
    calls = "; ".join([f"g({arguments})"] * 10)
    scope = {"g": function}
    exec(f"def loop(g=g):\n for _ in range(1000): {calls}", scope)
    return scope["loop"]


def median_ms(work, rounds):
    """The median of what `work(number)` takes, in milliseconds."""
    times = []
    for number in range(rounds):
        start = time.perf_counter()
        work(number)
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def child_numbers(code, *arguments, **environment):
    """The numbers that a new Python process prints."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path),
                       **environment)
    done = subprocess.run([sys.executable, "-c", code, *arguments], check=True,
                          env=environment, capture_output=True)
    return [float(number) for number in done.stdout.split()]


def child_ms(code, rounds, **environment):
    """The median of the number that a new Python process prints."""
    return statistics.median(child_numbers(code, **environment)[0]
                             for _ in range(rounds))


def resident_kb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1024
