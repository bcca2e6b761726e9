"""What Clinch changes in PyTensor, PyMC and nutpie, in one list, and undoes.

PyTensor has doors for linkers, modes and rewrites. Where it has none, one of its
functions is replaced by ours, which calls it unless one of our linkers works in the
calling thread. `docs/internals/upstream.md` says what PyTensor would have to offer
for each of these to go.
"""

import functools
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass

_ABSENT = object()


@dataclass(frozen=True)
class Change:
    """It is in place within the context that `put` returns."""

    place: str
    why: str
    put: Callable[[], AbstractContextManager]


class _Changes:
    """Changes that are in place while anyone holds them: the first holder puts them
    in place, and the last one undoes them."""

    def __init__(self):
        self.all = []
        self._in_place = ExitStack()
        self._holders = 0
        self._lock = threading.Lock()

    def add(self, *changes):
        """Adds changes; if others are in place, they are put in place at once."""
        with self._lock:
            if self._holders:
                self._put(changes)
            self.all += changes

    def _put(self, changes):
        """Puts all of them in place, or none if one raises."""
        done = ExitStack()
        try:
            for change in changes:
                done.enter_context(change.put())
        except BaseException:
            done.close()
            raise
        self._in_place.push(done)

    @property
    def in_place(self):
        return self._holders > 0

    def acquire(self):
        with self._lock:
            if not self._holders:
                self._put(self.all)
            self._holders += 1

    def release(self):
        with self._lock:
            self._holders -= 1
            if not self._holders:
                self._in_place.close()


changes = _Changes()


def patches() -> list[tuple[str, str, bool]]:
    """Returns `[(what, why, whether it is in place), ...]` for all changes."""
    return [(change.place, change.why, changes.in_place) for change in changes.all]


def replace(owner, name, make, why):
    """Returns the change that sets `owner.name` to `make(original)`; the original may
    be inherited, or None if there is none."""

    @contextmanager
    def put():
        before = vars(owner).get(name, _ABSENT)
        ours = make(getattr(owner, name, None) if before is _ABSENT else before)
        setattr(owner, name, ours)
        yield
        # If somebody has wrapped ours since, the wrapper stays: it calls ours, which
        # calls the original.
        if vars(owner).get(name) is not ours:
            return
        if before is _ABSENT:
            delattr(owner, name)
        else:
            setattr(owner, name, before)

    return Change(f"{_name(owner)}.{name}", why, put)


def wrap(owner, name, ours, why):
    """Returns a change: `ours` gets the original as its first argument."""

    def make(original):
        @functools.wraps(original)
        def wrapped(*args, **kwargs):
            return ours(original, *args, **kwargs)

        return wrapped

    return replace(owner, name, make, why)


def register(known, names, why, place):
    """Returns the change that adds `names` to `known`, a dict of PyTensor's."""

    @contextmanager
    def put():
        known.update(names)
        yield
        for name in names:
            known.pop(name, None)

    return Change(place, why, put)


def register_rewrite(db, name, rewrite, tag, position):
    """Returns the change that adds a rewrite to a PyTensor database of them, for
    linkers that require `tag`."""

    @contextmanager
    def put():
        db.register(name, rewrite, tag, position=position)
        yield
        db._names.discard(name)
        del db.__position__[name], db.__db__[name]
        for rewrites in db.__db__.values():
            rewrites.discard(rewrite)

    return Change(f"pytensor.compile.mode.optdb: {name}", "a rewrite for our linkers", put)


def _name(owner):
    if isinstance(owner, type):
        return f"{owner.__module__}.{owner.__qualname__}"
    return owner.__name__
