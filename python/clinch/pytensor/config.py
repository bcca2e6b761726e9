"""What can be set, and when Clinch is PyTensor's compiler."""

import threading
from dataclasses import dataclass

from pytensor.configdefaults import config

from clinch.pytensor import patching
from clinch.pytensor._import import CXX
from clinch.pytensor.blas import ldflags
from clinch.pytensor.flags import here, is_known


@dataclass
class Options:
    """How graphs are compiled from now on."""

    #: "fast", "default" or "max".
    tier: str = "max"
    #: The tier of a new function's first code; that of `tier` is compiled on a
    #: thread behind it, and taken, when it is called a second time. None: there
    #: is no first code, and `tier` is compiled at once.
    first_tier: str | None = "fast"
    #: Whether Ops of PyTensor's without C run by C of ours, where there is some.
    native_ops: bool = True


options = Options()


def active():
    """Whether what PyTensor compiles now, in this thread, is Clinch's to compile."""
    return config.cxx == CXX


class _Compiling(threading.local):
    """Inside, and in this thread alone, Clinch is PyTensor's compiler.

    `config.cxx` is what PyTensor asks to know whether there is one: with none
    it fuses less and uses `perform`; with g++ it would start that. And it would
    find out with g++ where a BLAS is, unless that is known; a flag that is known
    is left alone, for the user may want none.
    """

    depth = 0

    def __enter__(self):
        patching.compiler.hold()
        if not self.depth:
            here.values["cxx"] = CXX
            if not is_known("blas__ldflags"):
                here.values["blas__ldflags"] = ldflags()
        self.depth += 1

    def __exit__(self, *error):
        self.depth -= 1
        if not self.depth:
            here.values.clear()
        patching.compiler.let_go()


_compiling = _Compiling()


def compiling():
    """For `with`, around all that PyTensor does for one of our linkers."""
    return _compiling
