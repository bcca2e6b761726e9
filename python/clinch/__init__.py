"""Clinch compiles blocks of C, in process, into something you can call."""

from .installed import adopt, check, explained

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .annotations import Any
    from .public import *  # noqa: F403

check()
try:
    from . import _clinch
except ImportError as error:
    raise explained(error) from None
if (_there := _clinch.error_module(None)) is not None:
    adopt(_there)
from . import errors

_clinch.error_module(errors)
from importlib import import_module as _import_module
from sys import modules as _modules

from .later import Later as _Later
from .pictures import PAGES as _PAGES
from .pictures import PICTURES as _PICTURES

for _shown, _by in (("Variable", "of_variable"), ("Apply", "of_apply"),
                    ("FunctionMethods", "of_function"), ("ThunkMethods", "of_thunk"),
                    ("CompileError", "of_error")):
    _PICTURES[_shown] = _Later(f"{__name__}.notebook", _by)
_PAGES["FunctionMethods"] = _Later(f"{__name__}.drawing.stages", "show")

__version__ = _clinch.version
llvm_version = _clinch.llvm_version
__all__ = [
    "Apply", "CDataType", "CEnumType", "COp", "CompileError", "CompileWarning",
    "CompilerCrash", "Constant", "DebugMode", "DebugModeError", "Double",
    "DtypeError", "EnumList", "EnumType", "ExternalCOp", "Function", "Generic",
    "GraphError", "HookError", "In", "LimitError", "LinkError", "Mode", "Op", "Out",
    "Params", "ParamsType", "Prefix", "RuleError", "Scalar", "TensorType", "Type",
    "Variable", "as_variable", "cache_clear", "cache_info", "cast", "compile",
    "compile_object", "config", "constant", "deep_copy_op", "double",
    "enable_crash_notes", "evaluate", "extension", "function", "generic", "jit",
    "link", "low_level_callable", "matrix", "register_deep_copy_op_c_code",
    "register_shape_c_code", "register_shape_i_c_code", "register_transfer",
    "register_view_op_c_code", "scalar", "shape", "shape_i", "shared", "tensor3",
    "upcast", "vector", "vectorize", "view_op",
    # The most used of NumPy's names; `clinch.tensor` has all.
    "add", "dot", "exp", "int_div", "log", "maximum", "minimum", "mul",
    "set_subtensor", "sqrt", "sub", "tanh", "true_div", "where",
]
#: What is imported when it is first used.
_LATER = {name: _Later(f"{__name__}.public", name) for name in (*__all__, "ResultBase")}
_LATER["load_ipython_extension"] = _Later(  # %load_ext clinch
    f"{__name__}.notebook", "load_ipython_extension")
#: Modules that need not be imported to be named.
_OF_OWN = ("configuration", "functions", "generic_ops", "graph", "linkers", "ops",
            "ownership", "pickling", "scalars", "tensor", "type")


def __getattr__(name: str) -> "Any":
    """Returns one of `_LATER` or `_OF_OWN`."""
    if name in _OF_OWN:
        return _import_module(f"{__name__}.{name}")
    if name not in _LATER:
        # To import it here would be a circle: `from . import errors` asks for a name, too.
        known = not name.startswith("_") and hasattr(
            _modules.get(f"{__name__}.tensor"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}" + (
            f"; `clinch.tensor.{name}` is it, or `numpy.{name}`" if known else ""))
    globals()[name] = found = _LATER[name].found
    return found


def __dir__() -> "list[str]":
    return sorted({*globals(), *_LATER, *_OF_OWN})
