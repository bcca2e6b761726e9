"""Cuts a graph into pieces of as many applies with C as the order allows."""

import math
from dataclasses import dataclass, field
from graphlib import TopologicalSorter

import numpy as np
from pytensor.tensor.type import TensorType

from clinch.integrations.pytensor.registry import with_code

#: The bytes of an array that is not worth freeing between two calls.
SMALL = 4096


@dataclass
class Piece:
    """Applies that run together in one thunk of C, or one that runs in Python."""

    compiled: bool
    nodes: list = field(default_factory=list)


def cut(fgraph, order, without_code=(), keep_order=False):
    """Returns the pieces of `order`, the order in which PyTensor would run the graph.

    With `keep_order` only neighbours are joined.
    """
    compiled = {node: node not in without_code and with_code(node) is not None for node in order}
    if not keep_order and not all(compiled.values()):
        order = gather(fgraph, order, compiled)
    pieces = []
    for node in order:
        if compiled[node] and pieces and pieces[-1].compiled:
            pieces[-1].nodes.append(node)
        else:
            pieces.append(Piece(compiled[node], [node]))
    return pieces


def gather(fgraph, order, compiled):
    """Returns an equivalent order in which applies of a kind are together."""
    position = {node: i for i, node in enumerate(order)}
    sorter = TopologicalSorter(_before(fgraph, order))
    sorter.prepare()
    result, ready, kind = [], [], True
    while sorter.is_active():
        ready += sorter.get_ready()
        now = sorted((n for n in ready if compiled[n] is kind), key=position.__getitem__)
        ready = [n for n in ready if compiled[n] is not kind]
        if not now:
            kind = not kind
        result += now
        sorter.done(*now)
    return result


def _before(fgraph, order):
    """Returns which applies each one must wait for."""
    forced = fgraph.orderings()
    inside = set(order)
    return {
        node: inside & {*(v.owner for v in node.inputs), *forced.get(node, ())} for node in order
    }


def boundary(fgraph, nodes):
    """Returns what `nodes` take from outside, and what others take from them."""
    inside = set(nodes)
    made = {v for node in nodes for v in node.outputs}
    inputs = dict.fromkeys(
        v
        for node in nodes
        for v in node.inputs
        if v not in made and (v.owner is not None or v in fgraph.inputs)
    )
    outputs = dict.fromkeys(
        v
        for node in nodes
        for v in node.outputs
        if any(client not in inside for client, _ in fgraph.clients[v])
    )
    return list(inputs), list(outputs)


def is_small(variable):
    """Whether its type says that its value is an array of at most `SMALL` bytes."""
    type = variable.type
    if not isinstance(type, TensorType) or None in type.shape:
        return False
    return size(variable) <= SMALL


def size(variable):
    """The bytes of an array of a known shape."""
    return math.prod(variable.type.shape) * np.dtype(variable.type.dtype).itemsize
