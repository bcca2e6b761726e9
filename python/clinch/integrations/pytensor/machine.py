"""Machines, which PyTensor calls VMs: they run thunks one after another.

If an apply fails, a machine adds PyTensor's notes on it, as PyTensor's own
machines in Python do.
"""

from dataclasses import dataclass

from pytensor.link.vm import UpdatingVM

from clinch.integrations.pytensor.errors import raise_at


@dataclass
class Step:
    """A thunk and the applies that it runs."""

    compiled: bool
    nodes: list
    thunk: object
    #: The apply that is named for each block of the thunk which fails.
    named: list


class _Part:
    """One apply of a machine, in the form of a thunk for PyTensor's messages and
    profiles."""

    lazy = False

    def __init__(self, node, step, storage_map):
        self.node = node
        self.step = step
        self.storage_map = storage_map

    @property
    def inputs(self):
        return [self.storage_map.get(v, [None]) for v in self.node.inputs]

    @property
    def outputs(self):
        return [self.storage_map.get(v, [None]) for v in self.node.outputs]

    @property
    def cthunk(self):
        if not self.step.compiled:
            raise AttributeError("cthunk")
        return self.step.thunk.cthunk

    def __call__(self, output_subset=None):
        """Runs the step that this apply belongs to."""
        self.step.thunk()


class _Machine(UpdatingVM):
    """Runs the steps of a graph."""

    def __init__(self, linker, steps, storage_map, inputs, outputs):
        parts = [_Part(n, s, storage_map) for s in steps for n in s.nodes]
        super().__init__(
            linker.fgraph,
            [part.node for part in parts],
            parts,
            [],
            storage_map,
            inputs,
            outputs,
            linker.updated_vars,
        )
        self.allow_gc = bool(linker.allow_gc)
        self.steps = steps

    def _raise(self, step):
        """Raises the current exception, as PyTensor does if an apply failed."""
        position = getattr(step.thunk, "position_of_error", None)
        if not step.compiled:
            position = 0
        if position is None:
            raise
        node = step.named[position]
        part = self.thunks[self.nodes.index(node)]
        raise_at(self.fgraph, node, part, self.storage_map)


class GraphMachine(_Machine):
    """Runs a graph that is one thunk of C."""

    need_update_inputs = True

    def __init__(self, linker, steps, *arguments):
        super().__init__(linker, steps, *arguments)
        self.run = steps[0].thunk.run
        self.outputs = tuple(self.output_storage)

    def __call__(self, output_subset=None):
        try:
            self.run()
        except Exception:
            self._raise(self.steps[0])
        # Faster than the list that Function would make.
        return [cell[0] for cell in self.outputs]


class PiecesMachine(_Machine):
    """Runs thunks of C and of Python in turn, and updates inputs."""

    def __init__(self, linker, steps, storage_map, *arguments):
        super().__init__(linker, steps, storage_map, *arguments)
        self.pre_call_clear = _fresh_from_python(linker, steps, storage_map)
        clear = _last_uses(self, steps) if self.allow_gc else [()] * len(steps)
        self.program = tuple(
            (step, step.thunk.run if step.compiled else step.thunk, done)
            for step, done in zip(steps, clear, strict=True)
        )

    def __call__(self, output_subset=None):
        for cell in self.pre_call_clear:
            cell[0] = None
        try:
            for step, run, done in self.program:  # noqa: B007
                run()
                for cell in done:
                    cell[0] = None
        except Exception:
            self._raise(step)
        return self.perform_updates()


def _fresh_from_python(linker, steps, storage_map):
    """Returns the cells that must be empty before `perform`; thunks of C empty their
    own."""
    made = {v for s in steps if not s.compiled for n in s.nodes for v in n.outputs}
    return [storage_map[v] for v in linker.no_recycling if v in made]


def _last_uses(machine, steps):
    """Returns for each step the cells that no later step reads."""
    last = {}
    for i, step in enumerate(steps):
        for node in step.nodes:
            for v in (*node.inputs, *node.outputs):
                last[v] = i
    kept = {*machine.fgraph.outputs, *machine.fgraph.inputs}
    done = [[] for _ in steps]
    for v, i in last.items():
        if v.owner is not None and v not in kept:
            done[i].append(machine.storage_map[v])
    return [tuple(cells) for cells in done]
