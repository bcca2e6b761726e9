"""NumPy's names for what Clinch computes of numbers and arrays.

`import clinch.tensor as ct`; `clinch` itself has the most used of them.
"""

from __future__ import annotations

import builtins

# PyTensor's pages call TensorType by this path.
from .. import array_type as type  # noqa: F401
from ..annotations import Any
from ..array_methods import METHODS
from ..array_type import TensorType, matrix, scalar, tensor3, vector
from ..generic_ops import cast, shape
from ..generic_ops import casts as _casts
from ..later import Later
from ..ops import ALIASES, scalar_ops
from .modules import MODULES

#: Name -> what computes it. All modules would add 4.5 ms to `import clinch`, and
#: programs of scalars need none.
_LATER = {name: Later(f"{__name__}.{module}", name)
          for module, names in MODULES.items() for name in names}
TensorType.loop = _LATER["Elemwise"]
METHODS.update({name: _LATER[name] for name in (
    *MODULES["reductions"], "dot", "astype", "ravel", "swapaxes", "matmul", "clip",
    "copy", "round", "squeeze", "cumsum", "cumprod", "diagonal", "trace", "repeat",
    "argsort", "nonzero", "searchsorted", "take")})
METHODS.update({name: scalar_ops[name] for name in ("conj", "real", "imag")})
METHODS.update({name: Later(f"{__name__}.{module}", function)
                for name, module, function in (
                    ("T", "views", "transpose"), ("shape", "shapes", "shape"),
                    ("size", "shapes", "size"), ("flatten", "views", "ravel"),
                    ("reshape", "views", "reshape_to"),
                    ("transpose", "views", "transpose_to"),
                    ("__getitem__", "indexing", "index"),
                    ("__array_ufunc__", "names", "call_ufunc"),
                    ("__array_function__", "names", "call_function"))})


def __getattr__(name: str) -> Any:
    """Returns one of `_LATER`."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = _LATER[name].found
    return found


globals().update(scalar_ops)
globals().update(ALIASES)
globals().update(_casts)

# `from clinch.tensor import *` leaves Python's own names, which work on Variables.
__all__ = ["TensorType", "cast", "matrix", "scalar", "shape", "tensor3", "vector",
           *_casts, *(name for name in dict.fromkeys((*scalar_ops, *ALIASES, *_LATER))
                      if not hasattr(builtins, name))]
