"""All names of `clinch`, except those of its own modules."""

from . import generic_ops, tensor
from .compiled_text import compile, compile_object
from .configuration import cache_clear, cache_info, config, enable_crash_notes
from .cop import ExternalCOp
from .debugmode import DebugMode
from .errors import (CompileError, CompilerCrash, CompileWarning,
                     DebugModeError, DtypeError, GraphError, HookError,
                     LimitError, LinkError, RuleError)
from .extensions import extension
from .functions import Function, function
from .generic_ops import (deep_copy_op, register_deep_copy_op_c_code,
                          register_shape_c_code, register_shape_i_c_code,
                          register_view_op_c_code, shape, shape_i, view_op)
from .generic_type import CDataType, Generic, generic
from .graph import Apply, Constant, Variable, register_transfer
from .interface import In, Out
from .linked_texts import link
from .modes import Mode
from .op import COp, Op
from .ops import as_variable, constant
from .params import CEnumType, EnumList, EnumType, Params, ParamsType
from .prefixes import Prefix
from .scalars import Double, Scalar, double, upcast
from .scipy_callable import low_level_callable
from .shared_variables import shared
from .tensor import TensorType, cast, matrix, scalar, tensor3, vector
from .expressions import evaluate
from .tracing import jit
from .type import Type
from .ufuncs import vectorize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .annotations import Any

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
