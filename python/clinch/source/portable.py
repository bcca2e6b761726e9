"""What pickles of functions and of sources share: whether machine code that was made
elsewhere runs here, and the programs that were loaded last."""

from __future__ import annotations

import hashlib

import numpy

from .. import _clinch
from ..base import headers
from ..base.annotations import Any

#: How many unpickled functions stay loaded when unused, so that a worker that
#: gets the same function with each task loads it once.
KEPT = 64


class RecentlyUsed:
    """The most recently used things, by name. Threads share them without a lock,
    which a fork could leave held: each step is one operation of the dict, and a thread
    that comes between two finds nothing at worst."""

    def __init__(self) -> None:
        self._things: dict[Any, Any] = {}  # The one that was used last is the last.

    def get(self, name: object) -> Any:
        thing = self._things.pop(name, None)
        if thing is not None:
            self._things[name] = thing
        return thing

    def put(self, name: object, thing: Any) -> None:
        self._things.pop(name, None)
        self._things[name] = thing
        for oldest in list(self._things)[:-KEPT]:
            self._things.pop(oldest, None)


programs = RecentlyUsed()


def digest(data: Any) -> Any:
    """Returns a checksum. It detects damage but does not make an untrusted pickle
    safe."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def made_for_numpy() -> Any:
    """Returns the version of the NumPy headers that compiled text includes here."""
    return numpy.__version__ if headers.folders() else _clinch.built_for_numpy


def unfit(made: Any, here: Any, numpy_version: Any) -> Any:
    """Returns why code made by a (build, processor) does not run here, or None if
    it does."""
    if made[0] != here[0]:
        return (f"its code was made by another build of Clinch ({made[0]}; here "
                f"it is {here[0]})")
    if not headers.serve(numpy_version):
        return (f"its code was made for NumPy {numpy_version}, and "
                f"{numpy.__version__} does not run it")
    if made[1] != here[1]:
        return "its code was made for another processor"
    return None
