"""The entry points of what is installed, for one who asks for them again and again."""

from __future__ import annotations

import functools
import importlib.metadata
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any


class Metadata:
    """Is the module `importlib.metadata`, but for `entry_points`, which reads the files
    of all packages at each call: this one, where a package came, went or was replaced."""

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.metadata, name)

    @staticmethod
    def entry_points(**selected: Any) -> Any:
        return _selected(_state(), tuple(selected.items()))


def _changed(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_ino, found.st_size


@functools.lru_cache(maxsize=64)
def _packages(folder: str, changed: tuple[int, ...]) -> tuple[str, ...]:
    """Returns the paths of a folder's packages; a file is a package itself."""
    if not os.path.isdir(folder):
        return (folder,)
    return tuple(sorted(os.path.join(folder, name) for name in os.listdir(folder)
                        if name.endswith(("-info", ".egg", ".egg-link"))))


@functools.lru_cache(maxsize=1024)
def _file(package: str, changed: tuple[int, ...]) -> str:
    """Returns the path of a package's entry points, if it has any."""
    path = os.path.join(package, "entry_points.txt")
    return path if os.path.exists(path) else ""


def _state() -> tuple[Any, ...]:
    """Returns what changes with the packages: with each, and with its entry points, which
    may be written over in place."""
    found: list[Any] = []
    for folder in sys.path:
        folder = folder or "."
        for package in _packages(folder, _changed(folder)):
            changed = _changed(package)
            file = _file(package, changed)
            found += (package, changed, _changed(file) if file else ())
    return tuple(found)


@functools.lru_cache(maxsize=64)
def _selected(state: tuple[Any, ...], selected: tuple[Any, ...]) -> Any:
    return _all(state).select(**dict(selected))


@functools.lru_cache(maxsize=1)
def _all(state: tuple[Any, ...]) -> Any:
    return importlib.metadata.entry_points()
