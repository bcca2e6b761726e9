"""What is changed in PyTensor while Clinch is in use, and put back afterwards.

PyTensor has no place where a compiler plugs in, so some of its functions are
replaced by ours, which ask whether Clinch compiles for the thread that calls
them, and hand on to the original where it does not. There are two groups:

- `names`, from the import of `clinch.pytensor` until `unuse()`: what lets
  PyTensor take our mode and our linkers wherever it takes its own;
- `compiler`, while one of our linkers works in some thread, and as long as
  Clinch is PyTensor's C compiler (`use()`, or `cxx` is "clinch").

`patches()` says which there are, what each is for, and which are in place.
"""

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass

_ABSENT = object()


@dataclass(frozen=True)
class Patch:
    """`put` puts it in place, and returns what puts back what was there."""

    place: str
    why: str
    put: Callable[[], Callable[[], None]]


class Group:
    """Patches that come and go together: whoever holds the group first puts them
    in place, and the last to let go of it puts back what was there."""

    def __init__(self):
        self.patches = []
        self._put_back = []
        self._holders = 0
        self._lock = threading.Lock()

    def add(self, *patches):
        """More of them; where the group is in place, they are from now on."""
        with self._lock:
            self.patches += patches
            if self._holders:
                self._put_back += [patch.put() for patch in patches]

    @property
    def in_place(self):
        return self._holders > 0

    def hold(self):
        with self._lock:
            if not self._holders:
                self._put_back = [patch.put() for patch in self.patches]
            self._holders += 1

    def let_go(self):
        with self._lock:
            self._holders -= 1
            if not self._holders:
                for put_back in reversed(self._put_back):
                    put_back()
                self._put_back = []


names = Group()
compiler = Group()


def patches():
    """`[(what, why, whether it is in place), ...]`: all that Clinch may change."""
    return [
        (patch.place, patch.why, group.in_place)
        for group in (names, compiler)
        for patch in group.patches
    ]


def replace(owner, name, make, why, place=None):
    """A patch: `owner.name` becomes `make(what it was)`, inherited or None if absent."""

    def put():
        before = vars(owner).get(name, _ABSENT)
        ours = make(getattr(owner, name, None) if before is _ABSENT else before)
        setattr(owner, name, ours)

        def put_back():
            # Where somebody has wrapped ours meanwhile, that wrapper stays: it calls
            # ours, which hands on.
            if vars(owner).get(name) is not ours:
                return
            if before is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, before)

        return put_back

    return Patch(f"{place or _name(owner)}.{name}", why, put)


def wrap(owner, name, ours, why):
    """A patch: `ours` gets the original first and decides by itself."""

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
