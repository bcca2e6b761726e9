"""Products of arrays, and norms, that are formulas of others."""

from __future__ import annotations

import builtins
import functools
import math

import numpy

from ..annotations import Any, Axis, Sequence
from ..ops import scalar_ops
from .casts import astype
from .formulas import kind_of
from .indexing import index
from .making import stack
from .operands import as_array, ndim
from .products import dot
from .rearranging import diagonal, expand_dims
from .reduce import normalized, reduced
from .reductions import min, sum
from .shapes import known_shape, shape
from .views import ravel, reshape, swapaxes, transpose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph import Variable

_op = scalar_ops.__getitem__


def outer(x: Any, y: Any) -> Variable:
    return expand_dims(ravel(x), 1) * ravel(y)


def inner(x: Any, y: Any) -> Variable:
    """Sums over the last dimension of both."""
    x, y = as_array(x), as_array(y)
    if not ndim(x) or not ndim(y):
        return x * y
    return dot(x, swapaxes(y, -1, -2) if ndim(y) > 1 else y)


def vdot(x: Any, y: Any) -> Variable:
    x = ravel(x)
    return dot(_op("conj")(x) if kind_of(x) == "c" else x, ravel(y))


def tensordot(x: Any, y: Any, axes: Any = 2) -> Variable:
    """Sums over so many last dimensions of x and first ones of y, or over those that
    two lists name."""
    x, y = as_array(x), as_array(y)
    if isinstance(axes, int):
        axes = range(ndim(x) - axes, ndim(x)), range(axes)
    summed = []
    for v, some in zip((x, y), axes):
        some = [some] if isinstance(some, int) else list(some)
        normalized(tuple(some), ndim(v))
        summed.append([k % ndim(v) for k in some])
    kept = [[k for k in range(ndim(v)) if k not in some]
            for v, some in zip((x, y), summed)]
    if len(summed[0]) != len(summed[1]):
        raise ValueError("shape-mismatch for sum")
    lengths = [[shape(v)[k] for k in some] for v, some in zip((x, y), kept)]
    count = math.prod(shape(x)[k] for k in summed[0])
    made = dot(reshape(transpose(x, kept[0] + summed[0]), [-1, count]),
               reshape(transpose(y, summed[1] + kept[1]), [count, -1]))
    return reshape(made, [*lengths[0], *lengths[1]])


def trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1,
          dtype: str | None = None) -> Variable:
    return sum(diagonal(x, offset, axis1, axis2), -1, dtype)


def kron(x: Any, y: Any) -> Variable:
    x, y = as_array(x), as_array(y)
    count = builtins.max(ndim(x), ndim(y))
    x, y = (index(v, (None,) * (count - ndim(v)) + (...,)) for v in (x, y))
    one = index(x, (slice(None), None) * count)
    made = one * index(y, (None, slice(None)) * count)
    return reshape(made, [n * m for n, m in zip(shape(x), shape(y))])


def cross(x: Any, y: Any) -> Variable:
    """The product of vectors of three items, along the last dimension."""
    x, y = as_array(x), as_array(y)
    if {*known_shape(x, "cross")[-1:], *known_shape(y, "cross")[-1:]} != {3}:
        raise TypeError("cross() takes vectors of three items here")
    parts = [x[..., k] * y[..., m] - x[..., m] * y[..., k]
             for k, m in ((1, 2), (2, 0), (0, 1))]
    return stack(parts, -1)


@functools.cache
def _norm_of_nothing() -> float | None:
    """Returns the greatest of no sizes as the NumPy that is installed has it: 0, or
    None where it raises, as it did before 2.3."""
    try:
        return float(numpy.linalg.norm([], math.inf))
    except ValueError:
        return None


def _greatest(size: Any, axis: Any, keepdims: bool) -> Variable:
    return reduced("maximum", size, axis, size.type.dtype, keepdims,
                   empty=_norm_of_nothing())


def _lengths(x: Any, order: Any, axes: Sequence[int], keepdims: bool) -> Variable:
    """Returns the norms of vectors along one axis."""
    (axis,) = axes
    size = _op("abs")(x)
    if order in (math.inf, -math.inf):
        end: Any = _greatest if order > 0 else min
        return end(size, axis, keepdims)
    if order == 0:
        return sum(astype(_op("neq")(x, 0), size.type.dtype), axis, keepdims=keepdims)
    if order == 1:
        return sum(size, axis, keepdims=keepdims)
    if order in (None, 2):
        return _op("sqrt")(sum(_op("sqr")(size), axis, keepdims=keepdims))
    if isinstance(order, str):
        raise ValueError(f"Invalid norm order '{order}' for vectors")
    return sum(size ** order, axis, keepdims=keepdims) ** (1.0 / order)


