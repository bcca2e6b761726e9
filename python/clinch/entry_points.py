"""The entry points of what is installed, for one who asks for them again and again."""

from __future__ import annotations

import functools
import importlib.metadata
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .annotations import Any


class Metadata:
    """Is the module `importlib.metadata`, but for `entry_points`, which reads the files
    of all packages at each call: this one, where a package came, went or was replaced."""

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.metadata, name)

    @staticmethod
    def entry_points(**selected: Any) -> Any:
        return _selected(tuple(map(_packages, sys.path)), tuple(selected.items()))


def _changed(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path or ".")
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_ino, found.st_size


@functools.lru_cache(maxsize=64)
def _names(folder: str, changed: tuple[int, ...]) -> tuple[str, ...]:
    """Returns the names of a folder's packages; a file is a package itself."""
    if not os.path.isdir(folder or "."):
        return ()
    return tuple(sorted(name for name in os.listdir(folder or ".")
                        if name.endswith(("-info", ".egg", ".egg-link"))))


def _packages(folder: str) -> tuple[Any, ...]:
    """Returns what the packages of a folder have changed with, each with its entry points,
    which may be written over in place."""
    changed = _changed(folder)
    packages = (os.path.join(folder, name) for name in _names(folder, changed))
    return folder, changed, *((package, _changed(package),
                               _changed(os.path.join(package, "entry_points.txt")))
                              for package in packages)


@functools.lru_cache(maxsize=64)
def _selected(packages: tuple[Any, ...], selected: tuple[Any, ...]) -> Any:
    return _all(packages).select(**dict(selected))


@functools.lru_cache(maxsize=1)
def _all(packages: tuple[Any, ...]) -> Any:
    return importlib.metadata.entry_points()
