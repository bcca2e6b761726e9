"""All that users call as `clinch.NAME`; `clinch` imports it for the first of these.

So the prompt answers in C without NumPy and the graph's modules, which take 70 ms.
"""

from . import generic_ops, tensor
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
from .later import Later
from .modes import Mode
from .op import COp, Op
from .ops import as_variable, constant
from .params import CEnumType, EnumList, EnumType, Params, ParamsType
from .scalars import Double, Scalar, double, upcast
from .shared_variables import shared
from .tensor import TensorType, cast, matrix, scalar, tensor3, vector
from .type import Type

#: What is imported when it is first used.
_LATER = {name: Later(f"clinch.{module}", name) for name, module in (
    ("jit", "tracing"), ("evaluate", "tracing"), ("vectorize", "ufuncs"),
    ("extension", "extensions"), ("Prefix", "prefixes"), ("link", "linked_texts"),
    ("low_level_callable", "scipy_callable"))}

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .annotations import Any


def __getattr__(name: str) -> "Any":
    """Returns one of `_LATER` or of NumPy's names."""
    return _LATER[name].found if name in _LATER else getattr(tensor, name)


# Theano's and PyTensor's pages call these by such paths.
compile.ops = generic_ops  # type: ignore[attr-defined]
scalar.upcast = upcast  # type: ignore[attr-defined]
#: The name that Types had in 2008.
ResultBase = Type
