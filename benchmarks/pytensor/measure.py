"""Linking a graph from nothing, and timing it."""

import contextlib
import gc
import shutil
import statistics
import time

import pytensor.link.c.cmodule as cmodule
from pytensor.compile.io import In
from pytensor.compile.mode import Mode
from pytensor.configdefaults import config
from pytensor.graph.basic import clone

import clinch


def rewritten(inputs, outputs, linker, optimizer="fast_run"):
    """A maker that has rewritten a copy of the graph and linked nothing."""
    mode = Mode(linker, optimizer)
    single = not isinstance(outputs, list)
    # Rewriting changes the applies that it is given.
    inputs, outputs = clone(inputs, [outputs] if single else outputs)
    return mode.function_maker(
        [In(x) for x in inputs],
        outputs[0] if single else outputs,
        mode,
        on_unused_input="ignore",
    )


def link(inputs, outputs, linker, optimizer="fast_run", values=None):
    """(milliseconds, function) from a rewritten graph, and its first call."""
    maker = rewritten(inputs, outputs, linker, optimizer)
    gc.collect()
    begin = time.perf_counter()
    function = maker.create()
    if values is not None:
        function(*values)
    return (time.perf_counter() - begin) * 1e3, function


def forget(linker):
    """Empties the caches of what links next."""
    gc.collect()
    if linker.startswith("clinch"):
        clinch.cache_clear()
    elif linker in ("c", "cvm"):
        cmodule._module_cache = None
        for entry in config.compiledir.iterdir():
            if entry.name.startswith("tmp"):
                shutil.rmtree(entry, ignore_errors=True)


def cold(inputs, outputs, linker, repeat, **how):
    """The median of `repeat` links from nothing."""
    times = []
    for _ in range(repeat):
        forget(linker)
        elapsed, function = link(inputs, outputs, linker, **how)
        del function
        times.append(elapsed)
    return statistics.median(times)


def one_after_another(graphs, linker, count):
    """Milliseconds of the first of `count` graphs, and the others' median."""
    forget(linker)
    times = []
    for inputs, outputs, values in graphs[:count]:
        elapsed, function = link(inputs, outputs, linker, values=values)
        times.append(elapsed)
        del function
    return times[0], statistics.median(times[1:])


def call_times(functions, values, budget=0.4):
    """name -> seconds of one call: the median of rounds that fill the budget.

    The functions take turns, so that what else the machine does meets them all.
    """
    calls = {}
    for name, function in functions.items():
        function(*values)
        begin = time.perf_counter()
        function(*values)
        once = max(time.perf_counter() - begin, 1e-7)
        calls[name] = max(1, int(budget / 15 / once))
    times = {name: [] for name in functions}
    for _ in range(15):
        for name, function in functions.items():
            begin = time.perf_counter()
            for _ in range(calls[name]):
                function(*values)
            times[name].append((time.perf_counter() - begin) / calls[name])
    return {name: statistics.median(rounds) for name, rounds in times.items()}


@contextlib.contextmanager
def without_debug_information():
    """g++ as PyTensor calls it, less its -g, which the last word takes back."""
    original = cmodule.GCC_compiler.compile_args

    def compile_args(*args, **kwargs):
        return [*original(*args, **kwargs), "-g0"]

    cmodule.GCC_compiler.compile_args = staticmethod(compile_args)
    try:
        yield
    finally:
        cmodule.GCC_compiler.compile_args = original
