"""Maxima and minima of integers.

PyTensor's C takes them as `double`, since the NaN that it may give is one: items beyond
2**53 are rounded, and what is beyond the type is undefined.
"""

from copy import copy

import pytensor.scalar as ps
from pytensor.scalar.basic import Composite, discrete_dtypes

from clinch.pytensor import versions


class _Exact:
    def c_code(self, node, name, inputs, outputs, sub):
        (z,) = outputs
        of = node.outputs[0].type.dtype_specs()[1]
        x, y = (f"({of})({item})" for item in inputs)
        return f"{z} = {y} {self.sign} {x} ? {y} : {x};"


class _Maximum(_Exact, ps.Maximum):
    sign = ">"


class _Minimum(_Exact, ps.Minimum):
    sign = "<"


#: By PyTensor's classes.
_EXACT = {
    ps.Maximum: _Maximum(ps.upcast_out, name="maximum"),
    ps.Minimum: _Minimum(ps.upcast_out, name="minimum"),
}


def exact(scalar, outputs):
    """Returns the scalar Op that computes what `scalar` does for these outputs, without
    rounding integers: itself in most cases."""
    if isinstance(scalar, Composite):
        return _composite(scalar)
    own = _EXACT.get(type(scalar))
    return own if own and outputs[0].type.dtype in discrete_dtypes else scalar


def _composite(scalar):
    if not any(_is_inexact(node) for node in scalar.fgraph.apply_nodes):
        return scalar
    graph = versions.copied(scalar.fgraph)
    for node in graph.apply_nodes:
        node.op = exact(node.op, node.outputs)
    own = type(scalar)(graph.inputs, graph.outputs)
    _ = own.c_code_template  # PyTensor 2.38 names the parts only then.
    return own


def _is_inexact(node):
    return exact(node.op, node.outputs) is not node.op


def for_integers(node):
    """Returns the Op, of scalars or of arrays, that takes the place of `node`'s, or
    None."""
    of_arrays = hasattr(node.op, "scalar_op")
    scalar = node.op.scalar_op if of_arrays else node.op
    own = exact(scalar, node.outputs)
    if own is scalar:
        return None
    if not of_arrays:
        return own
    op = copy(node.op)
    op.scalar_op = own
    return op
