"""Finds what each run of a thunk leaves behind."""

from __future__ import annotations

import gc
import sys

from . import _clinch
from .annotations import Any

_FEW, _MANY = 4, 128
#: Forgets names of attributes, which Python keeps.
_forget_names = getattr(sys, "_clear_internal_caches", None) or \
    sys._clear_type_cache


def growth(run: Any, watched: Any) -> Any:
    """Returns by how much each call of `run` raises the reference counts of the
    objects `watched`, as a list, and the number of memory blocks that Python has
    allocated.

    Others change these by a few, not by one with each run. What a cache keeps
    stops growing; so if something grows it is looked at again after many runs.
    """
    ballast = [[thing] * 4 * _FEW for thing in watched]  # Runs may lose some.
    run()
    references, blocks = _window(run, watched, _FEW)
    if max(references, default=0) > 0 or blocks > 0:
        for _ in range(_MANY):
            run()
        references, blocks = _window(run, watched, 2 * _FEW)
    del ballast
    return references, max(blocks, 0)


def _window(run: Any, watched: Any, runs: int) -> Any:
    before = [sys.getrefcount(thing) for thing in watched]
    # Before and after, Python's own caches are empty. Frozen objects take no time
    # to collect.
    freeze = gc.get_freeze_count() == 0
    if freeze:
        gc.freeze()
    try:
        _settle()
        allocated = sys.getallocatedblocks()
        for _ in range(runs):
            run()
        _settle()
        grown = sys.getallocatedblocks() - allocated
    finally:
        if freeze:
            gc.unfreeze()
    return ([round((sys.getrefcount(thing) - count) / runs)
             for thing, count in zip(watched, before)], round(grown / runs))


def _settle() -> None:
    _forget_names()
    gc.collect()


def _held(cell: Any) -> Any:
    value = cell[0]
    return sys.getrefcount(value)


_ALONE = _held([object()])


def others(cell: Any) -> Any:
    """Returns how many references there are to a cell's value beside its own."""
    return _held(cell) - _ALONE


def type_leaks(variable: Any, value: Any, options: Any) -> Any:
    """Whether a function that only gives the variable back, through its Type's
    hooks, leaves something behind."""
    program = _clinch.Program([variable], [variable], **options)
    thunk = program.instantiate()
    cells = dict(zip(program.cells, thunk.cells))

    def run() -> None:
        cells[variable][0] = value
        thunk()
        for cell in cells.values():
            cell[0] = None

    references, blocks = growth(run, [value])
    return bool(references[0] or blocks)
