"""Decides which element-wise applies become one loop, in one pass over the graph.

Each loop and each other apply has a depth, which grows from the results to the
inputs: what a loop needs by way of an apply that is no loop, or of a loop that it
cannot take in, is deeper. Loops of one depth are ordered by their last apply. All
that a loop reads is made deeper, or by an earlier one in this order, so no loops
wait for one another.
"""

from __future__ import annotations

from ..graph.variables import Constant
from ..types.scalars import scalars
from ..base.walks import connected, pairs
from .kernel import refuse_state
from .operands import ndim, shape_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeGuard

    from ..base.annotations import Any, Iterable, Sequence
    from ..graph.variables import Apply, Variable

#: How many loops that read or make the same array are tried as partners.
_TRIES = 8


class Loop:
    """Applies that run in one loop. `depth` and `number`, of its last apply, are
    its place in the order. `reads` and `outputs` count the uses of what it reads,
    but for numbers in its code, and of what is used outside of it."""

    def __init__(self, node: Any, number: int, uses: dict[Variable, int],
                 failing: bool | None) -> None:
        self.nodes, self.number, self.depth = [node], number, 0
        self.threads, self.failing, self.op = node.op.threads, failing, node.op
        self.form = _form(node.outputs[0])
        self.reads: dict[Variable, int] = {}
        for v in node.inputs:
            if not stands_in_code(v):
                self.reads[v] = self.reads.get(v, 0) + 1
        self.outputs = {v: uses[v] for v in node.outputs if v in uses}
        self.into = self

    def is_full_for(self, other: Loop) -> bool:
        """Whether both together surely have too many outputs."""
        return (len(self.outputs) + len(other.outputs) > self.op.most_outputs
                and self.outputs.keys().isdisjoint(other.reads.keys())
                and other.outputs.keys().isdisjoint(self.reads.keys()))

    def with_(self,
              other: Loop) -> tuple[dict[Variable, int], dict[Variable, int]] | None:
        """Returns the `reads` and `outputs` of both as one loop; None if a loop
        cannot have so many."""
        outputs = {v: uses for a, b in ((self, other), (other, self))
                   for v, uses in ((v, n - b.reads.get(v, 0))
                                   for v, n in a.outputs.items()) if uses}
        reads: dict[Variable, int] = {}
        for a, b in ((self, other), (other, self)):
            for v, n in a.reads.items():
                if v not in b.outputs:
                    reads[v] = reads.get(v, 0) + n
        if len(reads) > self.op.most_inputs or len(outputs) > self.op.most_outputs:
            return None
        # If the loop has no items but an output has some, the library computes
        # that with dummies for the other operands, which must not fail.
        if len(outputs) > 1 and (self.failing or other.failing):
            return None
        return reads, outputs

    def take(self, other: Loop,
             both: tuple[dict[Variable, int], dict[Variable, int]]) -> None:
        """Takes in another loop; `both` is from `with_`."""
        self.reads, self.outputs = both
        self.nodes += other.nodes
        self.failing = self.failing or other.failing
        self.depth = max(self.depth, other.depth)
        other.into = self

    def arrays(self) -> set[Variable]:
        return {v for v in self.reads if not isinstance(v, Constant)}


