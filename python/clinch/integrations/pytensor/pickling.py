"""Pickles functions with their machine code.

The pickle has the rewritten graph and the cache entries of all code that was
compiled for it. Unpickling puts them into the cache, so that linking the graph finds
them: nothing is compiled, and the engine is not loaded. On another processor, or with
another build of Clinch, the keys differ and the graph is compiled again.
"""

import threading
import zlib
from contextlib import contextmanager

import pytensor.graph.fg

import clinch
from clinch import _clinch
from clinch.build.linkers import wait
from clinch.integrations.pytensor.versions import altered

_of_thread = threading.local()

#: The class of a fused Op's graph since PyTensor 3.
_Frozen = getattr(pytensor.graph.fg, "FrozenFunctionGraph", ())


def as_it_arrives(node):
    """Returns the apply with the C text that it has after unpickling.

    PyTensor 3.0 lists an apply of a frozen graph as often as the original graph had
    equal ones, but once after unpickling; the text contains what is listed.
    """
    scalar = getattr(node.op, "scalar_op", None)
    graph = getattr(scalar, "fgraph", None)
    if not isinstance(graph, _Frozen):
        return node
    if len(graph.toposort()) == len(graph.apply_nodes):
        return node
    make, of_what = graph.__reduce__()
    own = altered(scalar, fgraph=make(*of_what))
    return altered(node, op=altered(node.op, scalar_op=own))


@contextmanager
def collected():
    """Yields a list that collects the thunks made in the context."""
    outer = getattr(_of_thread, "thunks", None)
    _of_thread.thunks = mine = []
    try:
        yield mine
    finally:
        _of_thread.thunks = outer
        if outer is not None:
            outer += mine


def note(thunk):
    """Records a new thunk."""
    thunks = getattr(_of_thread, "thunks", None)
    if thunks is not None:
        thunks.append(thunk)


def packed(thunks):
    """Returns the compressed cache entries of thunks: {key: bytes}."""
    try:
        wait(thunks)
    except Exception:  # The code that runs now is pickled.
        pass
    folder = clinch.cache_info()["dir"]
    keys = {thunk.program.cache_keys[-1] for thunk in thunks} if folder else ()
    entries = {key: _clinch.read_entry(folder, key) for key in keys}
    return {key: zlib.compress(data) for key, data in entries.items() if data}


def unpack(entries):
    """Puts the entries from `packed` into the cache, unless they are there."""
    folder = clinch.cache_info()["dir"]
    for key, data in entries.items() if folder else ():
        entry = zlib.decompress(data)
        if _clinch.is_entry(key, entry) and not _clinch.read_entry(folder, key):
            _clinch.add_entry(folder, key, entry)
