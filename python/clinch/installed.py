"""What is said where the package cannot be loaded as it was installed."""

import importlib
import os
import re
import struct
import sys
from importlib.machinery import EXTENSION_SUFFIXES

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def check():
    """Raises ImportError for a library that is cut short, as where a half of it was
    copied: to load it would end the process."""
    libraries = os.path.join(_FOLDER, "_lib")
    for folder in (_FOLDER, libraries):
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            path = os.path.join(folder, name)
            if name.endswith(".so") and _is_cut_short(path):
                raise ImportError(f"the Clinch in `{_FOLDER}` is not whole: "
                                  f"`{path}` is cut short; install it again")


def _is_cut_short(path):
    """Whether an ELF file ends before its segments do."""
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


def adopt(error_module):
    """The module of this process's errors: imported anew from the same folder the
    package raises what it raised before, so that who holds the old one catches it.
    Raises ImportError for a package of another folder, which would share the
    libraries that are loaded, and with them every setting."""
    name = __package__ + ".errors"
    errors = error_module(None)
    if errors is None:
        return error_module(importlib.import_module(name))
    there = os.path.dirname(os.path.abspath(errors.__file__))
    if os.path.realpath(there) != os.path.realpath(_FOLDER):
        raise ImportError(f"the Clinch in `{_FOLDER}` cannot be loaded: the one "
                          f"in `{there}` is in this process already, and a "
                          f"process has one Clinch")
    sys.modules[name] = errors
    return errors


def explained(error):
    """The ImportError to raise for one that `_clinch` gave."""
    if isinstance(error, ModuleNotFoundError):
        return error  # Something else is missing, and it says what.
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
    return ImportError(f"{here} is not whole: it has no `_clinch` for Python "
                       f"{version}; install it again")
