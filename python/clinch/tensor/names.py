"""NumPy's functions, and what replaces each in a graph."""

from __future__ import annotations

import numpy

from ..annotations import Any
from ..ops import ALIASES, scalar_ops
from . import (by_numpy, casts, elemwise, formulas, indexing, linear, making, products,
               rearranging, reduce, reductions, statistics, views)
from .modules import MODULES
from .operands import as_array, ndim
from .shapes import shape, size

#: Name -> what computes it.
OWN = {name: getattr(module, name)
       for module in (elemwise, reduce, indexing, formulas, products, linear, casts, views,
                      rearranging, making, reductions, statistics, by_numpy)
       for name in MODULES[module.__name__.rpartition(".")[2]]}
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
    return own(*arguments, **keywords)
