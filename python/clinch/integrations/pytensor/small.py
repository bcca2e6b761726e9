"""One block of C for neighbouring applies on few items, whose shapes are known.

Models have dozens of these: numbers taken from the vector of parameters, what is computed
from them, and the parts of a gradient that are joined. Apart, each makes and checks an
array object for its result, which takes longer than what it computes.
"""

from itertools import groupby

from pytensor.configdefaults import config

from clinch.integrations.pytensor import plan
from clinch.integrations.pytensor.config import options
from clinch.integrations.pytensor.joined import JoinedOp
from clinch.integrations.pytensor.pickling import as_it_arrives
from clinch.integrations.pytensor.small_text import KINDS, fits, text
from clinch.integrations.pytensor.versions import altered

#: The bytes of all results in a block, at most: they are on its thread's stack.
_MOST = 1 << 16


class SmallGraph(JoinedOp):
    """Applies on few items."""

    def __init__(self, nodes, inputs, outputs):
        self.nodes = [as_it_arrives(_not_in_place(node)) for node in nodes]
        self.inputs, self.outputs = inputs, outputs

    def made(self, inputs):
        return self.outputs

    def scalars(self):
        return [op for node in self.nodes if (op := getattr(node.op, "scalar_op", None))]

    def c_support_code_apply(self, node, name):
        return "\n".join(
            scalar.c_support_code_apply(inner, f"{name}_{k}_scalar_")
            for k, inner in enumerate(self.nodes)
            if (scalar := getattr(inner.op, "scalar_op", None))
        )

    def c_code(self, node, name, inputs, outputs, sub):
        return text(self, name, inputs, outputs, sub)

    def __str__(self):
        return f"SmallGraph{{{', '.join(str(node.op) for node in self.nodes)}}}"


def _not_in_place(node):
    """Returns the apply with an Op that destroys none of its inputs."""
    if not getattr(node.op, "destroy_map", None):
        return node
    op = altered(node.op, inplace_pattern={}, inplace=False, destroy_map={})
    return altered(node, op=op)


def joined(fgraph, nodes, keep_order):
    """Returns what computes `nodes`, in order: pairs of an apply of them, and those that
    it stands for."""
    if not options.small_graphs or config.openmp:
        return [(node, [node]) for node in nodes]
    small = {node: fits(node) for node in nodes}
    if not keep_order:
        nodes = plan.gather(fgraph, nodes, small)
    found = []
    for is_small, group in groupby(nodes, small.get):
        if is_small:
            found += [(_one(fgraph, part), part) for part in _parts(group)]
        else:
            found += [(node, [node]) for node in group]
    return found


def _parts(nodes):
    """Cuts neighbours into parts whose results find room together."""
    parts, room = [], 0
    for node in nodes:
        size = sum(map(plan.size, node.outputs))
        if room < size:
            parts.append([])
            room = _MOST
        parts[-1].append(node)
        room -= size
    return parts


def _one(fgraph, nodes):
    if len(nodes) == 1 and not KINDS[type(nodes[0].op)].alone:
        return nodes[0]
    made = {v for node in nodes for v in node.outputs}
    data = (v for node in nodes for v in KINDS[type(node.op)].data(node))
    inputs = list(dict.fromkeys(v for v in data if v not in made))
    _, outputs = plan.boundary(fgraph, nodes)
    op = SmallGraph(nodes, inputs, outputs)
    return altered(nodes[0], op=op, inputs=inputs, outputs=outputs)
