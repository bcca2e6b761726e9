"""Cuts a graph around Ops that have no C, into pieces as large as possible.
Values pass between the pieces through cells."""

from __future__ import annotations

from .. import _clinch
from ..base.annotations import Any, Callable, Iterable, Sequence
from .linkers import Linked, has_c_code, is_constant, link_parts, py_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Apply, Variable


def lacks_c(order: Iterable[Apply]) -> set[Apply]:
    """Returns the applies that can only run in Python."""
    return {node for node in order if not _has_c(node)}


def _has_c(node: Apply) -> bool:
    """Whether an apply has C; an Op with C may raise for these Types."""
    if not has_c_code(node):
        return False
    if not hasattr(node.op, "c_code") or hasattr(node.op, "_native"):
        return True
    try:
        node.op.c_code(
            node, "node", [f"i{k}" for k in range(len(node.inputs))],
            [f"o{k}" for k in range(len(node.outputs))],
            {"fail": "", "id": "0", "failure_var": "failure",
             "params": "params"})
    except NotImplementedError:
        return False
    except Exception:
        pass  # The assembler calls the hook again and reports the error.
    return True


def cut(order: Sequence[Apply], in_python: set[Apply]) -> list[list[Apply]]:
    """Returns lists of applies in running order: each list is all C, or one apply
    in Python."""
    if any(getattr(node.op, "destroy_map", None) for node in order):
        return _runs(order, in_python)
    made = {v: node for node in order for v in node.outputs}
    waiting = {node: len({made[v] for v in node.inputs if v in made})
               for node in order}
    clients: dict[Apply, list[Apply]] = {}
    for node in order:
        for maker in {made[v] for v in node.inputs if v in made}:
            clients.setdefault(maker, []).append(node)
    ready: dict[bool, list[Apply]] = {True: [], False: []}
    for node in order:
        if not waiting[node]:
            ready[node in in_python].append(node)
    pieces = []

    def done(node: Apply) -> None:
        for client in clients.get(node, ()):
            waiting[client] -= 1
            if not waiting[client]:
                ready[client in in_python].append(client)

    while ready[True] or ready[False]:
        piece = []
        for node in ready[False]:  # done() appends to it during the loop.
            piece.append(node)
            done(node)
        ready[False] = []
        if piece:
            pieces.append(piece)
        now, ready[True] = ready[True], []
        for node in now:
            pieces.append([node])
            done(node)
    return pieces


def _runs(order: Sequence[Apply], in_python: set[Apply]) -> list[list[Apply]]:
    """Cuts without reordering: an Op that destroys an input must stay after the
    applies that read it."""
    pieces: list[list[Apply]] = []
    for node in order:
        if (pieces and node not in in_python
                and pieces[-1][-1] not in in_python):
            pieces[-1].append(node)
        else:
            pieces.append([node])
    return pieces


def link_pieces(request: Any, order: Sequence[Apply], in_python: set[Apply]) -> Linked:
    """Links each piece in C into a thunk, and each other apply into its
    `perform`."""
    pieces = cut(order, in_python)
    users = _users(pieces, request.outputs)
    graphs: list[Any] = []

    def step_of(piece: list[Apply], linked: Linked, aliased: Iterable[Variable],
                request: Any) -> Any:
        if piece[0] in in_python:
            graphs.append((piece, None))
            return py_step(piece[0], linked.cells)
        graph, options = _graph(piece, len(graphs), users, aliased, request)
        graphs.append((piece, (graph, options)))
        program = _clinch.Program(*graph, **options)
        linked.programs.append(program)
        return program.instantiate(
            {v: linked.cells[v] for v in program.cells if v in linked.cells})

    linked = link_parts(request, order, pieces, step_of)
    linked.graphs = graphs
    return linked


def _users(pieces: list[list[Apply]],
           outputs: Sequence[Variable]) -> dict[Variable, set[int | None]]:
    """Returns for each variable the pieces that read it; None stands for the
    caller, which reads the outputs."""
    users: dict[Variable, set[int | None]] = {v: {None} for v in outputs}
    for number, piece in enumerate(pieces):
        for node in piece:
            for v in node.inputs:
                users.setdefault(v, set()).add(number)
    return users


def _graph(piece: list[Apply], number: int, users: dict[Variable, set[int | None]],
           aliased: Iterable[Variable], request: Any) -> tuple[Any, dict[str, Any]]:
    """Returns the arguments of `_clinch.Program` for a piece."""
    made = [v for node in piece for v in node.outputs]
    inside = set(made)
    inputs = list(dict.fromkeys(
        v for node in piece for v in node.inputs
        if v not in inside and not is_constant(v)))
    outputs = [v for v in made if users.get(v, set()) - {number}] or made[:1]
    return (inputs, outputs), dict(request.options, order=piece,
                                   no_recycling=[v for v in outputs if v in aliased])


def emit_pieces(linked: Linked, emit: Callable[..., str]) -> str:
    """Joins what `emit(inputs, outputs, **options)` returns for each piece."""
    parts, graphs = [], linked.graphs or []
    for number, (piece, described) in enumerate(graphs, 1):
        title = (f"// piece {number} of {len(graphs)}: "
                 f"{len(piece)} apply{'s' * (len(piece) > 1)}\n")
        if described is None:
            parts.append(title + f"// {piece[0]!r} runs its perform\n")
            continue
        graph, options = described
        parts.append(title + emit(*graph, **options))
    return "\n".join(parts)
