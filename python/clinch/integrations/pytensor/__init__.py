"""PyTensor on Clinch.

    import clinch.integrations.pytensor
    clinch.pytensor.use()

or, for one function, `pytensor.function([x, y], z, mode="CLINCH")`.

Clinch assembles and compiles PyTensor's own Types and Ops, unmodified, in this
process. No C++ compiler is searched for or started, and no compile directory is
used. `docs/guide/pytensor.md` says what else differs.
"""

import warnings as _warnings

from clinch.integrations.pytensor._import import import_pytensor

_requested = import_pytensor()

# The order matters: import_pytensor() must import PyTensor first.
from clinch.integrations.pytensor.changes import install as _install
from clinch.integrations.pytensor.config import options
from clinch.integrations.pytensor.linker import ClinchLinker
from clinch.integrations.pytensor.patching import patches
from clinch.integrations.pytensor.registry import registered
from clinch.integrations.pytensor.samplers import install as _install_samplers
from clinch.integrations.pytensor.samplers import nutpie
from clinch.integrations.pytensor.thunk import wait
from clinch.integrations.pytensor.using import begin as _begin
from clinch.integrations.pytensor.using import unuse, use

__all__ = [
    "CLINCH",
    "ClinchDebugMode",
    "ClinchLinker",
    "nutpie",
    "options",
    "patches",
    "registered",
    "unuse",
    "use",
    "wait",
]

CLINCH = _install()
_begin(_requested, CLINCH)
_install_samplers()


def __getattr__(name):
    # The module of PyTensor's DebugMode looks for a compiler when it is imported.
    if name == "ClinchDebugMode":
        from clinch.integrations.pytensor.debug import ClinchDebugMode

        return ClinchDebugMode
    if name == "settle":
        message = "clinch.pytensor.settle is called clinch.pytensor.wait now"
        _warnings.warn(message, DeprecationWarning, stacklevel=2)
        return wait
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
