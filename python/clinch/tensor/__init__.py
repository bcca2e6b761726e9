"""NumPy's names for what Clinch computes of numbers and arrays.

`import clinch.tensor as ct`; `clinch` itself has the most used of them.
"""

from __future__ import annotations

import builtins

# PyTensor's pages call TensorType by this path.
from ..types import array_type as type  # noqa: F401
from ..base.annotations import Any
from ..graph.array_methods import METHODS
from ..types.array_type import TensorType, matrix, scalar, tensor3, vector
from ..ops.generic_ops import cast, shape
from ..ops.generic_ops import casts as _casts
from ..graph.operators import OPS
from ..ops.scalar_ops import ALIASES, scalar_ops
from . import indexing, names, shapes, views

TYPE_CHECKING = False
if TYPE_CHECKING:
    def __getattr__(name: str) -> Any: ...

TensorType.loop = names.OWN["Elemwise"]
METHODS.update(names.OWN)
OPS["matmul"] = names.OWN["matmul"]
METHODS.update({name: scalar_ops[name] for name in ("conj", "real", "imag")})
METHODS.update(
    T=views.transpose, shape=shapes.shape, size=shapes.size, flatten=views.ravel,
    reshape=views.reshape_to, transpose=views.transpose_to, __getitem__=indexing.index,
    __array_ufunc__=names.call_ufunc, __array_function__=names.call_function)
globals().update(names.OWN)
globals().update(scalar_ops)
globals().update(ALIASES)
globals().update(_casts)

# `from clinch.tensor import *` leaves Python's own names, which work on Variables.
__all__ = ["TensorType", "cast", "matrix", "scalar", "shape", "tensor3", "vector",
           *_casts, *(name for name in dict.fromkeys((*scalar_ops, *ALIASES, *names.OWN))
                      if not hasattr(builtins, name))]
