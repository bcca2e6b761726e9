"""The machine code of functions that are pickled.

What is pickled of a function is its rewritten graph, and beside it the cache
entries of all that was compiled for it. Where it arrives they are put into the
cache, so that linking the graph finds them: nothing is compiled there, and the
engine is not loaded. On another processor, or for another build of Clinch, the
keys are others: the graph is compiled anew.
"""

import threading
import zlib
from contextlib import contextmanager
from copy import copy

import pytensor.graph.fg

import clinch
from clinch import _clinch
from clinch.linkers import settle

_of_thread = threading.local()

#: What a fused Op has for a graph since PyTensor 3.
_Frozen = getattr(pytensor.graph.fg, "FrozenFunctionGraph", ())


def as_it_arrives(node):
    """The apply with the text that it has where it was sent.

    PyTensor 3.0 lists an apply of a frozen graph as often as the graph that it was
    made of had equal ones, and once when it is unpickled; text has what is listed.
    """
    scalar = getattr(node.op, "scalar_op", None)
    graph = getattr(scalar, "fgraph", None)
    if not isinstance(graph, _Frozen):
        return node
    if len(graph.toposort()) == len(graph.apply_nodes):
        return node
    own = copy(node)
    own.op, own.op.scalar_op = copy(node.op), copy(scalar)
    make, of_what = graph.__reduce__()
    own.op.scalar_op.fgraph = make(*of_what)
    return own


@contextmanager
def collected():
    """Gives the list that the thunks which are made meanwhile come into."""
    outer = getattr(_of_thread, "thunks", None)
    _of_thread.thunks = mine = []
    try:
        yield mine
    finally:
        _of_thread.thunks = outer
        if outer is not None:
            outer += mine


def note(thunk):
    """A thunk of Clinch's was made."""
    thunks = getattr(_of_thread, "thunks", None)
    if thunks is not None:
        thunks.append(thunk)


def packed(thunks):
    """The cache entries of thunks, compressed: {key: bytes}."""
    try:
        settle(thunks)
    except Exception:  # It travels with the code that it runs with here.
        pass
    folder = clinch.cache_info()["dir"]
    keys = {thunk.program.cache_keys[-1] for thunk in thunks} if folder else ()
    entries = {key: _clinch.read_entry(folder, key) for key in keys}
    return {key: zlib.compress(data) for key, data in entries.items() if data}


def unpack(entries):
    """Puts what `packed` gave into the cache, as far as it is not there."""
    folder = clinch.cache_info()["dir"]
    for key, data in entries.items() if folder else ():
        entry = zlib.decompress(data)
        if _clinch.is_entry(key, entry) and not _clinch.read_entry(folder, key):
            _clinch.add_entry(folder, key, entry)
