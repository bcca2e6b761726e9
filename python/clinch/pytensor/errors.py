"""Errors with PyTensor's notes on the apply and Clinch's on the block.

PyTensor names the apply of a failing thunk, its types, and where it was made.
A thunk of many applies must first find out which one failed. With
`exception_verbosity` above `low` PyTensor raises a new exception with a longer
message, which would lose Clinch's notes and a compile's diagnostics.
"""

import sys
import traceback

import pytensor.link.utils as utils
import pytensor.link.vm as vm

from clinch import CompileError
from clinch.errors import add_note, notes_of
from clinch.pytensor.patching import wrap
from clinch.pytensor.versions import find


def patches():
    """Returns the patches of `raise_with_op` wherever PyTensor may run our thunks."""
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
    """Copies the notes of `failed` to the exception that PyTensor raises instead."""
    told = notes_of(raised)
    for note in notes_of(failed):
        if note not in told:
            add_note(raised, note)


def raise_at(fgraph, node, thunk=None, storage_map=None):
    """Raises the current exception as PyTensor does for a failing apply."""
    _raise_with_op(utils.raise_with_op, fgraph, node, thunk, storage_map=storage_map)


def raise_for_apply(fgraph, error, order):
    """Raises `error`, from a thunk of the applies `order`, as PyTensor does."""
    node = _failing(error, order)
    if node is None:
        raise error
    # A native apply replaces PyTensor's, which still owns the same outputs.
    raise_at(fgraph, node.outputs[0].owner)


def _failing(error, order):
    """Returns the apply whose block, text or hook failed, or None."""
    told = getattr(error, "clinch_apply", 0)
    if not told and isinstance(error, CompileError) and error.diagnostics:
        told = error.diagnostics[0]["apply"]
    return order[told - 1] if told else _in_a_hook(error, order)


def _in_a_hook(error, order):
    """Returns the apply that a hook in the traceback was called with, or None."""
    known = {id(node): node for node in order}
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_globals.get("__name__", "").startswith("clinch."):
            continue
        for value in frame.f_locals.values():
            for item in value if isinstance(value, tuple) else (value,):
                if id(item) in known:
                    return known[id(item)]
    return None
