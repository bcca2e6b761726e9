"""The table of NumPy's names: what replaces each in a graph, and how its arguments are
bound."""

from __future__ import annotations

import functools
import inspect

import numpy

from ..base.annotations import Any
from ..ops.scalar_ops import ALIASES, scalar_ops
from . import (by_numpy, casts, elemwise, formulas, indexing, linear, making, products,
               rearranging, reduce, reductions, statistics, views)
from .operands import as_array, ndim
from .shapes import shape, size

#: Module -> the names whose functions it has: `by_numpy` calls NumPy, and the others are
#: loops, reductions, indices, views and joins.
_ROWS = {
    elemwise: ("Elemwise",),
    reduce: ("Reduce",),
    indexing: ("set_subtensor", "inc_subtensor"),
    formulas: ("where", "clip", "round", "isclose", "allclose", "array_equal",
               "heaviside", "logaddexp", "logaddexp2", "fmax", "fmin", "float_power",
               "divmod", "modf", "sinc", "nan_to_num", "select", "polyval"),
    products: ("dot", "matmul"),
    linear: ("outer", "norm", "einsum"),
    casts: ("astype",),
    views: ("transpose", "swapaxes", "reshape", "ravel", "copy"),
    rearranging: ("expand_dims", "squeeze", "atleast_1d", "atleast_2d", "atleast_3d",
                  "moveaxis", "meshgrid", "flip", "flipud", "fliplr",
                  "array_split", "split", "hsplit", "vsplit", "dsplit", "take",
                  "broadcast_arrays"),
    making: ("concatenate", "stack", "arange", "full", "full_like",
             "zeros", "ones", "zeros_like", "ones_like", "empty_like"),
    reductions: ("sum", "prod", "mean", "max", "min", "any", "all", "argmax",
                 "argmin", "var", "std"),
    statistics: ("diff", "ptp", "count_nonzero",
                 "nansum", "nanprod", "nanmax", "nanmin", "nanmean"),
    by_numpy: ("nonzero", "flatnonzero", "sort", "argsort", "partition",
               "argpartition", "searchsorted", "digitize", "argwhere", "unique",
               "median", "percentile", "quantile", "nanmedian", "nanpercentile",
               "nanquantile", "cumsum", "cumprod", "nancumsum", "nancumprod",
               "gradient", "interp", "convolve", "correlate", "bincount", "cov",
               "corrcoef", "take_along_axis", "insert", "delete", "pad", "isin",
               "union1d", "intersect1d", "setdiff1d", "fmod", "gcd", "lcm", "ldexp",
               "nextafter", "signbit", "spacing", "compress", "extract", "resize",
               "nanargmax", "nanargmin", "ediff1d", "unwrap", "vander", "polyfit",
               "roots", "i0", "apply_along_axis", "inner", "vdot", "tensordot", "trace",
               "kron", "cross", "tile", "repeat", "tril", "triu", "linspace", "nanvar",
               "nanstd", "broadcast_to", "roll", "hstack", "vstack", "dstack",
               "column_stack", "block", "append", "diagonal", "diag", "rot90", "average",
               "trapezoid", "trapz"),
}
#: Name -> what computes it.
OWN = {name: getattr(module, name) for module, names in _ROWS.items() for name in names}
_FOUND = {getattr(numpy, name): own for name, own in OWN.items() if hasattr(numpy, name)}
#: NumPy function that is no ufunc -> what replaces it.
FUNCTIONS: dict[Any, Any] = {
    **_FOUND, **by_numpy.OF_MODULES, numpy.amax: reductions.max,
    numpy.amin: reductions.min, numpy.around: formulas.round,
    numpy.linalg.norm: linear.norm, numpy.ndim: ndim, numpy.shape: shape,
    numpy.size: size,
    **{getattr(numpy, name): scalar_ops[name] for name in ("angle", "imag", "real")},
}
#: (ufunc, method) -> what replaces it.
REDUCTIONS = {
    **{(ufunc, "reduce"): own for ufunc, own in (
        (numpy.add, reductions.sum), (numpy.multiply, reductions.prod),
        (numpy.maximum, reductions.max), (numpy.minimum, reductions.min),
        (numpy.logical_or, reductions.any), (numpy.logical_and, reductions.all))},
    (numpy.add, "accumulate"): _FOUND[numpy.cumsum],
    (numpy.multiply, "accumulate"): _FOUND[numpy.cumprod],
}
UFUNCS: dict[Any, Any] = {
    getattr(numpy, name): op for name, op in ALIASES.items()
    if isinstance(getattr(numpy, name, None), numpy.ufunc)}
