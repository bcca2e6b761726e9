"""Patches PyTensor while Clinch is in use, and restores it afterwards.

PyTensor has no plug-in interface for compilers, so some of its functions are
replaced by ours, which check whether Clinch compiles for the calling thread, and
call the original if it does not. There are two groups:

- `names`, from the import of `clinch.pytensor` until `unuse()`, lets PyTensor
  accept our mode and our linkers wherever it accepts its own;
- `compiler`, while one of our linkers works in some thread, and as long as
  Clinch is PyTensor's C compiler (`use()`, or `cxx` is "clinch").

`patches()` lists them, what each is for, and whether it is in place.
"""

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass

_ABSENT = object()


@dataclass(frozen=True)
class Patch:
    """`put` puts it in place, and returns a function that restores the original."""

    place: str
    why: str
    put: Callable[[], Callable[[], None]]


class Group:
    """Patches that are in place while anyone holds the group: the first holder puts
    them in place, and the last one restores the originals."""

    def __init__(self):
        self.patches = []
        self._put_back = []
        self._holders = 0
        self._lock = threading.Lock()

    def add(self, *patches):
        """Adds patches; if the group is in place, they are put in place at once."""
        with self._lock:
            self.patches += patches
            if self._holders:
                self._put_back += [patch.put() for patch in patches]

    @property
    def in_place(self):
        return self._holders > 0

    def acquire(self):
        with self._lock:
            if not self._holders:
                self._put_back = [patch.put() for patch in self.patches]
            self._holders += 1

    def release(self):
        with self._lock:
            self._holders -= 1
            if not self._holders:
                for put_back in reversed(self._put_back):
                    put_back()
                self._put_back = []


names = Group()
compiler = Group()


def patches():
    """Returns `[(what, why, whether it is in place), ...]` for all patches."""
    return [
        (patch.place, patch.why, group.in_place)
        for group in (names, compiler)
        for patch in group.patches
    ]


def replace(owner, name, make, why, place=None):
    """Returns a patch that sets `owner.name` to `make(original)`; the original may be
    inherited, or None if there is none."""

    def put():
        before = vars(owner).get(name, _ABSENT)
        ours = make(getattr(owner, name, None) if before is _ABSENT else before)
        setattr(owner, name, ours)

        def put_back():
            # If somebody has wrapped ours since, the wrapper stays: it calls ours,
            # which calls the original.
            if vars(owner).get(name) is not ours:
                return
            if before is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, before)

        return put_back

    return Patch(f"{place or _name(owner)}.{name}", why, put)


def wrap(owner, name, ours, why):
    """Returns a patch: `ours` gets the original as its first argument."""

    def make(original):
        static = isinstance(original, staticmethod)
        function = original.__func__ if static else original

        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            return ours(function, *args, **kwargs)

        return staticmethod(wrapped) if static else wrapped

    return replace(owner, name, make, why)


def _name(owner):
    if isinstance(owner, type):
        return f"{owner.__module__}.{owner.__qualname__}"
    return owner.__name__
