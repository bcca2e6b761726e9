"""Finds what each run of a thunk leaves behind."""

from __future__ import annotations

import gc
import sys

from .. import _clinch
from ..base.annotations import Any
from ..graph.variables import Apply
from ..ops.op import Op

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


class Empty(Op):
    """Has no code of its own, so that only the hooks of its Type run."""

    __props__ = ()

    def make_node(self, x: Any) -> Any:
        return Apply(self, [x], [x.type()])

    def c_code(self, node: Any, name: str, inputs: Any, outputs: Any, sub: Any) -> str:
        return ""


def leaking_hook(variable: Any, value: Any, options: Any) -> str | None:
    """Returns which hook of the variable's Type leaves something behind where no code
    of an Op runs, or None."""
    if _leaks(variable, variable, value, options):
        return "c_extract"
    return "c_sync" if _leaks(variable, Empty()(variable), value, options) else None


def _leaks(variable: Any, output: Any, value: Any, options: Any) -> bool:
    """Whether a function leaves something behind if its output's cell holds what the
    run before gave."""
    program = _clinch.Program([variable], [output], **options)
    thunk = program.instantiate()
    cells = dict(zip(program.cells, thunk.cells))

    def run() -> None:
        cells[variable][0] = value
        thunk()
        cells[variable][0] = None

    cells[output][0] = value
    try:
        references, blocks = growth(run, [value])
    except Exception:  # The hooks refuse a value without code of an Op.
        return False
    return bool(references[0] or blocks)