UFUNCS.update((numpys, own) for numpys, own in _FOUND.items()
              if isinstance(numpys, numpy.ufunc))


def known(text: str) -> Any:
    return {getattr(numpy, name) for name in text.split() if hasattr(numpy, name)}


#: Functions whose answer is the same for all values of a dtype and dimensions.
ANSWERS = known("can_cast common_type dtype finfo iinfo iscomplexobj isrealobj isscalar "
                "issubdtype ndim promote_types result_type broadcast_shapes issctype")
#: Functions of numbers that make arrays.
MAKERS = known("array asarray eye identity tri indices logspace geomspace hanning hamming "
               "blackman bartlett kaiser mgrid fromiter vander tril_indices triu_indices "
               "diag_indices empty") | {numpy.fft.fftfreq, numpy.fft.rfftfreq}
#: Functions that may give a view of their first argument.
VIEWS = known("transpose swapaxes moveaxis rollaxis reshape ravel squeeze expand_dims real "
              "imag diagonal diag broadcast_to asarray asanyarray ascontiguousarray "
              "atleast_1d atleast_2d atleast_3d array_split split hsplit vsplit dsplit flip "
              "flipud fliplr rot90 nan_to_num broadcast_arrays")
#: NumPy's parameters that have other names in the functions that replace its own.
_RENAMED = {"a_min": "low", "a_max": "high", "min": "low", "max": "high",
            "fill_value": "value", "indices_or_sections": "sections", "b": "y", "v": "y",
            "a": "x"}


def call_ufunc(ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
    """Computes numpy.tanh(x) and numpy.add.reduce(x) in a graph."""
    own = REDUCTIONS.get((ufunc, method))
    if own is not None:
        keywords.setdefault("axis", 0)
        return own(*inputs, **keywords)
    op = UFUNCS.get(ufunc)
    if op is not None and method == "outer" and len(inputs) == 2 and not keywords:
        x, y = map(as_array, inputs)
        return op(indexing.index(x, (..., *(None,) * ndim(y))), y)
    if method in ("accumulate", "reduce", "reduceat"):
        return by_numpy.applied(f"{ufunc.__name__}.{method}", *inputs, **keywords)
    if op is None or method != "__call__":
        called = ufunc.__name__ + ("" if method == "__call__" else f".{method}")
        raise TypeError(f"numpy.{called} has no Op that computes it in a graph")
    if keywords:
        raise TypeError(f"numpy.{ufunc.__name__} takes no {', '.join(keywords)} in a "
                        f"graph")
    return op(*inputs)


def call_function(function: Any, arguments: Any, keywords: Any) -> Any:
    """Computes what NumPy's `function` does in a graph."""
    own = FUNCTIONS.get(function)
    if own is None:
        raise TypeError(f"{function.__module__}.{function.__name__} has no Op that "
                        f"computes it in a graph")
    return bound(function, own, *arguments, **keywords)


def bound(function: Any, own: Any, *arguments: Any, **keywords: Any) -> Any:
    """Calls what replaces a function with the arguments as NumPy binds them."""
    if isinstance(own, functools.partial):
        return own(*arguments, **keywords)  # NumPy itself.
    try:
        parameters = inspect.signature(function)
        wanted = inspect.signature(own).parameters
    except ValueError:
        return own(*arguments, **keywords)
    if any(p.kind is p.VAR_POSITIONAL for p in parameters.parameters.values()):
        return own(*arguments, **keywords)
    first: list[Any] = []
    more: dict[str, Any] = {}
    for name, value in parameters.bind(*arguments, **keywords).arguments.items():
        parameter = parameters.parameters[name]
        if parameter.kind is parameter.VAR_KEYWORD:
            more.update(value)
        elif parameter.default is parameter.empty and not more:
            first.append(value)
        elif value is parameter.default or name == "order" and type(value) is str and value == "C":
            continue
        elif name in wanted or _RENAMED.get(name) in wanted:
            more[name if name in wanted else _RENAMED[name]] = value
        else:
            raise TypeError(f"numpy.{function.__name__} takes no {name} in a graph")
    return own(*first, **more)
