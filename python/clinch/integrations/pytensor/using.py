"""`use()` and `unuse()` set PyTensor's default mode in this process and its workers."""

import threading

from pytensor.configdefaults import config

from clinch.integrations.pytensor import patching, workers
from clinch.integrations.pytensor._import import LINKERS
from clinch.integrations.pytensor.config import compiling
from clinch.integrations.pytensor.headers import prepare
from clinch.integrations.pytensor.linker import ClinchLinker
from clinch.integrations.pytensor.maker import ClinchMode


class _Use:
    """The state that `unuse()` restores."""

    def __init__(self):
        self.lock = threading.Lock()
        #: Whether we hold the changes of PyTensor.
        self.has_changes = False
        #: The default mode before ours, in a list; empty if `use()` is not in effect.
        self.mode = []
        #: CLINCH.
        self.ours = None


_use = _Use()


def begin(requested, mode):
    """Runs when `clinch.pytensor` is imported: lets PyTensor know our names, and sets
    the mode that its flags ask for."""
    _use.ours = mode
    _take_changes()
    if "linker" in requested:
        with compiling():
            linker = ClinchLinker(**LINKERS[requested["linker"]])
            config.mode = ClinchMode(linker, config.optimizer)
    if "mode" in requested:
        config.mode = mode


def _take_changes():
    if not _use.has_changes:
        patching.changes.acquire()
        _use.has_changes = True


def use() -> None:
    """Makes CLINCH PyTensor's mode from now on: in this process, and in the workers
    that it starts with `multiprocessing`."""
    be_used()
    prepare()


def be_used():
    """What `use()` does in a worker, which may never make a function."""
    with _use.lock:
        _take_changes()
        if not _use.mode:
            _use.mode = [config.mode]
        config.mode = _use.ours
        workers.use_in_children()


def unuse() -> None:
    """Restores PyTensor to what it is without Clinch; existing functions, and new ones
    with `mode=clinch.pytensor.CLINCH`, still use Clinch."""
    with _use.lock:
        workers.leave_children_alone()
        if _use.mode:
            (config.mode,) = _use.mode
            _use.mode = []
        if _use.has_changes:
            patching.changes.release()
            _use.has_changes = False
