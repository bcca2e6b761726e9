"""Clinch compiles blocks of C, in process, into something you can call."""

from .base.installed import adopt, check, explained
from .base.old_names import serve_old_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .base.annotations import Any
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
serve_old_names()
import sys as _sys
from os.path import basename as _basename

__version__ = _clinch.version
llvm_version = _clinch.llvm_version
__all__ = [
    "Apply", "CDataType", "CEnumType", "COp", "CompileError", "CompileWarning",
    "CompilerCrash", "Constant", "DebugMode", "DebugModeError", "Double",
    "DtypeError", "EnumList", "EnumType", "ExternalCOp", "Function", "Generic",
    "GraphError", "HookError", "In", "LimitError", "LinkError", "Mode", "Op", "Out",
    "Params", "ParamsType", "PrecompiledHeaders", "RuleError", "Scalar", "TensorType",
    "Type", "Variable", "as_variable", "cache_clear", "cache_info", "cast", "compile",
    "compile_object", "config", "constant", "deep_copy_op", "double",
    "enable_crash_notes", "evaluate", "function", "generic", "import_extension", "jit",
    "link", "low_level_callable", "matrix", "register_deep_copy_op_c_code",
    "register_shape_c_code", "register_shape_i_c_code", "register_transfer",
    "register_view_op_c_code", "scalar", "shape", "shape_i", "shared", "tensor3",
    "upcast", "vector", "vectorize", "view_op",
    # Some of those that compute arrays; `clinch.tensor` has all.
    "add", "dot", "exp", "int_div", "log", "maximum", "minimum", "mul",
    "set_subtensor", "sqrt", "sub", "tanh", "true_div", "where",
]

#: Names of version 0.1, which warn for one version.
_RENAMED = {"Prefix": "PrecompiledHeaders", "extension": "import_extension"}


def load_ipython_extension(shell: "Any") -> None:
    """Registers the magics; `%load_ext clinch` calls it."""
    from .cli import notebook
    notebook.load_ipython_extension(shell)


def _load() -> None:
    """Imports what users call, and NumPy."""
    from . import public
    globals().update({name: getattr(public, name) for name in (*__all__, "ResultBase")})


def __getattr__(name: str) -> "Any":
    """Loads the package for the program `clinch`; suggests NumPy's names."""
    if name in __all__ and name not in globals():
        _load()
        return globals()[name]
    if name in _RENAMED:
        import warnings
        warnings.warn(f"clinch.{name} is called clinch.{_RENAMED[name]} now",
                      DeprecationWarning, stacklevel=2)
        return getattr(_sys.modules[__name__], _RENAMED[name])
    # To import it here would be a circle: `from . import errors` asks for a name, too.
    known = not name.startswith("_") and hasattr(
        _sys.modules.get(f"{__name__}.tensor"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}" + (
        f"; `clinch.tensor.{name}` is it, or `numpy.{name}`" if known else ""))


def __dir__() -> "list[str]":
    return sorted({*globals(), *__all__})


# The program `clinch` answers in C without NumPy, whose import takes it 70 ms, and loads
# the package before it runs Python. All others load it here: if a thread imported modules
# at its first compile, a child forked meanwhile could never import them.
if _basename((getattr(_sys, "argv", None) or [""])[0]) != "clinch":
    _load()
