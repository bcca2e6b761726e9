"""Products of arrays, and norms, that are formulas of others."""

from __future__ import annotations

import functools

from ..base.annotations import Any, Axis, Sequence
from ..ops.scalar_ops import scalar_ops
from .by_numpy import applied
from .casts import astype
from .formulas import kind_of
from .indexing import index
from .operands import as_array, ndim
from .products import dot
from .rearranging import expand_dims
from .reduce import normalized
from .reductions import sum
from .views import ravel, transpose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Variable

_op = scalar_ops.__getitem__


def outer(x: Any, y: Any) -> Variable:
    return expand_dims(ravel(x), 1) * ravel(y)


def norm(x: Any, ord: Any = None, axis: Axis = None, keepdims: bool = False) -> Variable:
    """Returns numpy.linalg.norm; that of all items, or of vectors, is one loop."""
    x = as_array(x)
    vectors = isinstance(axis, int) or axis is None and ndim(x) == 1
    if not (ord is None or ord == 2 and vectors):
        return applied("linalg.norm", x, ord, axis, keepdims)
    if kind_of(x) not in "fc":
        x = astype(x, "float64")
    if axis is not None and len(normalized(axis, ndim(x))) > 2:
        raise ValueError("Improper number of dimensions to norm.")
    return _op("sqrt")(sum(_op("sqr")(_op("abs")(x)), axis, keepdims=keepdims))


def einsum(subscripts: str, *operands: Any) -> Variable:
    """Returns the sum of products that the letters say: one loop if there is a letter for
    each dimension, none twice in an operand, and no dots."""
    arrays = [as_array(x) for x in operands]
    given, _, said = subscripts.replace(" ", "").partition("->")
    terms = given.split(",")
    letters = sorted(set(given) - {","})
    if "->" not in subscripts:
        said = "".join(c for c in letters if given.count(c) == 1)
    if (any(not term.isalpha() and term or len(set(term)) != len(term)
            for term in (*terms, said)) or not set(said) <= set(letters)
            or [len(term) for term in terms] != [ndim(x) for x in arrays]):
        return applied("einsum", subscripts, *arrays)
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
