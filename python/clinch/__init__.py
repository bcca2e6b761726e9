"""Clinch compiles blocks of C, in process, into something you can call."""

from .installed import adopt, check, explained

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .annotations import Any

check()
try:
    from . import _clinch
except ImportError as error:
    raise explained(error) from None
if (_there := _clinch.error_module(None)) is not None:
    adopt(_there)
from . import errors

_clinch.error_module(errors)
from . import generic_ops, tensor
from .class_methods import FunctionMethods as _FunctionMethods
from .class_methods import ThunkMethods as _ThunkMethods
from .compiled_text import compile, compile_object
from .configuration import cache_clear, cache_info, config, enable_crash_notes
from .cop import ExternalCOp
from .debugmode import DebugMode
from .errors import (CompileError, CompilerCrash, CompileWarning,
                     DebugModeError, DtypeError, GraphError, HookError,
                     LimitError, LinkError, RuleError)
from .functions import Function, function
from .generic_ops import (deep_copy_op, register_deep_copy_op_c_code,
                          register_shape_c_code, register_shape_i_c_code,
                          register_view_op_c_code, shape, shape_i, view_op)
from .generic_type import CDataType, Generic, generic
from .graph import Apply, Constant, Variable, register_transfer
from .interface import In, Out
from .later import Later as _Later
from .modes import Mode
from .op import COp, Op
from .ops import as_variable, constant
from .params import CEnumType, EnumList, EnumType, Params, ParamsType
from .pictures import PAGES as _PAGES
from .pictures import PICTURES as _PICTURES
from .scalars import Double, Scalar, double, upcast
from .shared_variables import shared
from .tensor import TensorType, cast, matrix, scalar, tensor3, vector
from .type import Type

#: The most used of NumPy's names; `clinch.tensor` has all.
_OF_NUMPY = ("add", "dot", "exp", "int_div", "log", "maximum", "minimum", "mod",
             "mul", "set_subtensor", "sqrt", "sub", "tanh", "true_div", "where")
#: What is imported when it is first used.
_LATER = {name: _Later(f"{__name__}.{module}", name) for name, module in (
    ("jit", "tracing"), ("evaluate", "tracing"), ("vectorize", "ufuncs"),
    ("extension", "extensions"), ("Prefix", "prefixes"),
    ("low_level_callable", "scipy_callable"),
    ("load_ipython_extension", "notebook"))}  # %load_ext clinch
for _shown, _by in ((Variable, "of_variable"), (Apply, "of_apply"),
                    (_FunctionMethods, "of_function"),
                    (_ThunkMethods, "of_thunk"), (CompileError, "of_error")):
    _PICTURES[_shown] = _Later(f"{__name__}.notebook", _by)
_PAGES[_FunctionMethods] = _Later(f"{__name__}.drawing.stages", "show")


def __getattr__(name: str) -> "Any":
    """Returns one of `_OF_NUMPY` or `_LATER`."""
    if name in _OF_NUMPY:
        found = getattr(tensor, name)
    elif name in _LATER:
        found = _LATER[name].found
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


# Theano's and PyTensor's pages call these by such paths.
compile.ops = generic_ops  # type: ignore[attr-defined]
scalar.upcast = upcast  # type: ignore[attr-defined]
#: The name that Types had in 2008.
ResultBase = Type

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
    "low_level_callable", "matrix", "register_deep_copy_op_c_code",
    "register_shape_c_code", "register_shape_i_c_code", "register_transfer",
    "register_view_op_c_code", "scalar", "shape", "shape_i", "shared", "tensor3",
    "upcast", "vector", "vectorize", "view_op", *_OF_NUMPY,
]
