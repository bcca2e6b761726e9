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

import clinch
from clinch import _clinch
from clinch.linkers import settle

_of_thread = threading.local()


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
