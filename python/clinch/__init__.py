"""Clinch compiles blocks of C, in process, into something you can call."""

from . import _clinch
from .config import cache_clear, cache_info, config
from .errors import (CompileError, CompilerCrash, GraphError, HookError,
                     LimitError, LinkError, RuleError, make_error)
from .generic import CDataType, Generic, generic
from .graph import Apply, Constant, Variable, register_transfer
from .op import COp, Op
from .ops import as_variable, constant, scalar_ops
from .scalar import Double, Scalar, double, upcast
from .tensor import TensorType, matrix, vector
from .type import Type
from .function import Function, In, function

_clinch.set_error_factory(make_error)

globals().update(scalar_ops)

__version__ = "0.1.0"
__all__ = [
    "Apply", "CDataType", "COp", "CompileError", "CompilerCrash", "Constant",
    "Double", "Function", "Generic", "GraphError", "HookError", "In",
    "LimitError", "LinkError", "Op", "RuleError", "Scalar", "TensorType",
    "Type", "Variable", "as_variable", "cache_clear", "cache_info", "config",
    "constant", "double", "function", "generic", "matrix",
    "register_transfer", "upcast", "vector", *scalar_ops,
]
