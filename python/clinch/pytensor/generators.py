"""Generators of random numbers in thunks.

Their Type has no C; in the graph of a thunk variables of `generic`, which are
objects of Python's as they are, stand for them, with the same cells.
"""

from copy import copy

from pytensor.link.c.interface import CLinkerType
from pytensor.link.c.type import generic


class StandIns(dict):
    """For each variable whose Type has no C, one that has some."""

    def __missing__(self, variable):
        if isinstance(variable.type, CLinkerType):
            return variable
        own = self[variable] = generic.make_variable(variable.name)
        own.owner, own.index = variable.owner, variable.index
        return own

    def of(self, variables):
        return [self[v] for v in variables]

    def node(self, node):
        """The apply with variables that have C: a copy, where it is another."""
        inputs, outputs = self.of(node.inputs), self.of(node.outputs)
        if inputs == node.inputs and outputs == node.outputs:
            return node
        own = copy(node)
        own.inputs, own.outputs = inputs, outputs
        return own

    def cells(self, cells):
        """The cells, for what stands in, too."""
        if not self:
            return cells
        return {**cells, **{own: cells[v] for v, own in self.items() if v in cells}}
