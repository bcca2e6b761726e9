"""The linker `clinch`: links a whole graph into one thunk, if all of it has C.

Applies without C run in Python as in PyTensor, between thunks that hold as many
applies as possible. Graphs with lazy Ops, and functions that are profiled or
watched apply by apply, run in PyTensor's own virtual machines with a Clinch thunk
for each apply.
"""

from pytensor.link.basic import Container
from pytensor.link.utils import map_storage
from pytensor.link.vm import VMLinker

from clinch import CompileError
from clinch.integrations.pytensor import inner, openmp, plan
from clinch.integrations.pytensor.config import compiling, without_compiler
from clinch.integrations.pytensor.errors import keeping_notes, raise_for_apply
from clinch.integrations.pytensor.generators import StandIns
from clinch.integrations.pytensor.inline import TAG
from clinch.integrations.pytensor.machine import GraphMachine, PiecesMachine, Step
from clinch.integrations.pytensor.registry import check_known, with_code
from clinch.integrations.pytensor.small import joined
from clinch.integrations.pytensor.thunk import NO_C, build, lacks_code, named_constants
from clinch.integrations.pytensor.versions import altered, find
from clinch.integrations.pytensor.vm import NOTED, is_watched

IfElse = find("pytensor.conditional.op:IfElse", "pytensor.ifelse:IfElse")


class ClinchLinker(VMLinker):
    """A `VMLinker` whose C thunks are Clinch's.

    If `whole_graph` is false, each apply gets a thunk, as in PyTensor's `cvm`.
    """

    required_rewrites = ("minimum_compile", TAG)
    incompatible_rewrites = ()
    #: Whether applies become one where that is quicker.
    joins = True

    def __init__(self, *, whole_graph=True, **arguments):
        arguments.setdefault("c_thunks", True)
        super().__init__(**arguments)
        self.use_cloop = False
        self.whole_graph = whole_graph

    def accept(self, fgraph, no_recycling=None, profile=None):
        if self.fgraph is not None and self.fgraph is not fgraph:
            other = altered(self, fgraph=None, updated_vars={})
            return other.accept(fgraph, no_recycling, profile)
        return super().accept(fgraph, no_recycling, profile)

    def make_all(self, profiler=None, input_storage=None, output_storage=None, storage_map=None):
        with compiling():
            order = super().schedule(self.fgraph)
            for node in order:
                check_known(node)
            if self._apply_by_apply(order):
                with keeping_notes():
                    return super().make_all(profiler, input_storage, output_storage, storage_map)
            inputs, outputs, storage_map = map_storage(
                self.fgraph, order, input_storage, output_storage, storage_map
            )
            machine = self._machine(order, storage_map, inputs, outputs)
        return (
            machine,
            self._containers(self.fgraph.inputs, inputs),
            self._containers(self.fgraph.outputs, outputs, readonly=True),
            machine.thunks,
            machine.nodes,
        )

    def schedule(self, fgraph):
        """What PyTensor's virtual machines run, apply by apply."""
        return [inner.prepared(openmp.without_gxx(n)) for n in super().schedule(fgraph)]

    def make_vm(self, *arguments):
        with without_compiler():  # PyTensor would make its machine in C.
            machine = super().make_vm(*arguments)
        machine.__class__ = NOTED[type(machine)]
        return machine

    def _apply_by_apply(self, order):
        return (
            not self.whole_graph
            or bool(self.profile)
            or self.lazy
            or is_watched(self)
            or any(_is_lazy(node.op) for node in order)
        )

    @staticmethod
    def _containers(variables, storages, **how):
        return [
            Container(v, storage, **how) for v, storage in zip(variables, storages, strict=True)
        ]

    def _machine(self, order, storage_map, inputs, outputs):
        steps = self._steps(order, storage_map)
        if len(steps) == 1 and steps[0].compiled and not self.updated_vars:
            kind = GraphMachine
        else:
            kind = PiecesMachine
        return kind(self, steps, storage_map, inputs, outputs)

    def _steps(self, order, storage_map):
        """Makes a step for each piece; an apply that turns out to have no C gets
        its own."""
        without_code = set()
        made = {}
        while True:
            pieces = plan.cut(self.fgraph, order, without_code, callable(self._scheduler))
            try:
                return [self._step(piece, storage_map, made) for piece in pieces]
            except NO_C:
                late = {
                    node
                    for piece in pieces
                    if piece.compiled
                    for i, node in enumerate(piece.nodes)
                    if lacks_code(with_code(node), i)
                }
                if late <= without_code:
                    raise
                without_code |= late

    def _step(self, piece, storage_map, made):
        key = tuple(piece.nodes)
        if key not in made:
            make = self._compiled if piece.compiled else self._python
            made[key] = make(piece, storage_map)
        return made[key]

    def _compiled(self, piece, storage_map):
        blocks, named = self._blocks(piece.nodes)
        nodes = [openmp.without_gxx(with_code(node)) for node in blocks]
        for node in (*piece.nodes, *nodes):
            node.op.prepare_node(node, storage_map, None, "c")
        inputs, outputs = plan.boundary(self.fgraph, piece.nodes)
        fresh = set(self.no_recycling)
        if self.allow_gc:
            made = {v for node in nodes for v in node.outputs}
            fresh.update(v for v in made.difference(outputs) if not plan.is_small(v))
        own = StandIns()
        nodes = [own.node(node) for node in nodes]
        inputs, outputs, fresh = own.of(inputs), own.of(outputs), set(own.of(fresh))
        try:
            how = (fresh, own.cells(storage_map), bool(self.allow_gc))
            thunk = _build(inputs, outputs, nodes, *how)
        except NO_C:
            raise
        except Exception as error:
            raise_for_apply(self.fgraph, error, nodes)
        return Step(True, piece.nodes, thunk, named)

    def _blocks(self, nodes):
        """Returns the applies that are compiled for these, and the first of those that
        each stands for."""
        if not self.joins:
            return nodes, nodes
        found = joined(self.fgraph, nodes, callable(self._scheduler))
        return [one for one, _ in found], [parts[0] for _, parts in found]

    def _python(self, piece, storage_map):
        (node,) = piece.nodes
        # No compute map: machines run the applies in order.
        own = inner.prepared(node)
        thunk = own.op.make_thunk(own, storage_map, None, [])
        return Step(False, piece.nodes, thunk, piece.nodes)


def _build(inputs, outputs, order, *how):
    """Builds a thunk. If it does not compile, constants whose names an Op needs
    become inputs instead of literals."""
    try:
        return build(inputs, outputs, order, *how)
    except CompileError:
        named = named_constants(order)
        if not named:
            raise
    return build([*inputs, *named], outputs, order, *how)


def _is_lazy(op):
    """Whether it is IfElse, or another Op whose thunk asks for its inputs."""
    return isinstance(op, IfElse) or getattr(op, "lazy", False)
