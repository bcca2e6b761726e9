"""All names of `clinch`, except those of its own modules."""

from .ops import generic_ops
from . import tensor
from .source import conversions  # The extension calls it at the first conversion.
from .source.compiled_text import compile, compile_object
from .base.configuration import cache_clear, cache_info, config, enable_crash_notes
from .ops.cop import ExternalCOp
from .debug.debugmode import DebugMode
from .errors import (CompileError, CompilerCrash, CompileWarning,
                     DebugModeError, DtypeError, GraphError, HookError,
                     LimitError, LinkError, RuleError)
from .source.extensions import import_extension
from .build.functions import Function, function
from .ops.generic_ops import (deep_copy_op, register_deep_copy_op_c_code,
                          register_shape_c_code, register_shape_i_c_code,
                          register_view_op_c_code, shape, shape_i, view_op)
from .types.generic_type import CDataType, Generic, generic
from .graph.variables import Apply, Constant, Variable, register_transfer
from .build.interface import In, Out
from .source.linked_texts import link
from .build.modes import Mode
from .ops.op import COp, Op
from .ops.scalar_ops import as_variable, constant
from .types.params import CEnumType, EnumList, EnumType, Params, ParamsType
from .source.prefixes import PrecompiledHeaders
from .types.scalars import Double, Scalar, double, upcast
from .ufuncs.scipy_callable import low_level_callable
from .build.shared_variables import shared
from .tensor import TensorType, cast, matrix, scalar, tensor3, vector
from .tracing.expressions import evaluate
from .tracing.jit import jit
from .types.type import Type
from .ufuncs.vectorize import vectorize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .base.annotations import Any

    def __getattr__(name: str) -> Any: ...

#: The most used of NumPy's names, and Theano's `int_div`, `mul`, `sub`, `true_div`.
NUMPY_NAMES = ("add", "dot", "exp", "int_div", "log", "maximum", "minimum", "mul",
               "set_subtensor", "sqrt", "sub", "tanh", "true_div", "where")
globals().update({name: getattr(tensor, name) for name in NUMPY_NAMES})

# Theano's and PyTensor's pages call these by such paths.
compile.ops = generic_ops  # type: ignore[attr-defined]
scalar.upcast = upcast  # type: ignore[attr-defined]
#: The name that Types had in 2008.
ResultBase = Type
