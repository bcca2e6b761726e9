"""Random number generators in thunks.

Their Type has no C. In a thunk's graph they are replaced by variables of
`generic`, which hold any Python object, with the same cells.
"""

from pytensor.link.c.interface import CLinkerType
from pytensor.link.c.type import generic

from clinch.integrations.pytensor.versions import altered


class StandIns(dict):
    """Maps each variable whose Type has no C to one that has; others to themselves."""

    def __missing__(self, variable):
        if isinstance(variable.type, CLinkerType):
            return variable
        own = self[variable] = generic.make_variable(variable.name)
        own.owner, own.index = variable.owner, variable.index
        return own

    def of(self, variables):
        return [self[v] for v in variables]

    def node(self, node):
        """Returns the apply with variables that have C; a copy if they differ."""
        inputs, outputs = self.of(node.inputs), self.of(node.outputs)
        if inputs == node.inputs and outputs == node.outputs:
            return node
        return altered(node, inputs=inputs, outputs=outputs)

    def cells(self, cells):
        """Returns the cells, with those of the stand-ins added."""
        if not self:
            return cells
        return {**cells, **{own: cells[v] for v, own in self.items() if v in cells}}
