"""Keeps a caller's memory and a function's apart.

An Op in place on an input works on a copy of it, unless the input is mutable. An
output that is, or shares memory with, an input, a constant or another output is
given as a deep copy.
"""

from __future__ import annotations

from .. import _clinch
from ..base.annotations import Any, Iterable, Sequence
from ..ops.generic_ops import deep_copy_op
from ..types.generic_type import CDataType
from ..graph.variables import rebuilt
from .linkers import is_constant
from ..types.params import _Enumeration
from ..types.scalars import Double, Scalar
from ..base.walks import applies, pairs, positions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Apply, Variable

#: Types whose values nobody can change. What a PyCapsule points to has no copy.
UNCHANGING = (Double, Scalar, _Enumeration, CDataType)


def protect(ins: Sequence[Any],
            outs: Sequence[Any]) -> tuple[list[Variable], list[bool]]:
    """Returns the Variables that a function of these `In` and `Out` computes and
    gives, and for each whether Python must copy its value, because its Type has no
    C code for that."""
    sharing = Sharing(ins)
    found = sharing.with_own_inputs([out.variable for out in outs])
    if sharing.destroyed:
        _clinch.order([item.variable for item in ins], found)  # Or a GraphError.
    return sharing.with_own_outputs(found, [out.borrow for out in outs])


class Sharing:
    """Which Variables may share memory, by the Ops' maps."""

    def __init__(self, ins: Sequence[Any]) -> None:
        self.ins = {item.variable: item for item in ins}
        # Variable: those that own its memory, if not itself.
        self.roots: dict[Variable, set[Variable]] = {}
        self.destroyed: set[Variable] = set()  # Owners that some Op works in place on.

    def roots_of(self, variable: Variable) -> Iterable[Variable]:
        return self.roots.get(variable, (variable,))

    def with_own_inputs(self, outputs: Sequence[Variable]) -> list[Variable]:
        """Returns the outputs of the graph in which an Op that destroys a
        protected input has a copy of it instead."""
        new: dict[Variable, Variable] = {}
        for node in applies(self.ins, outputs):
            if not (new or getattr(node.op, "view_map", None)
                    or getattr(node.op, "destroy_map", None)):
                continue
            given = [new.get(v, v) for v in node.inputs]
            for _, place in positions(node, "destroy_map"):
                if any(map(self._is_protected, self.roots_of(given[place]))):
                    given[place] = deep_copy_op(given[place])
                self.destroyed.update(self.roots_of(given[place]))
            made = rebuilt(node, given)
            new.update((a, b) for a, b in zip(node.outputs, made.outputs)
                       if a is not b and a not in self.ins)
            self._note_shared(made)
        return [new.get(v, v) for v in outputs]

    def _note_shared(self, node: Apply) -> None:
        for made, given in pairs(node):
            if made not in self.ins:
                self.roots.setdefault(made, set()).update(self.roots_of(given))

    def _is_protected(self, variable: Variable) -> bool:
        item = self.ins.get(variable)
        return item is not None and not item.may_be_destroyed

    def with_own_outputs(self, outputs: Sequence[Variable],
                         borrowed: Sequence[bool]) -> tuple[list[Variable], list[bool]]:
        """Returns the outputs with a deep copy of each that may not be given as
        it is; and for each whether Python makes it."""
        given, copied = [], []
        # Owner: whether all outputs that share its memory may.
        taken: dict[Variable, bool] = {}
        for variable, borrow in zip(outputs, borrowed):
            roots = self.roots_of(variable)
            aliased = not isinstance(variable.type, UNCHANGING) and any(
                self._is_kept(root, borrow)
                or root in taken and not (borrow and taken[root])
                for root in roots)
            made = deep_copy_op.make_node(variable) if aliased else None
            in_c = made is not None and deep_copy_op.has_c_code(made)
            given.append(made.out if made and in_c else variable)
            copied.append(aliased and not in_c)
            if not aliased:
                taken.update((root, borrow) for root in roots)
        return given, copied

    def _is_kept(self, root: Variable, borrow: bool) -> bool:
        """Whether the memory stays somebody else's: a caller's, a default
        value's or a constant's."""
        item = self.ins.get(root)
        if item is None:
            return is_constant(root)
        if item.may_be_destroyed and root in self.destroyed:
            return False
        return item.value is not None or not (item.borrow and borrow)
