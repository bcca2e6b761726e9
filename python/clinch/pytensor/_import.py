"""Imports PyTensor without letting it look for a C++ compiler.

PyTensor starts `g++ -v` while it is imported, unless the flag `cxx` is set, and
runs compilers and linkers to find a BLAS, unless `blas__ldflags` is. So both are
set here during the import, in the environment variable that it reads, unless the
user has set them; the BLAS that was found is set after it. A PyTensor that was
imported before is not changed.
"""

import configparser
import os
import sys

from clinch.pytensor import blas, versions

#: The value of `cxx` if Clinch is the only compiler.
CXX = "clinch"

#: Values that are only valid once Clinch is registered: set after the import.
_OURS = {"mode": "CLINCH", "linker": "clinch"}


def import_pytensor():
    """Imports PyTensor; returns the flags to set once Clinch is registered."""
    versions.check()
    if "pytensor" in sys.modules:
        return {}
    given = os.environ.get("PYTENSOR_FLAGS")
    flags = _parse(given or "")
    requested = {
        name: flags.pop(name)
        for name, prefix in _OURS.items()
        if flags.get(name, "").upper().startswith(prefix.upper())
    }
    for name, value in (("cxx", CXX), ("blas__ldflags", "")):
        if name not in flags and not _in_files(name):
            flags[name] = value
            if name == "blas__ldflags":
                requested[name] = blas.ldflags()
    os.environ["PYTENSOR_FLAGS"] = ",".join(f"{k}={v}" for k, v in flags.items())
    try:
        import pytensor  # noqa: F401
    finally:
        if given is None:
            del os.environ["PYTENSOR_FLAGS"]
        else:
            os.environ["PYTENSOR_FLAGS"] = given
    return requested


def _parse(text):
    """Parses `a=b,c=d` as PyTensor does: the last value counts."""
    pairs = (item.split("=", 1) for item in text.split(",") if "=" in item)
    return {name.strip(): value.strip() for name, value in pairs}


def _in_files(name):
    """Whether one of PyTensor's configuration files sets the flag `name`."""
    files = os.environ.get("PYTENSORRC", "~/.pytensorrc").split(os.pathsep)
    parser = configparser.RawConfigParser()
    try:
        parser.read([os.path.expanduser(file) for file in files])
    except configparser.Error:
        return False
    section, _, option = name.rpartition("__")
    return parser.has_option(section or "global", option)
