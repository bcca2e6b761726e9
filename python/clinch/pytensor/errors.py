"""Errors with PyTensor's word on the apply and Clinch's on the block.

PyTensor names the apply of a failing thunk, its types, and where it was made.
A thunk of many applies has to find out first which one failed. And with
`exception_verbosity` above `low` PyTensor raises a new exception with a longer
message, which would lose Clinch's notes, and the diagnostics of a compile.
"""

import sys
import traceback

import pytensor.link.utils as utils
import pytensor.link.vm as vm

from clinch import CompileError
from clinch.pytensor.patching import wrap
from clinch.pytensor.versions import find


def patches():
    """For PyTensor's function wherever PyTensor's own linkers may run our thunks."""
    executor = find("pytensor.compile.executor", "pytensor.compile.function.types")
    return [
        wrap(module, "raise_with_op", _raise_with_op, "keeps what Clinch says")
        for module in (executor, utils, vm)
    ]


def _raise_with_op(original, fgraph, node, thunk=None, exc_info=None, **more):
    failed = (exc_info or sys.exc_info())[1]
    try:
        original(fgraph, node, thunk, exc_info, **more)
    except BaseException as raised:
        if raised is failed:
            raise
        if not isinstance(failed, CompileError):
            keep_notes(failed, raised)
            raise
        failed.add_note(str(raised)[len(str(failed)) :])
    raise failed


def keep_notes(failed, raised):
    """Adds what was noted on `failed` to what PyTensor raises in its place."""
    told = getattr(raised, "__notes__", ())
    for note in getattr(failed, "__notes__", ()):
        if note not in told:
            raised.add_note(note)


def raise_at(fgraph, node, thunk=None, storage_map=None):
    """Raises what is handled now as PyTensor does for a failing apply."""
    _raise_with_op(utils.raise_with_op, fgraph, node, thunk, storage_map=storage_map)


def raise_for_apply(fgraph, error, order):
    """Raises `error`, which made a thunk of `order` fail, as PyTensor does."""
    node = _failing(error, order)
    if node is None:
        raise error
    # A native apply stands in for PyTensor's, which owns the same outputs.
    raise_at(fgraph, node.outputs[0].owner)


def _failing(error, order):
    """Which apply it was: a text's, one whose `init` ran, or a hook's."""
    told = getattr(error, "clinch_apply", 0)
    if not told and isinstance(error, CompileError) and error.diagnostics:
        told = error.diagnostics[0]["apply"]
    return order[told - 1] if told else _in_a_hook(error, order)


def _in_a_hook(error, order):
    """The apply that a frame of the author's was given."""
    known = {id(node): node for node in order}
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_globals.get("__name__", "").startswith("clinch."):
            continue
        for value in frame.f_locals.values():
            for item in value if isinstance(value, tuple) else (value,):
                if id(item) in known:
                    return known[id(item)]
    return None
