"""NumPy's functions, and what replaces each in a graph."""

from __future__ import annotations

import numpy

from ..above import above
from ..ops import ALIASES, scalar_ops
from . import NUMPYS
from .by_numpy import OF_MODULES
from .formulas import round
from .linear import norm
from .operands import ndim
from .products import matmul
from .reductions import all, any, max, min, prod, sum
from .shapes import shape, size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any

conj, real, imag = (scalar_ops[name] for name in ("conj", "real", "imag"))

_FOUND = {getattr(numpy, name): above(name) for name in NUMPYS if hasattr(numpy, name)}
#: NumPy function that is no ufunc -> what replaces it.
FUNCTIONS: dict[Any, Any] = {
    **_FOUND, **OF_MODULES, numpy.amax: max, numpy.amin: min, numpy.around: round,
    numpy.angle: scalar_ops["angle"], numpy.imag: imag, numpy.real: real,
    numpy.linalg.norm: norm, numpy.ndim: ndim, numpy.shape: shape, numpy.size: size,
}
#: (ufunc, method) -> what replaces it.
REDUCTIONS = {
    **{(ufunc, "reduce"): own for ufunc, own in (
        (numpy.add, sum), (numpy.multiply, prod), (numpy.maximum, max),
        (numpy.minimum, min), (numpy.logical_or, any), (numpy.logical_and, all))},
    (numpy.add, "accumulate"): above("cumsum"),
    (numpy.multiply, "accumulate"): above("cumprod"),
}
UFUNCS: dict[Any, Any] = {
    getattr(numpy, name): op for name, op in ALIASES.items()
    if isinstance(getattr(numpy, name, None), numpy.ufunc)}
UFUNCS.update((numpys, own) for numpys, own in _FOUND.items()
              if isinstance(numpys, numpy.ufunc))
