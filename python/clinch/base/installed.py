"""Explains why an installed package cannot be loaded, or is not taken."""

from __future__ import annotations

import os
import re
import struct
import sys
from importlib.machinery import EXTENSION_SUFFIXES

from .annotations import Any

_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def check() -> None:
    """Raises ImportError for a truncated library, because loading it would end the
    process."""
    libraries = os.path.join(_FOLDER, "_lib")
    for folder in (_FOLDER, libraries):
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            path = os.path.join(folder, name)
            if name.endswith(".so") and _is_truncated(path):
                raise ImportError(f"the Clinch in `{_FOLDER}` is incomplete: "
                                  f"`{path}` is truncated; install it again")


def _is_truncated(path: str) -> bool:
    """Whether an ELF file ends before its last segment."""
    with open(path, "rb") as file:
        header = file.read(64)
        if len(header) < 64:
            return True
        start, = struct.unpack_from("<Q", header, 32)
        size, count = struct.unpack_from("<HH", header, 54)
        file.seek(start)
        segments = file.read(size * count)
        if len(segments) < size * count:
            return True
        ends = (sum(struct.unpack_from("<Q16xQ", segments, at + 8))
                for at in range(0, size * count, size))
        return max(ends, default=0) > os.fstat(file.fileno()).st_size


def adopt(errors: Any) -> None:
    """Makes the module with this process's error classes the package's. A package
    imported again from the same folder keeps the old classes, so that code that
    holds them still catches its errors. Raises ImportError for a package in another
    folder, which would share the loaded libraries and so every setting."""
    there = os.path.dirname(os.path.abspath(errors.__file__))
    if os.path.realpath(there) != os.path.realpath(_FOLDER):
        raise ImportError(f"the Clinch in `{_FOLDER}` cannot be loaded: the one "
                          f"in `{there}` is in this process already, and a "
                          f"process has one Clinch")
    sys.modules["clinch.errors"] = errors


def explained(error: ImportError) -> ImportError:
    """Returns the ImportError to raise if `_clinch` cannot be imported."""
    if isinstance(error, ModuleNotFoundError):
        return error  # It names another module that is missing.
    here = f"the Clinch in `{_FOLDER}`"
    if os.path.exists(os.path.join(_FOLDER, "_clinch" + EXTENSION_SUFFIXES[0])):
        return ImportError(f"{here} cannot be loaded: {error}")
    version = "{}.{}".format(*sys.version_info) + "t" * ("t" in sys.abiflags)
    others = [found for name in os.listdir(_FOLDER)
              if (found := re.match(r"_clinch\.cpython-(\d)(\d+t?)-", name))]
    if others:
        return ImportError(f"{here} was built for Python {others[0][1]}."
                           f"{others[0][2]}, and this is Python {version}: "
                           f"install the package for this one")
    return ImportError(f"{here} is incomplete: it has no `_clinch` for Python "
                       f"{version}; install it again")


def refuse_untested(door: str, package: str, version: str, tested: tuple[str, ...]) -> None:
    """Raises ImportError for a version of which a module that replaces private parts of
    a package knows nothing. tested: versions, or how they begin."""
    if not any(re.match(re.escape(one) + r"\b", version) for one in tested):
        raise ImportError(f"clinch.{door} is tested with {package} {', '.join(tested)}, "
                          f"and this is {version}", name=package)
