"""Imports PyTensor without letting it look for a C++ compiler.

PyTensor starts `g++ -v` while it is imported, unless the flag `cxx` is set, and
runs compilers and linkers to find a BLAS, unless `blas__ldflags` is. So both are
empty during the import, unless the user has set them, and forgotten after it: PyTensor
looks when it needs one. A PyTensor that was imported before is not changed.
"""

import configparser
import os
import shutil
import sys

from clinch.integrations.pytensor import versions

#: Our linkers, and the arguments of each.
LINKERS = {
    "clinch": {},
    "clinch_nogc": {"allow_gc": False},
    "clinch_vm": {"whole_graph": False},
    "clinch_vm_nogc": {"whole_graph": False, "allow_gc": False},
}
MODE = "CLINCH"


def import_pytensor():
    """Imports PyTensor; returns the names of ours that its flags `mode` and `linker`
    ask for, which it would not accept."""
    versions.check()
    if "pytensor" in sys.modules:
        return {}
    given = os.environ.get("PYTENSOR_FLAGS")
    flags = _parse(given or "")
    requested = {}
    if flags.get("mode", "").upper() == MODE:
        requested["mode"] = flags.pop("mode").upper()
    if flags.get("linker") in LINKERS:
        requested["linker"] = flags.pop("linker")
    # 2.38 asks g++ for its version in any case.
    asking = ("cxx", "blas__ldflags") if versions.installed() >= (3,) else ("blas__ldflags",)
    withheld = [n for n in asking if n not in flags and not _in_files(n)]
    flags.update((name, "") for name in withheld)
    os.environ["PYTENSOR_FLAGS"] = ",".join(f"{k}={v}" for k, v in flags.items())
    try:
        from clinch.integrations.pytensor.flags import forget
    finally:
        if given is None:
            del os.environ["PYTENSOR_FLAGS"]
        else:
            os.environ["PYTENSOR_FLAGS"] = given
    for name in withheld:
        forget(name)
    if "cxx" in withheld:
        forget("gcc_version_str")  # It was asked of no compiler.
        _let_thunks_have_c()
    return requested


def _let_thunks_have_c():
    """Makes PyTensor's own linkers what they are where a compiler is found: they looked
    while none was to be seen, and would run all in Python."""
    if not any(map(shutil.which, ("g++", "clang++"))):
        return
    import pytensor.compile.mode as modes
    from pytensor.link.vm import VMLinker

    linkers = [v for v in modes.predefined_linkers.values() if type(v) is VMLinker]
    for linker in linkers:
        linker.c_thunks = True
        for name in ("required_rewrites", "incompatible_rewrites"):
            vars(linker).pop(name, None)
    for mode in vars(modes).values():
        if isinstance(mode, modes.Mode) and mode.linker in linkers:
            mode.__setstate__(mode.__getstate__())


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
