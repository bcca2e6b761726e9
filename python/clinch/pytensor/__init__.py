"""PyTensor on Clinch.

    import clinch.pytensor
    f = pytensor.function([x, y], z, mode="CLINCH")

PyTensor's own Types and Ops, unmodified, assembled and compiled by Clinch in
this process. No C++ compiler is looked for or started, and no compile
directory is used. `docs/pytensor.md` says what else differs.
"""

from clinch.pytensor._import import import_pytensor

_requested = import_pytensor()

# The order matters: PyTensor is imported above, on our terms.
from clinch.pytensor._hooks import install as _install
from clinch.pytensor.config import apply_requested as _apply_requested
from clinch.pytensor.config import options
from clinch.pytensor.debug import ClinchDebugMode
from clinch.pytensor.linker import ClinchLinker
from clinch.pytensor.thunk import settle

__all__ = ["CLINCH", "ClinchDebugMode", "ClinchLinker", "options", "settle"]

CLINCH = _install()
_apply_requested(_requested)
