"""NumPy's names for what Clinch computes, on scalars and on arrays."""

from __future__ import annotations

import numpy

from ..ops import ALIASES, scalar_ops
from ..type import is_array
from . import reductions
from .casts import astype
from .elemwise import Elemwise
from .making import concatenate, full_like, ones_like, stack, zeros_like
from .operands import as_operand, is_weak, ndim, weak
from .products import dot, matmul
from .shapes import shape, size
from .views import copy, ravel, reshape, swapaxes, transpose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any
    from ..graph import Variable


def where(condition: Any, x: Any, y: Any) -> Variable:
    """x where the condition holds, else y."""
    switch = scalar_ops["switch"]
    if not any(map(is_array, (condition, x, y))):
        return switch(condition, x, y)
    condition = as_operand(condition)
    if condition.type.dtype != "bool":
        condition = astype(condition, "bool")
    strong = [as_operand(v).type.dtype for v in (x, y) if not is_weak(v)]
    x, y = (weak(v, strong) if is_weak(v) else v for v in (x, y))
    return Elemwise(switch)(condition, x, y)


def clip(x, low=None, high=None):
    """Limits x to `low` and `high`; None is no limit, nor is an integer beyond
    those that x can have."""
    if low is None and high is None:
        raise ValueError("One of max or min must be given")
    dtype = as_operand(x).type.dtype if is_array(x) else "bool"
    if numpy.dtype(dtype).kind in "iu":
        ends = numpy.iinfo(dtype)
        low = None if type(low) is int and low <= ends.min else low
        high = None if type(high) is int and high >= ends.max else high
        if low is None and high is None:
            return scalar_ops["identity"](x)
    if low is None or high is None:
        return (scalar_ops["maximum"](x, low) if high is None
                else scalar_ops["minimum"](x, high))
    if not any(map(is_array, (x, low, high))):
        return scalar_ops["clip"](x, low, high)
    return scalar_ops["minimum"](scalar_ops["maximum"](x, low), high)


def round(x, decimals=0):
    if decimals:
        raise ValueError("round() supports only decimals=0")
    return scalar_ops["round"](x)


#: NumPy functions that are not ufuncs, and what replaces them in a graph.
FUNCTIONS = {
    numpy.where: where, numpy.clip: clip, numpy.dot: dot,
    numpy.sum: reductions.sum, numpy.prod: reductions.prod,
    numpy.mean: reductions.mean, numpy.max: reductions.max,
    numpy.amax: reductions.max, numpy.min: reductions.min,
    numpy.amin: reductions.min, numpy.any: reductions.any,
    numpy.all: reductions.all, numpy.argmax: reductions.argmax,
    numpy.argmin: reductions.argmin, numpy.var: reductions.var,
    numpy.std: reductions.std, numpy.transpose: transpose,
    numpy.swapaxes: swapaxes, numpy.reshape: reshape, numpy.ravel: ravel,
    numpy.copy: copy,
    numpy.concatenate: concatenate, numpy.stack: stack, numpy.size: size,
    numpy.shape: shape, numpy.ndim: ndim,
    numpy.full_like: full_like, numpy.zeros_like: zeros_like,
    numpy.ones_like: ones_like, numpy.round: round,
    numpy.around: round, numpy.real: scalar_ops["real"],
    numpy.imag: scalar_ops["imag"], numpy.angle: scalar_ops["angle"],
}

conj, real, imag = (scalar_ops[name] for name in ("conj", "real", "imag"))

REDUCTIONS = {numpy.add: reductions.sum, numpy.multiply: reductions.prod,
              numpy.maximum: reductions.max, numpy.minimum: reductions.min,
              numpy.logical_or: reductions.any,
              numpy.logical_and: reductions.all}
UFUNCS: dict[Any, Any] = {
    getattr(numpy, name): op for name, op in ALIASES.items()
    if isinstance(getattr(numpy, name, None), numpy.ufunc)}
UFUNCS[numpy.matmul] = matmul
