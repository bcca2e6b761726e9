"""`use()` and `unuse()` set PyTensor's compiler in this process and its workers."""

import threading

from pytensor.configdefaults import config

from clinch.pytensor import patching, workers
from clinch.pytensor._import import CXX
from clinch.pytensor.blas import ldflags
from clinch.pytensor.flags import flag, is_known
from clinch.pytensor.headers import prepare

_FLAGS = ("cxx", "mode", "blas__ldflags")


class _Use:
    """The state that `unuse()` restores."""

    def __init__(self):
        self.lock = threading.Lock()
        self.has_names = self.is_compiler = False
        #: The values that flags had before use(); None if use() is not in effect.
        self.flags = None


_use = _Use()


def begin(requested):
    """Runs when `clinch.pytensor` is imported: adds names, and sets the flags that
    were withheld from PyTensor's own import."""
    _take_names()
    if config.cxx == CXX:
        _be_compiler()
    for name, value in requested.items():
        setattr(config, name, value)


def _take_names():
    """Lets PyTensor accept our mode and linkers wherever it accepts its own."""
    if not _use.has_names:
        patching.names.acquire()
        _use.has_names = True


def _be_compiler():
    """Lets Clinch compile all of PyTensor's C while `cxx` is "clinch"."""
    if not _use.is_compiler:
        patching.compiler.acquire()
        _use.is_compiler = True


def use():
    """Makes Clinch PyTensor's compiler, and CLINCH its mode, from now on: in this
    process, and in the workers that it starts with `multiprocessing`."""
    be_used()
    prepare()


def be_used():
    """What `use()` does in a worker, which may never make a function."""
    with _use.lock:
        _take_names()
        _be_compiler()
        if _use.flags is None:
            _use.flags = {n: flag(n).val for n in _FLAGS if is_known(n)}
        config.cxx = CXX
        config.mode = "CLINCH"
        if not is_known("blas__ldflags"):
            config.blas__ldflags = ldflags()
        workers.use_in_children()


def unuse():
    """Restores PyTensor to what it is without Clinch; existing functions, and new ones
    with `mode="CLINCH"`, still use Clinch."""
    with _use.lock:
        workers.leave_children_alone()
        _put_flags_back()
        if config.cxx == CXX:
            config.cxx = _found_by_pytensor()
        if _use.is_compiler:
            patching.compiler.release()
            _use.is_compiler = False
        if _use.has_names:
            patching.names.release()
            _use.has_names = False


def _put_flags_back():
    before, _use.flags = _use.flags, None
    if before is None:
        return
    for name in _FLAGS:
        if name in before:
            setattr(config, name, before[name])
        else:
            del flag(name).val  # PyTensor computes it on the next access.


def _found_by_pytensor():
    """Returns the compiler that PyTensor would find by itself."""
    default = flag("cxx").default
    return default() if callable(default) else default
