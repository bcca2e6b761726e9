"""Fuses adjacent element-wise Ops into one loop.

A loop absorbs the applies that feed it, unless something outside lies between
them, and then other loops that read the same arrays. Its Op is an `Elemwise` of a
`Composite`. A reduction absorbs the loop that it alone reads.
"""

from .. import _clinch
from ..graph import Constant, rebuilt
from ..ops import is_array
from ..scalar import scalars
from .composite import Composite
from .cycles import without_cycles
from .elemwise import MOST_INPUTS, MOST_OUTPUTS, Elemwise
from .kernel import refuse_state
from .operands import ndim, shape_of
from .reduce import may_take_loop, with_loop


def fuse(inputs, outputs):
    """Returns the outputs of an equivalent graph with fewer loops."""
    if not any(map(is_array, (*inputs, *outputs))):
        return list(outputs)
    order = _clinch.order(inputs, outputs)
    if not any(isinstance(node.op, Elemwise) for node in order):
        return list(outputs)
    grouping = Grouping(order, inputs, outputs)
    return Rebuilding(grouping, list(outputs), grouping.groups()).outputs()


class Grouping:
    """Decides which applies become one loop."""

    def __init__(self, order, inputs, outputs):
        self.order = order
        self.number = {node: n for n, node in enumerate(order)}
        given = set(inputs)
        self.made = {v: node for node in order for v in node.outputs
                     if v not in given}
        self.clients = {}
        for node in order:
            for v in node.inputs:
                self.clients.setdefault(v, []).append(node)
        self.outputs = set(outputs)
        self.before = self._ancestors()
        self.destroyed = _destroyed(order)
        self.fusible = {node for node in order if self._is_fusible(node)}
        self.failing = {node for node in self.fusible
                        if node.op.may_fail(node)}

    def _ancestors(self):
        """Returns for each apply a bit set of the applies that it needs."""
        before = {}
        for node in self.order:
            bits = 0
            for v in node.inputs:
                maker = self.made.get(v)
                if maker is not None:
                    bits |= before[maker] | 1 << self.number[maker]
            before[node] = bits
        return before

    def _is_fusible(self, node):
        if not isinstance(node.op, Elemwise) or node.op.inplace:
            return False
        # A loop that reads what another Op destroys must not move.
        if any(v in self.destroyed for v in (*node.inputs, *node.outputs)):
            return False
        try:
            inner = node.op._inner(node)
            refuse_state(node.op.scalar_op, inner)
            node.op.scalar_op.make_node(*inner.inputs)
            return all(type(v.type).__name__ == "Scalar"
                       for v in inner.inputs)
        except (TypeError, NotImplementedError):
            return False

    def groups(self):
        """Returns sets of applies, each of which becomes one loop."""
        taken, groups = set(), []
        for root in reversed(self.order):
            if root in self.fusible and root not in taken:
                group = self._grow(root, taken)
                taken |= group
                groups.append(group)
        return without_cycles(self._join(groups), self.order, self.made)

    def _grow(self, root, taken):
        group, bits, before = {root}, 1 << self.number[root], self.before[root]
        refused = set()
        while True:
            candidates = {self.made[v] for node in group for v in node.inputs
                          if v in self.made} - group - refused - taken
            candidates &= self.fusible
            if not candidates:
                return group
            # The last first, so that its consumers are already in the group.
            node = max(candidates, key=self.number.get)
            if self._may_join(node, root, group, bits, before):
                group.add(node)
                bits |= 1 << self.number[node]
                before |= self.before[node]
            else:
                refused.add(node)

    def _may_join(self, node, root, group, bits, before):
        if node.op.threads != root.op.threads:
            return False
        if any(_is_smaller(v, root.outputs[0]) for v in node.outputs):
            return False  # Items would be computed repeatedly.
        for v in node.outputs:
            for client in self.clients.get(v, ()):
                bit = 1 << self.number[client]
                if not bits & bit and before & bit:
                    return False  # Something else lies between them.
        return self._has_room(group | {node})

    def _has_room(self, group):
        inputs, outputs = self.interface(group)
        inputs = [v for v in inputs if not stands_in_code(v)]
        if len(inputs) > MOST_INPUTS or len(outputs) > MOST_OUTPUTS:
            return False
        # If the loop has no items but an output has some, the library computes
        # that with dummies for the other operands, which must not fail.
        return len(outputs) == 1 or not any(n in self.failing for n in group)

    def interface(self, group):
        """Returns what a group reads, and its results that are read elsewhere."""
        nodes = sorted(group, key=self.number.get)
        made = {v for node in nodes for v in node.outputs}
        inputs = dict.fromkeys(v for node in nodes for v in node.inputs
                               if v not in made)
        outputs = [v for node in nodes for v in node.outputs
                   if v in self.outputs or any(
                       client not in group
                       for client in self.clients.get(v, ()))]
        return list(inputs), outputs

    def _join(self, groups):
        """Unites loops over the same arrays."""
        result = []
        for group in groups:  # The last come first.
            other = next((o for o in result if self._may_unite(group, o)),
                         None)
            if other is None:
                result.append(set(group))
            else:
                other |= group
        return result

    def _may_unite(self, one, other):
        """Whether one of them reads only what the other reads or makes, and
        nothing else lies between them."""
        if {n.op.threads for n in one} != {n.op.threads for n in other}:
            return False
        if not (self._reads_no_more(one, other)
                or self._reads_no_more(other, one)):
            return False
        both = one | other
        bits = before = 0
        for node in both:
            bits |= 1 << self.number[node]
            before |= self.before[node]
        between = before & ~bits
        # No ancestor of theirs may depend on them.
        while between:
            number = between.bit_length() - 1
            if self.before[self.order[number]] & bits:
                return False
            between &= ~(1 << number)
        return self._has_room(both)

    def _reads_no_more(self, one, other):
        reads, made = self._arrays(one), {v for n in other for v in n.outputs}
        if not reads or not reads <= self._arrays(other) | made:
            return False
        # Items would be computed repeatedly.
        return not any(_is_smaller(a, b) for n in one for a in n.outputs
                       for m in other for b in m.outputs)

    def _arrays(self, group):
        return {v for v in self.interface(group)[0]
                if not isinstance(v, Constant)}


