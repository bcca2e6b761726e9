"""Fuses adjacent element-wise Ops into one loop.

A loop takes in the applies that feed it, unless something outside lies between
them, and then other loops that read the same arrays. Its Op is an `Elemwise` of a
`Composite`; a kernel on a device, of one result, is a `GpuElemwise` of one. A reduction
takes in the loop that it alone reads.
"""

from __future__ import annotations

from .. import _clinch
from ..base.annotations import Any, Iterable, Sequence
from ..graph.variables import Constant, rebuilt
from ..types.scalars import scalars
from .composite import Composite
from .grouping import Grouping, is_loop, stands_in_code
from .reduce import may_take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Apply, Variable


def fuse(inputs: Sequence[Variable], outputs: Sequence[Variable]) -> list[Variable]:
    """Returns the outputs of an equivalent graph with fewer loops."""
    order = _clinch.order(inputs, outputs)
    if not any(is_loop(node.op) for node in order):
        return list(outputs)
    grouping = Grouping(order, inputs, outputs)
    return Rebuilding(grouping, list(outputs), grouping.groups()).outputs()


class Rebuilding:
    """Rebuilds the graph with each group as one apply."""

    def __init__(self, grouping: Grouping, wanted: Sequence[Variable],
                 groups: Iterable[set[Apply]]) -> None:
        self.grouping = grouping
        self.wanted = wanted
        self.new: dict[Variable, Variable] = {}
        # Of loops that compute the same, by what they compute.
        self.ops: dict[Any, Any] = {}
        self.group_of = {node: frozenset(group) for group in groups
                         for node in group if len(group) > 1}

    def outputs(self) -> list[Variable]:
        for node in self.grouping.order:
            self._build(node)
        return [self.new.get(v, v) for v in self.wanted]

    def _build(self, last: Apply) -> None:
        """Builds what a unit reads, then the unit, without recursion."""
        made, stack = self.grouping.made, [last]
        while stack:
            node = stack[-1]
            if node.outputs[0] in self.new:
                stack.pop()
                continue
            group = self.group_of.get(node, frozenset([node]))
            waiting = [made[v] for member in group for v in member.inputs
                       if v not in self.new and v in made
                       and made[v] not in group]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            if len(group) > 1:
                self._merge(group)
            else:
                self._copy(node)

    def _given(self, variables: Iterable[Variable]) -> list[Variable]:
        return [self.new.get(v, v) for v in variables]

    def _copy(self, node: Apply) -> None:
        given = self._given(node.inputs)
        taken = self._take_loop(node, given)
        if taken is not None:
            self._note(node, node.outputs, taken)
        else:
            self.new.update(zip(node.outputs, rebuilt(node, given).outputs))

    def _note(self, old: Apply, outputs: Sequence[Variable], made: Apply) -> None:
        """Records that `made` replaces `old`."""
        made.creation = old.creation
        for a, b in zip(outputs, made.outputs):
            b.name = a.name
            self.new[a] = b

    def _merge(self, group: Iterable[Apply]) -> None:
        nodes = sorted(group, key=self.grouping.number.__getitem__)
        inputs, outputs = self.grouping.interface(group)
        op, arrays = self._op_of(nodes, inputs, outputs)
        made = op.make_node(*self._given(arrays))
        for node in nodes:  # Marks the group as built.
            self.new.update((v, v) for v in node.outputs)
        self._note(nodes[-1], outputs, made)

    def _op_of(self, nodes: Sequence[Any], inputs: Sequence[Variable],
               outputs: Sequence[Variable]) -> tuple[Any, list[Variable]]:
        """Returns the Op of a loop, and the arrays that it reads."""
        threads = nodes[-1].op.threads
        key = (_wiring(nodes, inputs, outputs), threads, type(nodes[-1].op))
        if key in self.ops:
            return self.ops[key], [v for v in inputs if not stands_in_code(v)]
        composite, arrays = composite_of(nodes, inputs, outputs)
        self.ops[key] = nodes[-1].op.instead(composite)
        return self.ops[key], arrays

    def _take_loop(self, node: Apply, given: Sequence[Variable]) -> Apply | None:
        """Returns the reduction with the loop that it alone reads, or None."""
        op: Any = node.op
        loop: Any = given[0].owner if len(given) == 1 else None
        if loop is None or not may_take(op, loop.op):
            return None
        (old,) = node.inputs
        if (loop.op.inplace or loop.op.threads != op.threads
                or self.grouping.made.get(old) not in self.grouping.fusible
                or len(loop.outputs) != 1 or old in self.grouping.outputs
                or len(self.grouping.clients[old]) != 1
                or loop.op.may_fail(loop) is not False):
            return None
        scalar_op, arrays = loop.op.scalar_op, loop.inputs
        if any(map(stands_in_code, arrays)):
            scalar_op, arrays = composite_of([loop], loop.inputs, loop.outputs)
        return op.changed(before=scalar_op).make_node(*arrays)


def _wiring(nodes: Sequence[Any], inputs: Sequence[Variable],
            outputs: Sequence[Variable]) -> Any:
    """Returns the same for loops of which `composite_of` makes the same."""
    places = {v: k for k, v in enumerate(inputs)}
    said: list[Any] = [
        (v.name, v.type.dtype, v.data.tobytes() if stands_in_code(v) else None)
        for v in inputs]
    for node in nodes:
        said.append((id(node.op.scalar_op), *[places[v] for v in node.inputs]))
        for v in node.outputs:
            places[v] = len(places)
    return tuple(said), tuple([places[v] for v in outputs])


def composite_of(nodes: Sequence[Any], inputs: Sequence[Variable],
                 outputs: Sequence[Variable]) -> tuple[Composite, list[Variable]]:
    """Returns the Composite that computes `outputs`, and the inputs it takes;
    constant numbers are written into it."""
    inner: dict[Variable, Variable] = {}
    arrays: list[Variable] = []
    for v in inputs:
        if stands_in_code(v):
            inner[v] = Constant(_scalar_type(v), v.data[()])
        else:
            inner[v] = _scalar_type(v)(v.name)
            arrays.append(v)
    for node in nodes:
        made = node.op.scalar_op.make_node(*[inner[v] for v in node.inputs])
        inner.update(zip(node.outputs, made.outputs))
    return (Composite([inner[v] for v in arrays],
                      [inner[v] for v in outputs]), arrays)


def _scalar_type(variable: Variable) -> Any:
    return scalars[variable.type.dtype]

