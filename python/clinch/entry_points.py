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
        return _selected(tuple(_packages(folder, _changed(folder)) for folder in sys.path),
                         tuple(selected.items()))


def _changed(path: str) -> int:
    try:
        return os.stat(path or ".").st_mtime_ns
    except OSError:
        return 0


@functools.lru_cache(maxsize=64)
def _packages(folder: str, changed: int) -> tuple[Any, ...]:
    """Returns what the packages of a folder have changed with; a file is one itself."""
    if not os.path.isdir(folder or "."):
        return folder, changed
    return folder, *((name, _changed(os.path.join(folder, name)))
                     for name in sorted(os.listdir(folder or "."))
                     if name.endswith(("-info", ".egg", ".egg-link")))


@functools.lru_cache(maxsize=64)
def _selected(packages: tuple[Any, ...], selected: tuple[Any, ...]) -> Any:
    return _all(packages).select(**dict(selected))


@functools.lru_cache(maxsize=1)
def _all(packages: tuple[Any, ...]) -> Any:
    return importlib.metadata.entry_points()
