"""Rewrites and makes functions of our linkers with Clinch as the compiler."""

import inspect

from pytensor.compile.mode import Mode
from pytensor.configdefaults import config
from pytensor.link.vm import VMLinker

from clinch.integrations.pytensor import pickling
from clinch.integrations.pytensor.c_functions import ClinchFunction, Function
from clinch.integrations.pytensor.config import active, compiling, without_compiler
from clinch.integrations.pytensor.headers import prepare
from clinch.integrations.pytensor.linker import ClinchLinker
from clinch.integrations.pytensor.patching import replace
from clinch.integrations.pytensor.versions import find

FunctionMaker = find(
    "pytensor.compile.maker:FunctionMaker",
    "pytensor.compile.function.types:FunctionMaker",
)

#: The argument for the function's class; its name depends on the version.
_MADE = next(
    name
    for name in ("function_class", "function_builder")
    if name in inspect.signature(FunctionMaker.__init__).parameters
)


class ClinchFunctionMaker(FunctionMaker):
    """Rewrites graphs as if a C++ compiler existed, and starts none. It is pickled
    with its compiled code."""

    def __init__(self, *args, **kwargs):
        if kwargs.get(_MADE, Function) is Function:
            kwargs[_MADE] = ClinchFunction
        prepare()
        with compiling():
            super().__init__(*args, **kwargs)
        self._thunks = []

    def create(self, *args, **kwargs):
        with compiling(), pickling.collected() as self._thunks:
            return super().create(*args, **kwargs)

    def __getstate__(self):
        return {**self.__dict__, "_thunks": pickling.packed(self._thunks)}

    def __setstate__(self, state):
        pickling.unpack(state["_thunks"])
        self.__dict__.update(state, _thunks=[])


class _InnerMaker(ClinchFunctionMaker):
    """Makes functions that PyTensor needs while it rewrites for ours, such as the steps
    of a loop of constants. PyTensor's machine in C takes no thunks of ours."""

    def __init__(self, inputs, outputs, mode=None, **kwargs):
        own = Mode(ClinchLinker(allow_gc=mode.linker.allow_gc), mode.provided_optimizer)
        super().__init__(inputs, outputs, own, **kwargs)


class InterpretedMaker(FunctionMaker):
    """Makes functions that are not compiled, those of FAST_COMPILE. Since 3.3, PyTensor
    would compile the inner functions of their Scans with g++ all the same."""

    def create(self, *args, **kwargs):
        with without_compiler():
            return super().create(*args, **kwargs)


class ClinchMode(Mode):
    """The mode CLINCH, and modes derived from it."""

    @property
    def function_maker(self):
        return ClinchFunctionMaker


def _is_not_compiled(linker):
    return isinstance(linker, VMLinker) and linker.c_thunks is False


def maker_change():
    """Returns the change for other modes that have one of our linkers, and for those
    without a compiler while ours is the default mode."""

    def make(original):
        def function_maker(self):
            if isinstance(self.linker, ClinchLinker):
                return ClinchFunctionMaker
            if active() and getattr(self.linker, "use_cloop", False):
                return _InnerMaker
            if _is_not_compiled(self.linker) and isinstance(config.mode, ClinchMode):
                return InterpretedMaker
            return original.fget(self) if original else FunctionMaker

        return property(function_maker)

    why = "makes functions of our linkers without a compiler"
    return replace(Mode, "function_maker", make, why)
