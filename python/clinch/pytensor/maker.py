"""Functions of our linkers are rewritten and made with Clinch as the compiler."""

from pytensor.compile.mode import Mode

from clinch.pytensor.c_functions import ClinchFunction, Function
from clinch.pytensor.config import compiling
from clinch.pytensor.linker import ClinchLinker
from clinch.pytensor.patching import replace
from clinch.pytensor.versions import find

FunctionMaker = find(
    "pytensor.compile.maker:FunctionMaker",
    "pytensor.compile.function.types:FunctionMaker",
)


class ClinchFunctionMaker(FunctionMaker):
    """Rewrites as for a compiler that is there, and starts none."""

    def __init__(self, *args, **kwargs):
        with compiling():
            super().__init__(*args, **kwargs)

    def create(self, *args, **kwargs):
        function = super().create(*args, **kwargs)
        # What is made is told by an argument whose name depends on the version.
        if type(function) is Function:
            function.__class__ = ClinchFunction
        return function


class ClinchMode(Mode):
    """The mode CLINCH, and what is derived from it."""

    @property
    def function_maker(self):
        return ClinchFunctionMaker


def maker_patch():
    """For modes that are not ours and have one of our linkers."""

    def make(original):
        def function_maker(self):
            if isinstance(self.linker, ClinchLinker):
                return ClinchFunctionMaker
            return original.fget(self) if original else FunctionMaker

        return property(function_maker)

    why = "makes functions of our linkers without a compiler"
    return replace(Mode, "function_maker", make, why)
