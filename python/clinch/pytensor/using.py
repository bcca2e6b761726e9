"""`use()` and `unuse()`: PyTensor's compiler in this process and in its workers."""

import threading

from pytensor.configdefaults import config

from clinch.pytensor import patching, workers
from clinch.pytensor._import import CXX
from clinch.pytensor.blas import ldflags
from clinch.pytensor.flags import flag, is_known

_FLAGS = ("cxx", "mode", "blas__ldflags")


class _Use:
    """What was done, so that it can be undone."""

    def __init__(self):
        self.lock = threading.Lock()
        self.has_names = self.is_compiler = False
        #: The flags' values before use(), of those that had one; None: use() is off.
        self.flags = None


_use = _Use()


def begin(requested):
    """What the import of `clinch.pytensor` does: names, and the flags that were
    kept back from PyTensor's own import."""
    _take_names()
    if config.cxx == CXX:
        _be_compiler()
    for name, value in requested.items():
        setattr(config, name, value)


def _take_names():
    """Lets PyTensor take our mode and linkers wherever it takes its own."""
    if not _use.has_names:
        patching.names.hold()
        _use.has_names = True


def _be_compiler():
    """Where `cxx` says so, all C that PyTensor makes is compiled by Clinch."""
    if not _use.is_compiler:
        patching.compiler.hold()
        _use.is_compiler = True


def use():
    """Makes Clinch PyTensor's compiler, and CLINCH its mode, from now on: in this
    process, and in the workers that it starts with `multiprocessing`."""
    with _use.lock:
        _take_names()
        _be_compiler()
        if _use.flags is None:
            _use.flags = {n: flag(n).val for n in _FLAGS if is_known(n)}
        config.cxx = CXX
        config.mode = "CLINCH"
        if not is_known("blas__ldflags"):
            config.blas__ldflags = ldflags()
        workers.tell()


def unuse():
    """Leaves PyTensor as it would be without Clinch; functions that are there
    already, and those that are made with `mode="CLINCH"`, stay Clinch's."""
    with _use.lock:
        workers.tell_no_more()
        _put_flags_back()
        if config.cxx == CXX:
            config.cxx = _found_by_pytensor()
        if _use.is_compiler:
            patching.compiler.let_go()
            _use.is_compiler = False
        if _use.has_names:
            patching.names.let_go()
            _use.has_names = False


def _put_flags_back():
    before, _use.flags = _use.flags, None
    if before is None:
        return
    for name in _FLAGS:
        if name in before:
            setattr(config, name, before[name])
        else:
            del flag(name).val  # PyTensor finds it out when it is asked.


def _found_by_pytensor():
    """The compiler that PyTensor would have found, had it been asked to look."""
    default = flag("cxx").default
    return default() if callable(default) else default
