"""Clinch compiles blocks of C, in process, into something you can call."""

import builtins as _builtins

from .installed import adopt, check, explained

check()
try:
    from . import _clinch
except ImportError as error:
    raise explained(error) from None
errors = adopt(_clinch.error_module)
from .cop import ExternalCOp
from .compiled_text import compile
from .configuration import (cache_clear, cache_info, config,
                            enable_crash_notes)
from .errors import (CompileError, CompileWarning, CompilerCrash, DebugModeError, DtypeError,
                     GraphError, HookError, LimitError, LinkError, RuleError)
from .generic_type import CDataType, Generic, generic
from .generic_ops import (Cast, DeepCopyOp, Shape, Shape_i, ViewOp, cast,
                          casts, deep_copy_op, register_deep_copy_op_c_code,
                          register_shape_c_code, register_shape_i_c_code,
                          register_view_op_c_code, shape, shape_i, view_op)
from .graph import Apply, Constant, Variable, register_transfer
from .op import COp, Op
from .ops import ALIASES, as_variable, constant, scalar_ops
from .params import CEnumType, EnumList, EnumType, Params, ParamsType
from .scalar import Double, Scalar, double, upcast
from .tensor import TensorType, matrix, vector
from .tensor import methods as _methods  # Adds NumPy's methods to Variables.
from .type import Type
from .debugmode import DebugMode
from .functions import Function, In, Out, function


def __getattr__(name):
    """Imports on first use what is seldom needed."""
    if name == "vectorize":
        from .ufuncs import vectorize as found
    elif name == "low_level_callable":
        from .scipy_callable import low_level_callable as found
    elif name == "load_ipython_extension":  # %load_ext clinch
        from .notebook import load_ipython_extension as found
    elif name in _methods.NAMES:
        found = _methods.named(*_methods.NAMES[name])
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


globals().update(scalar_ops)
globals().update(ALIASES)
globals().update(casts)

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
    "shape", "shape_i", "upcast", "vector", "vectorize", "view_op", *casts,
    # abs(x), pow(x, y) and round(x) are Python's own, which work on Variables.
    *(name for name in {**scalar_ops, **ALIASES, **_methods.NAMES}
      if not hasattr(_builtins, name)),
]
