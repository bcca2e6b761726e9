"""OpenMP for loops over large arrays, with the runtime that the process has.

If there is none, and none is installed, loops run on one thread, with a warning.
"""

from __future__ import annotations

import functools
import operator
import warnings

from .. import _clinch
from ..base.annotations import Any, Threads
from ..graph.variables import rebuilt
from ..base.c_source import c_source


@functools.cache
def _warn() -> None:
    warnings.warn("Clinch finds no OpenMP: neither `libomp.so` nor `libgomp.so.1` is "
                  "installed. Loops over arrays run on one thread.",
                  stacklevel=2)


class _Hooks:
    """What a loop on several threads needs besides its text."""

    def __init__(self, threads: Threads) -> None:
        self.threads = threads
        self.declaration = c_source("omp.h") if threads else ""

    def fields(self, may_fail: bool) -> tuple[str, int]:
        """Returns the threads of a `clinch_loop`. Code that may set an
        exception runs on the calling thread, which holds the GIL."""
        if not self.threads or may_fail:
            return "NULL", 1
        return "GOMP_parallel", 0 if self.threads == "auto" else self.threads


def checked(threads: Any) -> Threads:
    """Checks a number of threads and returns it; None for one."""
    if threads is None:
        return None
    if isinstance(threads, str) and threads == "auto":
        return "auto"
    if isinstance(threads, str) or operator.index(threads) < 1:
        raise ValueError(f'threads is 1 or more, or "auto", not {threads!r}')
    count = operator.index(threads)
    return None if count == 1 else count


def on_threads(inputs: Any, outputs: Any, threads: Any) -> list[Any]:
    """Returns the outputs of the same graph with its loops on `threads` threads,
    except loops that set their own number."""
    threads = checked(threads)
    new: dict[Any, Any] = {}
    for node in _clinch.order(inputs, outputs):
        op, given = node.op, [new.get(v, v) for v in node.inputs]
        more = getattr(op, "on_threads", None)
        if more is not None and op.threads is None:
            op = more(threads)
        new.update(zip(node.outputs, rebuilt(node, given, op).outputs))
    return [new.get(v, v) for v in outputs]


def threads_hooks(op: Any) -> _Hooks:
    """Returns the hooks for an Op's `threads`."""
    wanted = op.threads
    if wanted and not _clinch.openmp():
        _warn()
        wanted = None
    return _Hooks(wanted)
