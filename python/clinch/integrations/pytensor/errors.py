"""Errors with PyTensor's notes on the apply and Clinch's on the block.

PyTensor names the apply of a failing thunk, its types, and where it was made.
A thunk of many applies must first find out which one failed. With
`exception_verbosity` above `low` PyTensor raises a new exception with a longer
message, which would lose Clinch's notes and a compile's diagnostics.
"""

import traceback
from contextlib import contextmanager

from pytensor.link.utils import raise_with_op

from clinch import CompileError
from clinch.errors import add_note, notes_of


@contextmanager
def keeping_notes():
    """A context in which PyTensor may add its own notes to an exception, or raise
    another one in its place, which then has Clinch's notes too."""
    try:
        yield
    except Exception as raised:
        failed = raised.__context__
        # PyTensor marks an exception with the apply before it raises another.
        if not hasattr(failed, "__op_instance__"):
            raise
        if isinstance(failed, CompileError):
            failed.add_note(str(raised)[len(str(failed)) :])
            raise failed from None
        told = notes_of(raised)
        for note in notes_of(failed):
            if note not in told:
                add_note(raised, note)
        raise


def raise_at(fgraph, node, thunk=None, storage_map=None):
    """Raises the current exception as PyTensor does for a failing apply."""
    with keeping_notes():
        raise_with_op(fgraph, node, thunk, storage_map=storage_map)


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