def _sizes(x: Any, order: Any, axes: Sequence[int], keepdims: bool) -> Variable:
    """Returns the norms of matrices along two axes."""
    size = _op("abs")(x)
    if order in (None, "fro", "f"):
        return _op("sqrt")(sum(_op("sqr")(size), axes, keepdims=keepdims))
    if order not in (1, -1, math.inf, -math.inf):
        raise TypeError(f"norm() of order {order!r} needs singular values, and has no "
                        f"Op that computes it in a graph")
    added, other = axes if abs(order) == 1 else axes[::-1]
    end: Any = _greatest if order > 0 else min
    made = end(sum(size, added, keepdims=True), other, True)
    return made if keepdims else sum(made, axes)


def norm(x: Any, ord: Any = None, axis: Axis = None, keepdims: bool = False) -> Variable:
    """Returns numpy.linalg.norm: of all items, of vectors, or of matrices."""
    x = as_array(x)
    if kind_of(x) not in "fc":
        x = astype(x, "float64")
    count = ndim(x)
    if axis is None and (ord is None or ord in ("f", "fro") and count == 2
                         or ord == 2 and count == 1):
        return _op("sqrt")(sum(_op("sqr")(_op("abs")(x)), None, keepdims=keepdims))
    given = tuple(range(count)) if axis is None else axis
    given = given if isinstance(given, tuple) else (given,)
    axes = normalized(given, count)
    if len(axes) not in (1, 2):
        raise ValueError("Improper number of dimensions to norm.")
    if len(axes) == 1:
        return _lengths(x, ord, axes, keepdims)
    return _sizes(x, ord, tuple(k % count for k in given), keepdims)


def einsum(subscripts: str, *operands: Any) -> Variable:
    """Returns the sum of products that the letters say: one letter for each dimension,
    none twice in an operand, and no dots."""
    arrays = [as_array(x) for x in operands]
    given, _, said = subscripts.replace(" ", "").partition("->")
    terms = given.split(",")
    letters = sorted(set(given) - {","})
    if "->" not in subscripts:
        said = "".join(c for c in letters if given.count(c) == 1)
    if any(not term.isalpha() and term or len(set(term)) != len(term)
           for term in (*terms, said)):
        raise TypeError(f"einsum({subscripts!r}) has no Op that computes it in a graph: "
                        f"dots, and letters that are twice in an operand")
    if len(terms) != len(arrays):
        raise ValueError(f"einsum({subscripts!r}) is of {len(terms)} operands, and "
                         f"{len(arrays)} were given")
    for term, x in zip(terms, arrays):
        if len(term) != ndim(x):
            raise ValueError(f"einsum({subscripts!r}): {term!r} is of {len(term)} "
                             f"dimensions, and the operand has {ndim(x)}")
    if not set(said) <= set(letters):
        raise ValueError(f"einsum({subscripts!r}): its result has a letter that no "
                         f"operand has")
    if _is_product(terms, said):
        return _product(terms, said, *arrays)
    return _sum_of_products(terms, said, letters, arrays)


def _is_product(terms: Sequence[str], said: str) -> bool:
    """Whether this is a product of two matrices."""
    return (len(terms) == 2 and {len(term) for term in (*terms, said)} == {2}
            and set(said) == set(terms[0]) ^ set(terms[1]))


def _product(terms: Sequence[str], said: str, x: Variable, y: Variable) -> Variable:
    a, b = terms
    (common,) = set(a) & set(b)
    x = x if a[1] == common else transpose(x)
    y = y if b[0] == common else transpose(y)
    made = dot(x, y)
    return made if said[0] in a else transpose(made)


def _sum_of_products(terms: Sequence[str], said: str, letters: Sequence[str],
                     arrays: Sequence[Any]) -> Variable:
    """Multiplies over all letters, and sums over those that the result has not; one loop
    does it."""
    order = said + "".join(c for c in letters if c not in said)
    parts = []
    for term, x in zip(terms, arrays):
        x = transpose(x, [term.index(c) for c in order if c in term])
        parts.append(index(x, tuple(slice(None) if c in term else None for c in order)))
    made = functools.reduce(_op("mul"), parts)
    gone = tuple(range(len(said), len(order)))
    return sum(made, gone, made.type.dtype) if gone else made
