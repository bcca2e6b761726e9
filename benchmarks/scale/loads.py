"""What one function costs in each of many processes that have not compiled it."""

import os
import pickle
import resource
import statistics
import struct
import subprocess
import sysconfig
import tempfile
import time

import cloudpickle
import numpy

import clinch


def _spent():
    """Seconds of processor of this process, and of those that it has started."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def in_children(count, work, before=lambda: None):
    """The median of what `work()` costs in each of `count` children, in seconds of
    processor, and of what it takes there; each does `before()` first."""
    figures = []
    for _ in range(count):
        here, there = os.pipe()
        child = os.fork()
        if child == 0:
            before()
            begun, spent = time.perf_counter(), _spent()
            work()
            os.write(there, struct.pack("dd", _spent() - spent,
                                        time.perf_counter() - begun))
            os._exit(0)
        os.close(there)
        with open(here, "rb") as end:
            figures.append(struct.unpack("dd", end.read()))
        os.waitpid(child, 0)
    return [statistics.median(column) for column in zip(*figures)]


def made_apart(make):
    """What `make()` returns in a child: here nothing is compiled, and the library
    with the compiler is not loaded."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(here)
        with open(there, "wb") as end:
            pickle.dump(make(), end)
        os._exit(0)
    os.close(there)
    with open(here, "rb") as end:
        made = pickle.load(end)
    os.waitpid(child, 0)
    return made


def the_graph():
    u, v = clinch.vector("u"), clinch.vector("v")
    return [u, v], numpy.tanh(u * v + numpy.exp(-u)).sum()


def _make():
    """The pickles of the function and of another, and the text of the first."""
    f = clinch.function(*the_graph())
    x = clinch.vector("x")
    other = clinch.function([x], x * 2.0)
    return pickle.dumps(f), pickle.dumps(other), f.emit("c")


def _numba_pickle():
    import numba

    @numba.njit
    def f(u, v):
        return numpy.tanh(u * v + numpy.exp(-u)).sum()
    f(numpy.ones(2), numpy.ones(2))
    return cloudpickle.dumps(f)


def measure(table, count):
    ours, other, text = made_apart(_make)
    values = numpy.ones(3), numpy.ones(3)

    def load(data=ours):
        pickle.loads(data)(*values)

    def load_other():
        assert pickle.loads(other)([2.0]) == [4.0]

    def compile_here():
        clinch.config.cache = False
        clinch.function(*the_graph())(*values)

    def compile_by_gcc():
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "thunk.c")
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            subprocess.run(
                ["gcc", "-O2", "-shared", "-fPIC", "-w", source, "-o", source + ".so",
                 f"-I{sysconfig.get_path('include')}", f"-I{numpy.get_include()}",
                 f"-I{os.path.join(os.path.dirname(clinch.__file__), 'include')}"],
                check=True)

    few = max(3, count // 10)
    again, _ = in_children(count, load, load_other)
    first, elapsed = in_children(count, load)
    anew, _ = in_children(few, compile_here)
    gcc, _ = in_children(few, compile_by_gcc)
    for name, cost in (("a load, in a process that has loaded another", again),
                       ("a load, the first of its process", first)):
        table.add(f"{name}: processor time", cost * 1e3, gcc * 1e3, "gcc -O2", 50)
        table.add("  the same", cost * 1e3, anew * 1e3, "Clinch compiling", 50)
    theirs = made_apart(_numba_pickle)
    _, numba_load = in_children(few, lambda: load(theirs))
    _, loaded = in_children(count, lambda: pickle.loads(ours), load_other)
    table.add("size of its pickle", len(ours) / 1e3, len(theirs) / 1e3,
              "Numba, cloudpickle", None, "kB", at_most=20)
    table.add("loading it, after another", loaded * 1e3, None, None, None,
              at_most=1)
    table.add("loading it and a first call", elapsed * 1e3, numba_load * 1e3,
              "Numba, cloudpickle", 1)
