"""Finds the BLAS for matrix products: the named one, SciPy's, or the system's.

`config.blas` is its name as for a linker ("openblas"), its path, or False for
none. The library must have `dgemm_`, perhaps with a prefix.
"""

from __future__ import annotations

import ctypes
import functools
import glob
import os
import sys

from ..base.annotations import Iterator
from ..base.configuration import config

_SYSTEM = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
           "/usr/lib64", "/usr/lib")


class Blas:
    """A library that has Fortran's BLAS, and the prefix of its names."""

    def __init__(self, path: str, prefix: str) -> None:
        self.folder, self.name = os.path.split(path)
        self.prefix = prefix

    @property
    def libraries(self) -> list[str]:
        return [f":{self.name}"]

    @property
    def folders(self) -> list[str]:
        return [self.folder] if self.folder else []


def find() -> Blas | None:
    """Returns the Blas to use, or None."""
    if config.blas is False:
        return None
    if config.blas is None:
        return _found()
    made = _opened(config.blas) or next(
        filter(None, (_opened(os.path.join(folder, f"lib{config.blas}.so"))
                      for folder in _SYSTEM)), None)
    if made is None:
        raise ValueError(f"config.blas is {config.blas!r}: no library of that "
                         f"name has `dgemm_`")
    return made


@functools.cache
def _found() -> Blas | None:
    for path in (*_scipys(), *(os.path.join(folder, f"lib{name}.so{end}")
                               for name in ("openblas", "blas")
                               for folder in _SYSTEM for end in ("", ".0",
                                                                 ".3"))):
        made = _opened(path)
        if made is not None:
            return made
    return None


def _scipys() -> Iterator[str]:
    """Yields the paths of SciPy's OpenBLAS, found without importing SciPy."""
    for entry in sys.path:
        yield from sorted(glob.glob(os.path.join(
            entry or ".", "scipy.libs", "libscipy_openblas-*.so")))


@functools.cache
def _opened(path: str) -> Blas | None:
    if not os.path.exists(path):
        return None
    try:
        library = ctypes.CDLL(path)
    except OSError:
        return None
    for prefix in ("", "scipy_"):
        if hasattr(library, f"{prefix}dgemm_"):
            return Blas(path, prefix)
    return None
