"""Scalar Ops whose C by PyTensor is wrong.

Maxima and minima of integers are taken as `double`, since the NaN that they may be is one:
items beyond 2**53 are rounded, and what is beyond the type is undefined. Whether a complex
number equals one of another type is what its real part says.
"""

import pytensor.scalar as ps
from pytensor.scalar.basic import EQ, NEQ, Composite, discrete_dtypes

from clinch.integrations.pytensor import versions


def _exact(kind, text, of=None):
    class Exact(kind):
        def c_code(self, node, name, inputs, outputs, sub):
            item = (of or node.outputs[0].type).dtype_specs()[1]
            x, y = (f"({item})({given})" for given in inputs)
            return f"{outputs[0]} = {text.format(x=x, y=y)};"

    return Exact(ps.upcast_out, name=kind.__name__.lower())


_EXTREMES = {
    ps.Maximum: _exact(ps.Maximum, "{y} > {x} ? {y} : {x}"),
    ps.Minimum: _exact(ps.Minimum, "{y} < {x} ? {y} : {x}"),
}
_EQUAL = {
    EQ: _exact(EQ, "{x} == {y}", ps.complex128),
    NEQ: _exact(NEQ, "!({x} == {y})", ps.complex128),
}


def exact(scalar, inputs, outputs):
    """Returns the scalar Op that is right for these variables: mostly `scalar` itself."""
    if not isinstance(scalar, Composite):
        if any(v.type.dtype.startswith("complex") for v in inputs):
            return _EQUAL.get(type(scalar), scalar)
        integers = outputs[0].type.dtype in discrete_dtypes
        return _EXTREMES.get(type(scalar), scalar) if integers else scalar
    if all(exact(n.op, n.inputs, n.outputs) is n.op for n in scalar.fgraph.apply_nodes):
        return scalar
    graph = versions.copied(scalar.fgraph)
    for node in graph.apply_nodes:
        node.op = exact(node.op, node.inputs, node.outputs)
    own = type(scalar)(graph.inputs, graph.outputs)
    _ = own.c_code_template  # PyTensor 2.38 names the parts only then.
    return own


def for_exact(node):
    """Returns the Op, of scalars or of arrays, that takes the place of `node`'s, or None."""
    scalar = getattr(node.op, "scalar_op", node.op)
    own = exact(scalar, node.inputs, node.outputs)
    if own is scalar:
        return None
    return own if scalar is node.op else versions.altered(node.op, scalar_op=own)
