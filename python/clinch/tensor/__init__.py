"""NumPy's names for what Clinch computes of numbers and arrays.

`import clinch.tensor as ct`; `clinch` itself has the most used of them.
"""

from __future__ import annotations

import builtins

# PyTensor's pages call TensorType by this path.
from .. import array_type as type  # noqa: F401
from ..above import PLACES, above
from ..array_type import TensorType, matrix, scalar, tensor3, vector
from ..generic_ops import cast, shape
from ..generic_ops import casts as _casts
from ..ops import ALIASES, scalar_ops

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any

#: Module -> the names that it computes. All of them would add 4.5 ms to
#: `import clinch`, and programs of scalars need none.
_MODULES = {
    "elemwise": ("Elemwise",),
    "reduce": ("Reduce",),
    "indexing": ("set_subtensor", "inc_subtensor"),
    "formulas": ("where", "clip", "round", "isclose", "allclose", "array_equal",
                 "heaviside", "logaddexp", "logaddexp2", "fmax", "fmin", "float_power",
                 "divmod", "nan_to_num", "select", "polyval"),
    "products": ("dot", "matmul"),
    "linear": ("outer", "inner", "vdot", "trace", "kron", "cross", "norm", "einsum"),
    "casts": ("astype",),
    "views": ("transpose", "swapaxes", "reshape", "ravel", "copy"),
    "rearranging": ("expand_dims", "squeeze", "atleast_1d", "atleast_2d", "atleast_3d",
                    "moveaxis", "broadcast_to", "meshgrid", "flip", "flipud", "fliplr",
                    "roll", "tile", "repeat", "hstack", "vstack", "dstack",
                    "column_stack", "append", "array_split", "split", "take",
                    "diagonal", "diag", "tril", "triu"),
    "making": ("concatenate", "stack", "arange", "full", "full_like", "zeros",
               "ones", "zeros_like", "ones_like"),
    "reductions": ("sum", "prod", "mean", "max", "min", "any", "all", "argmax",
                   "argmin", "var", "std"),
    "statistics": ("diff", "ptp", "count_nonzero", "average", "nansum", "nanprod",
                   "nanmax", "nanmin", "nanmean", "nanvar", "nanstd"),
    "by_numpy": ("nonzero", "flatnonzero", "sort", "argsort", "partition",
                 "argpartition", "searchsorted", "digitize", "argwhere", "unique",
                 "median", "percentile", "quantile", "nanmedian", "nanpercentile",
                 "nanquantile", "cumsum", "cumprod", "nancumsum", "nancumprod",
                 "gradient", "interp", "convolve", "correlate", "bincount", "cov",
                 "corrcoef", "take_along_axis", "insert", "delete", "pad", "isin",
                 "union1d", "intersect1d", "setdiff1d", "fmod", "gcd", "lcm", "ldexp",
                 "nextafter", "signbit"),
}
#: All that NumPy has, too.
NUMPYS = tuple(name for names in _MODULES.values() for name in names
               if name[0].islower())
_LATER = {name: (f"{__name__}.{module}", name)
          for module, names in _MODULES.items() for name in names}
_METHODS = {
    **{name: _LATER[name] for name in (
        *_MODULES["reductions"], "dot", "astype", "ravel", "swapaxes", "matmul", "clip",
        "copy", "round", "squeeze", "cumsum", "cumprod", "diagonal", "trace", "repeat",
        "argsort", "nonzero", "searchsorted", "take")},
    **{name: (f"{__name__}.{module}", function)
       for name, module, function in (
           ("T", "views", "transpose"), ("shape", "shapes", "shape"),
           ("size", "shapes", "size"),
           ("flatten", "views", "ravel"),
           ("reshape", "views", "reshape_to"),
           ("transpose", "views", "transpose_to"), ("conj", "names", "conj"),
           ("real", "names", "real"), ("imag", "names", "imag"),
           ("__getitem__", "indexing", "index"))},
}
PLACES.update(_LATER)
PLACES.update((f"Variable.{name}", place) for name, place in _METHODS.items())
PLACES.update((f"numpy.{name.lower()}", (f"{__name__}.names", name))
              for name in ("FUNCTIONS", "REDUCTIONS", "UFUNCS"))


def __getattr__(name: str) -> Any:
    """Returns one of `_LATER`."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = above(name)
    return found


globals().update(scalar_ops)
globals().update(ALIASES)
globals().update(_casts)

# `from clinch.tensor import *` leaves Python's own names, which work on Variables.
__all__ = ["TensorType", "cast", "matrix", "scalar", "shape", "tensor3", "vector",
           *_casts, *(name for name in dict.fromkeys((*scalar_ops, *ALIASES, *_LATER))
                      if not hasattr(builtins, name))]