def _destroyed(order):
    """Returns what an Op works on in place, and all that shares its memory."""
    found, shares = set(), {}
    for node in order:
        for maps in ("view_map", "destroy_map"):
            for out, sources in (getattr(node.op, maps, None) or {}).items():
                for k in sources:
                    a, b = node.outputs[out], node.inputs[k]
                    shares.setdefault(a, []).append(b)
                    shares.setdefault(b, []).append(a)
                    if maps == "destroy_map":
                        found.add(b)
    stack = list(found)
    while stack:
        for v in shares.get(stack.pop(), ()):
            if v not in found:
                found.add(v)
                stack.append(v)
    return found


def _is_smaller(one, other):
    """Whether `one` is known to be broadcast to fit `other`."""
    if ndim(one) < ndim(other):
        return True
    return any(a == 1 and b != 1
               for a, b in zip(shape_of(one), shape_of(other)))


class Rebuilding:
    """Rebuilds the graph with each group as one apply."""

    def __init__(self, grouping, wanted, groups):
        self.grouping = grouping
        self.wanted = wanted
        self.new = {}
        self.group_of = {node: group for group in map(frozenset, groups)
                         for node in group if len(group) > 1}

    def outputs(self):
        for node in self.grouping.order:
            self._build(node)
        return [self.new.get(v, v) for v in self.wanted]

    def _build(self, last):
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

    def _given(self, variables):
        return [self.new.get(v, v) for v in variables]

    def _copy(self, node):
        given = self._given(node.inputs)
        taken = self._take_loop(node, given)
        if taken is not None:
            self._note(node, node.outputs, taken)
        else:
            self.new.update(zip(node.outputs, rebuilt(node, given).outputs))

    def _note(self, old, outputs, made):
        """Records that `made` replaces `old`."""
        made.creation = old.creation
        for a, b in zip(outputs, made.outputs):
            b.name = a.name
            self.new[a] = b

    def _merge(self, group):
        nodes = sorted(group, key=self.grouping.number.get)
        inputs, outputs = self.grouping.interface(group)
        composite, arrays = composite_of(nodes, inputs, outputs)
        made = Elemwise(composite, threads=nodes[-1].op.threads).make_node(
            *self._given(arrays))
        for node in nodes:  # Marks the group as built.
            self.new.update((v, v) for v in node.outputs)
        self._note(nodes[-1], outputs, made)

    def _take_loop(self, node, given):
        """Returns the reduction with the loop that it alone reads, or None."""
        if not may_take_loop(node.op):
            return None
        (old,), loop = node.inputs, given[0].owner
        if (loop is None or not isinstance(loop.op, Elemwise)
                or loop.op.inplace or loop.op.threads
                or self.grouping.made.get(old) not in self.grouping.fusible
                or len(loop.outputs) != 1 or old in self.grouping.outputs
                or len(self.grouping.clients[old]) != 1
                or loop.op.may_fail(loop)):
            return None
        scalar_op, arrays = loop.op.scalar_op, loop.inputs
        if any(map(stands_in_code, arrays)):
            scalar_op, arrays = composite_of([loop], loop.inputs, loop.outputs)
        return with_loop(node.op, scalar_op).make_node(*arrays)


def composite_of(nodes, inputs, outputs):
    """Returns the Composite that computes `outputs`, and the inputs it takes;
    constant numbers are written into it."""
    inner, arrays = {}, []
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


def stands_in_code(variable):
    """Whether it is a constant number that is written as a literal."""
    return (isinstance(variable, Constant) and ndim(variable) == 0
            and bool(_literal(variable)))


def _scalar_type(variable):
    return scalars[variable.type.dtype]


def _literal(constant):
    return _scalar_type(constant).c_literal(constant.data[()])
