"""Maxima and minima of integers.

PyTensor's C takes them as `double`, since the NaN that it may give is one: items beyond
2**53 are rounded, and what is beyond the type is undefined.
"""

import pytensor.scalar as ps
from pytensor.scalar.basic import Composite, discrete_dtypes

from clinch.pytensor import versions


def _exact(kind, sign):
    class Exact(kind):
        def c_code(self, node, name, inputs, outputs, sub):
            of = node.outputs[0].type.dtype_specs()[1]
            x, y = (f"({of})({item})" for item in inputs)
            return f"{outputs[0]} = {y} {sign} {x} ? {y} : {x};"

    return Exact(ps.upcast_out, name=kind.__name__.lower())


_EXACT = {ps.Maximum: _exact(ps.Maximum, ">"), ps.Minimum: _exact(ps.Minimum, "<")}


def exact(scalar, outputs):
    """Returns the scalar Op that computes what `scalar` does for these outputs, without
    rounding integers: itself in most cases."""
    if not isinstance(scalar, Composite):
        own = _EXACT.get(type(scalar))
        return own if own and outputs[0].type.dtype in discrete_dtypes else scalar
    if all(exact(n.op, n.outputs) is n.op for n in scalar.fgraph.apply_nodes):
        return scalar
    graph = versions.copied(scalar.fgraph)
    for node in graph.apply_nodes:
        node.op = exact(node.op, node.outputs)
    own = type(scalar)(graph.inputs, graph.outputs)
    _ = own.c_code_template  # PyTensor 2.38 names the parts only then.
    return own


def for_integers(node):
    """Returns the Op, of scalars or of arrays, that takes the place of `node`'s, or
    None."""
    scalar = getattr(node.op, "scalar_op", node.op)
    own = exact(scalar, node.outputs)
    if own is scalar:
        return None
    return own if scalar is node.op else versions.altered(node.op, scalar_op=own)
