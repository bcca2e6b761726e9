"""The options, and the context in which our linkers work."""

import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

from clinch.base.configuration import config as clinch_config
from clinch.integrations.pytensor import patching
from clinch.integrations.pytensor.blas import ldflags
from clinch.integrations.pytensor.flags import here, is_set
from clinch.base.suggestions import did_you_mean

#: What PyTensor's flag `cxx` is in a thread in which one of our linkers works: no
#: program has this name.
CXX = "(clinch)"

_TIERS = clinch_config.choices["tier"]


@dataclass
class Options:
    """How graphs are compiled; other names and values are refused."""

    choices: ClassVar = {
        "tier": _TIERS,
        "first_tier": (*_TIERS, None),
        "native_ops": (True, False),
        "fused_gathers": (True, False),
        "small_graphs": (True, False),
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
    #: Whether neighbouring applies on few items, whose shapes are known, become one block.
    small_graphs: bool = True

    def __setattr__(self, name, value):
        if name not in self.choices:
            raise AttributeError(
                f"clinch.pytensor.options has no `{name}`" + did_you_mean(name, self.choices)
            )
        if value not in self.choices[name]:
            raise ValueError(
                f"clinch.pytensor.options.{name} is one of "
                f"{', '.join(map(repr, self.choices[name]))}; {value!r} is none of them"
            )
        object.__setattr__(self, name, value)


options = Options()


def active():
    """Whether one of our linkers works in this thread."""
    return bool(_compiling.around)


class _Compiling(threading.local):
    """A context for all that our linkers do, in this thread only.

    PyTensor reads `config.cxx` to know whether there is a compiler: without one it
    fuses less and uses `perform`; with g++ it would start that. It would also run
    g++ to find a BLAS unless that flag has a value; such a value is kept, because
    the user may want no BLAS.
    """

    def __init__(self):
        #: The values of flags around each of the contexts that this thread is in.
        self.around = []

    def __enter__(self):
        patching.changes.acquire()
        self.around.append(here.values)
        here.values = {**here.values, "cxx": CXX}
        if not is_set("blas__ldflags"):
            here.values.setdefault("blas__ldflags", ldflags())

    def __exit__(self, *error):
        here.values = self.around.pop()
        patching.changes.release()


_compiling = _Compiling()


def compiling():
    """Returns the context for all that PyTensor does for one of our linkers."""
    return _compiling


@contextmanager
def without_compiler():
    """A context in which PyTensor sees that there is none, in this thread: Ops' hooks
    that would compile a program, to see how a BLAS treats NaN, do without."""
    around = here.values
    here.values = {**around, "cxx": ""}
    try:
        yield
    finally:
        here.values = around
