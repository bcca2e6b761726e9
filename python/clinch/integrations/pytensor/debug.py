"""PyTensor's DebugMode with Clinch as the C compiler."""

from clinch.integrations.pytensor import openmp
from clinch.integrations.pytensor.config import compiling
from clinch.integrations.pytensor.versions import find

_debugmode = find("pytensor.compile.debug.debugmode", "pytensor.compile.debugmode")


class _Maker(_debugmode._Maker):
    """DebugMode's maker; all its C comes from Clinch."""

    def __init__(self, *args, **kwargs):
        with compiling():
            super().__init__(*args, **kwargs)

    def create(self, *args, **kwargs):
        # Whatever the graph has been: each of its Ops is run and compared.
        for v in self.fgraph.equivalence_tracker.all_variables_ever:
            if v.owner is not None:
                v.owner.op = openmp.without_gxx(v.owner).op
        with compiling():
            return super().create(*args, **kwargs)


class ClinchDebugMode(_debugmode.DebugMode):
    """Runs each apply in Python and in C, and compares."""

    def __init__(self, *args, check_c_code=True, **kwargs):
        super().__init__(*args, check_c_code=check_c_code, **kwargs)

    @property
    def function_maker(self):
        return _Maker
