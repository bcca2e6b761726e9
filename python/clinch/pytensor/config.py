"""The options, and the context in which Clinch is PyTensor's compiler."""

import threading
from dataclasses import dataclass
from typing import ClassVar

from pytensor.configdefaults import config

from clinch.configuration import config as clinch_config
from clinch.pytensor import patching
from clinch.pytensor._import import CXX
from clinch.pytensor.blas import ldflags
from clinch.pytensor.flags import here, is_known
from clinch.suggestions import did_you_mean

_TIERS = clinch_config.choices["tier"]


@dataclass
class Options:
    """How graphs are compiled; other names and values are refused."""

    choices: ClassVar = {
        "tier": _TIERS,
        "first_tier": (*_TIERS, None),
        "native_ops": (True, False),
        "fused_gathers": (True, False),
    }

    #: "fast", "default" or "max".
    tier: str = "max"
    #: The tier of a new function's first code. From the second call on, a background
    #: thread compiles the code of `tier`, which then replaces it. None: `tier` is
    #: compiled at once.
    first_tier: str | None = "fast"
    #: Whether Clinch's C, if there is some, runs PyTensor's Ops that have none, or whose
    #: own takes longer.
    native_ops: bool = True
    #: Whether integer gathers in front of an Elemwise of vectors, and scatters and sums
    #: behind it, become one loop.
    fused_gathers: bool = True

    def __setattr__(self, name, value):
        if name not in self.choices:
            raise AttributeError(
                f"clinch.pytensor.options has no `{name}`"
                + did_you_mean(name, self.choices)
            )
        if value not in self.choices[name]:
            raise ValueError(
                f"clinch.pytensor.options.{name} is one of "
                f"{', '.join(map(repr, self.choices[name]))}; {value!r} is none of them"
            )
        object.__setattr__(self, name, value)


options = Options()


def active():
    """Whether Clinch compiles what PyTensor compiles now in this thread."""
    return config.cxx == CXX


class _Compiling(threading.local):
    """A context in which Clinch is PyTensor's compiler, in this thread only.

    PyTensor reads `config.cxx` to know whether there is a compiler: without one it
    fuses less and uses `perform`; with g++ it would start that. It would also run
    g++ to find a BLAS unless that flag has a value; such a value is kept, because
    the user may want no BLAS.
    """

    depth = 0

    def __enter__(self):
        patching.compiler.acquire()
        if not self.depth:
            here.values["cxx"] = CXX
            if not is_known("blas__ldflags"):
                here.values["blas__ldflags"] = ldflags()
        self.depth += 1

    def __exit__(self, *error):
        self.depth -= 1
        if not self.depth:
            here.values.clear()
        patching.compiler.release()


_compiling = _Compiling()


def compiling():
    """Returns the context for all that PyTensor does for one of our linkers."""
    return _compiling