class Grouping:
    """The loops of a graph."""

    def __init__(self, order: Sequence[Apply], inputs: Sequence[Variable],
                 outputs: Sequence[Variable]) -> None:
        self.order = order
        self.number = {node: n for n, node in enumerate(order)}
        given = set(inputs)
        self.made = {v: node for node in order for v in node.outputs
                     if v not in given}
        self.clients: dict[Variable, list[Apply]] = {}
        self.uses: dict[Variable, int] = {}
        for node in order:
            for v in node.inputs:
                self.clients.setdefault(v, []).append(node)
        self.outputs = set(outputs)
        for v in self.made:
            uses = len(self.clients.get(v, ())) + (v in self.outputs)
            if uses:
                self.uses[v] = uses
        self.destroyed = _destroyed(order)
        self.failing: dict[Any, bool | None] = {}
        self.fusible = {node for node in order if self._is_fusible(node)}
        self.loop_of: dict[Apply, Loop] = {}
        self.depth: dict[Apply, int] = {}

    def _is_fusible(self, node: Any) -> bool:
        if not is_loop(node.op) or node.op.inplace:
            return False
        # A loop that reads what another Op destroys must not move.
        if any(v in self.destroyed for v in (*node.inputs, *node.outputs)):
            return False
        return len(set(map(_form, node.outputs))) == 1 \
            and self._may_fail(node) is not None

    def _may_fail(self, node: Any) -> bool | None:
        """Whether an item can fail; None if the Op cannot be in a loop with
        others. It depends on the Op and the dtypes alone, so it is asked once."""
        key = (id(node.op.scalar_op), *(v.type.dtype for v in node.inputs))
        if key not in self.failing:
            self.failing[key] = _may_fail(node)
        return self.failing[key]

    def groups(self) -> list[set[Apply]]:
        """Returns sets of applies, each of which becomes one loop."""
        loops = []
        for node in reversed(self.order):
            clients = [client for v in node.outputs
                       for client in self.clients.get(v, ())]
            reading = {self.loop_of[c] for c in clients if c in self.fusible}
            below = max((self.depth[c] for c in clients
                         if c not in self.fusible), default=0)
            deeper = max([below, *(loop.depth + 1 for loop in reading)])
            if node not in self.fusible:
                self.depth[node] = deeper
                continue
            loop = Loop(node, self.number[node], self.uses,
                        self._may_fail(node))
            if not self._absorbed(loop, reading, below):
                loop.depth = deeper
                loops.append(loop)
            self.loop_of[node] = loop.into
        self._unite(loops)
        return [set(loop.nodes) for loop in loops if loop.into is loop]

    def _absorbed(self, loop: Loop, reading: set[Loop], below: int) -> bool:
        """Whether the first in the order of the loops that read it took it in."""
        if not reading:
            return False
        first = max(reading, key=lambda one: (one.depth, one.number))
        # Items of a smaller form would be computed repeatedly.
        if (below > first.depth or first.form != loop.form
                or first.threads != loop.threads):
            return False
        both = first.with_(loop)
        if both is not None:
            first.take(loop, both)
        return both is not None

    def _unite(self, loops: list[Loop]) -> None:
        """Unites loops over the same arrays."""
        near: dict[Variable, list[Loop]] = {}  # The loops that read or make it.
        for loop in loops:  # The last come first.
            shared = [*loop.arrays(), *loop.outputs]
            tried = dict.fromkeys(
                other for v in shared for other in near.get(v, ())[-_TRIES:])
            for other in tried:
                both = (not other.is_full_for(loop)
                        and self._may_unite(loop, other) and other.with_(loop))
                if both:
                    other.take(loop, both)
                    break
            for v in shared:
                others = near.setdefault(v, [])
                if loop.into not in others[-1:]:
                    others.append(loop.into)

    def _may_unite(self, one: Loop, other: Loop) -> bool:
        """Whether one of them reads only what the other reads or makes, and
        nothing else lies between them, because all they read is deeper."""
        if one.threads != other.threads or one.form != other.form:
            return False
        a, b = one.arrays(), other.arrays()
        if not (a and a <= b | other.outputs.keys()
                or b and b <= a | one.outputs.keys()):
            return False
        depth = max(one.depth, other.depth)
        return all(self._is_deeper(v, depth) for v in a | b
                   if v not in one.outputs and v not in other.outputs)

    def _is_deeper(self, variable: Variable, depth: int) -> bool:
        maker = self.made.get(variable)
        if maker is None:
            return True
        loop = self.loop_of.get(maker)
        return (self.depth[maker] if loop is None else loop.into.depth) > depth

    def interface(self,
                  group: Iterable[Apply]) -> tuple[list[Variable], list[Variable]]:
        """Returns what a group reads, and its results that are read elsewhere."""
        nodes = sorted(group, key=self.number.__getitem__)
        made = {v for node in nodes for v in node.outputs}
        inputs = dict.fromkeys(v for node in nodes for v in node.inputs
                               if v not in made)
        outputs = [v for node in nodes for v in node.outputs
                   if v in self.outputs or any(
                       client not in group
                       for client in self.clients.get(v, ()))]
        return list(inputs), outputs


def _may_fail(node: Any) -> bool | None:
    try:
        inner = node.op._inner(node)
        refuse_state(node.op.scalar_op, inner)
        node.op.scalar_op.make_node(*inner.inputs)
    except (TypeError, NotImplementedError):
        return None
    if any(type(v.type).__name__ != "Scalar" for v in inner.inputs):
        return None
    return node.op.may_fail(node)


def is_loop(op: Any) -> bool:
    """Whether an Op applies a scalar Op to each item, here or on a device."""
    return hasattr(op, "instead")


def _form(variable: Variable) -> tuple[Any, ...]:
    """Says in which dimensions an array is known to be broadcast. Of one on a device
    the number of dimensions is known."""
    if not hasattr(variable.type, "shape"):
        return type(variable.type), ndim(variable)
    return tuple(n == 1 for n in shape_of(variable))


def _destroyed(order: Sequence[Apply]) -> set[Variable]:
    """Returns what an Op works on in place, and all that shares its memory."""
    shares: dict[Variable, list[Variable]] = {}
    for node in order:
        for a, b in pairs(node):
            shares.setdefault(a, []).append(b)
            shares.setdefault(b, []).append(a)
    return connected((given for node in order
                      for _, given in pairs(node, "destroy_map")), shares)


def stands_in_code(variable: Variable) -> TypeGuard[Constant]:
    """Whether it is a constant number that is written as a literal."""
    return (isinstance(variable, Constant) and ndim(variable) == 0
            and bool(scalars[variable.type.dtype].c_literal(
                variable.data[()])))
