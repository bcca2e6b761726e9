"""What PyTensor calls a VM: runs thunks one after the other, in one call."""

from dataclasses import dataclass

from pytensor.link.utils import raise_with_op
from pytensor.link.vm import UpdatingVM


@dataclass
class Step:
    """A thunk and the applies that it runs."""

    compiled: bool
    nodes: list
    thunk: object


class _Machine(UpdatingVM):
    """Steps of a graph."""

    def __init__(self, linker, steps, storage_map, inputs, outputs):
        nodes = [node for step in steps for node in step.nodes]
        super().__init__(
            linker.fgraph,
            nodes,
            [step.thunk for step in steps for _ in step.nodes],
            [],
            storage_map,
            inputs,
            outputs,
            linker.updated_vars,
        )
        self.allow_gc = bool(linker.allow_gc)
        self.steps = steps

    def fail(self, step):
        """Raises the current exception again, with PyTensor's word on the apply."""
        node = self._failed_node(step)
        if node is None:
            raise
        raise_with_op(
            self.fgraph, node, _Cells(node, self.storage_map), None, self.storage_map
        )

    @staticmethod
    def _failed_node(step):
        if not step.compiled:
            return step.nodes[0]
        position = getattr(step.thunk, "position_of_error", None)
        return None if position is None else step.nodes[position]


class GraphMachine(_Machine):
    """All of the graph is one thunk of C."""

    need_update_inputs = True

    def __init__(self, linker, steps, *arguments):
        super().__init__(linker, steps, *arguments)
        self.run = steps[0].thunk.run

    def __call__(self):
        # Function reads the outputs from their cells itself.
        try:
            self.run()
        except Exception:
            self.fail(self.steps[0])


class PiecesMachine(_Machine):
    """Thunks of C and of Python in turn; also where inputs are updated."""

    def __init__(self, linker, steps, storage_map, *arguments):
        super().__init__(linker, steps, storage_map, *arguments)
        self.pre_call_clear = _fresh_from_python(linker, steps, storage_map)
        clear = _last_uses(self, steps) if self.allow_gc else [()] * len(steps)
        self.program = tuple(
            (step, step.thunk.run if step.compiled else step.thunk, done)
            for step, done in zip(steps, clear, strict=True)
        )

    def __call__(self):
        for cell in self.pre_call_clear:
            cell[0] = None
        step = None
        try:
            for step, run, done in self.program:
                run()
                for cell in done:
                    cell[0] = None
        except Exception:
            self.fail(step)
        return self.perform_updates()


def _fresh_from_python(linker, steps, storage_map):
    """Cells that a `perform` must find empty; thunks of C know by themselves."""
    made = {v for s in steps if not s.compiled for n in s.nodes for v in n.outputs}
    return [storage_map[v] for v in linker.no_recycling if v in made]


def _last_uses(machine, steps):
    """For each step, the cells that nobody reads after it."""
    last = {}
    for i, step in enumerate(steps):
        for node in step.nodes:
            for v in (*node.inputs, *node.outputs):
                last[v] = i
    outputs = set(machine.fgraph.outputs)
    done = [[] for _ in steps]
    for v, i in last.items():
        if v.owner is not None and v not in outputs and v not in machine.fgraph.inputs:
            done[i].append(machine.storage_map[v])
    return [tuple(cells) for cells in done]


class _Cells:
    """A node's inputs and outputs, as PyTensor's messages read them."""

    def __init__(self, node, storage_map):
        self.inputs = [storage_map.get(v, [None]) for v in node.inputs]
        self.outputs = [storage_map.get(v, [None]) for v in node.outputs]
