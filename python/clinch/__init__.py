"""Clinch compiles blocks of C, in process, into something you can call."""

import builtins as _builtins

from .above import PLACES as _PLACES
from .above import above as _above
from .installed import adopt, check, explained

check()
try:
    from . import _clinch
except ImportError as error:
    raise explained(error) from None
if (_there := _clinch.error_module(None)) is not None:
    adopt(_there)
from . import errors

_clinch.error_module(errors)
from .compiled_text import compile
from .configuration import cache_clear, cache_info, config, enable_crash_notes
from .cop import ExternalCOp
from .debugmode import DebugMode
from . import generic_ops
from .errors import (CompileError, CompilerCrash, CompileWarning,
                     DebugModeError, DtypeError, GraphError, HookError,
                     LimitError, LinkError, RuleError)
from .functions import Function, function
from .interface import In, Out
from .generic_ops import (Cast, DeepCopyOp, Shape, Shape_i, ViewOp, cast,
                          casts, deep_copy_op, register_deep_copy_op_c_code,
                          register_shape_c_code, register_shape_i_c_code,
                          register_view_op_c_code, shape, shape_i, view_op)
from .generic_type import CDataType, Generic, generic
from .graph import Apply, Constant, Variable, register_transfer
from .op import COp, Op
from .ops import ALIASES, as_variable, constant, scalar_ops
from .params import CEnumType, EnumList, EnumType, Params, ParamsType
from .scalars import Double, Scalar, double, upcast
from .tensor import NAMES as _ARRAYS
from .tensor import TensorType, matrix, scalar, tensor3, vector
from .type import Type

#: What is imported when it is first used.
_LATER = {
    "vectorize": (__name__ + ".ufuncs", "vectorize"),
    "low_level_callable": (__name__ + ".scipy_callable", "low_level_callable"),
    "load_ipython_extension": (__name__ + ".notebook",  # %load_ext clinch
                               "load_ipython_extension"),
    **_ARRAYS,
}
_PLACES.update(_LATER)
_PLACES.update((f"picture of {name}", (__name__ + ".notebook", function))
              for name, function in (
                  ("a graph", "of_graph"), ("a function", "of_function"),
                  ("a thunk", "of_thunk"), ("an error", "of_error")))
_PLACES["page of stages"] = (__name__ + ".drawing.stages", "show")


def __getattr__(name):
    """Returns one of `_LATER`."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = _above(name)
    return found


globals().update(scalar_ops)
globals().update(ALIASES)
globals().update(casts)

# Theano's and PyTensor's pages call these by such paths.
compile.ops = generic_ops  # type: ignore[attr-defined]
scalar.upcast = upcast  # type: ignore[attr-defined]
#: The name that Types had in 2008.
ResultBase = Type

__version__ = _clinch.version
llvm_version = _clinch.llvm_version
__all__ = [
    "Apply", "CDataType", "CEnumType", "COp", "Cast", "CompileError",
    "CompileWarning",
    "CompilerCrash", "Constant", "DebugMode",
    "DebugModeError", "DeepCopyOp", "Double", "DtypeError", "EnumList",
    "EnumType", "ExternalCOp", "Function", "Generic", "GraphError",
    "HookError", "In", "LimitError", "LinkError", "Op", "Out", "Params",
    "ParamsType", "RuleError", "Scalar", "Shape", "Shape_i", "TensorType",
    "Type", "Variable", "ViewOp", "as_variable", "cache_clear",
    "cache_info", "cast", "compile", "config", "constant", "deep_copy_op",
    "double", "enable_crash_notes", "function", "generic", "low_level_callable",
    "matrix", "register_deep_copy_op_c_code",
    "register_shape_c_code", "register_shape_i_c_code", "register_transfer", "register_view_op_c_code",
    "scalar", "shape", "shape_i", "tensor3", "upcast", "vector", "vectorize", "view_op", *casts,
    # abs(x), pow(x, y) and round(x) are Python's own, which work on Variables.
    *(name for name in dict.fromkeys((*scalar_ops, *ALIASES, *_ARRAYS))
      if not hasattr(_builtins, name)),
]
