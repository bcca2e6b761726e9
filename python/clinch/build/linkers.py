"""Links a graph into steps: one thunk for all of it, or one for each apply."""

from __future__ import annotations

import time

import numpy

from .. import _clinch
from ..base.annotations import Any
from ..base.configuration import config
from ..errors import add_note
from ..base.progress import reporting
from ..types.type import Type, what
from ..base.walks import connected, pairs


class Linked:
    """Steps to run one after another, and the cells they share."""

    def __init__(self, steps: Any, cells: Any, recycled: Any, destroyed: Any) -> None:
        self.steps = steps
        self.cells = cells
        self.recycled = recycled
        self.destroyed = destroyed
        self.thunk = None
        self.programs: list[Any] = []
        self.graphs: list[Any] | None = None  # One for each step, if the graph was cut.
        self.portable = None  # The content of its pickles, once one was made.

    @property
    def tasks(self) -> Any:
        return [task for program in self.programs for task in program.tasks]

    @property
    def key(self) -> Any:
        return "+".join(program.key for program in self.programs)

    @property
    def thunks(self) -> Any:
        return [s for s in self.steps if isinstance(s, _clinch.Thunk)]

    @property
    def stats(self) -> Any:
        stats = (self.programs[0].stats if len(self.programs) == 1 else
                 _sum_stats([program.stats for program in self.programs]))
        thunks = self.thunks
        stats["code"] = ", ".join(dict.fromkeys(t.code for t in thunks))
        stats["code_error"] = next(
            (t.code_error for t in thunks if t.code_error), None)
        return stats

    def wait(self, timeout: Any = None) -> Any:
        return wait(self.thunks, timeout)


def wait(thunks: Any, timeout: Any = None) -> Any:
    """Waits until thunks have the code of their final tier, at most `timeout`
    seconds; returns whether all do. Raises the error of a compile that failed."""
    end = None if timeout is None else time.monotonic() + timeout
    ready, failure = True, None
    with reporting(config.progress, "waiting for better code") as progress:
        for done, thunk in enumerate(thunks, 1):
            left = None if end is None else max(0.0, end - time.monotonic())
            try:
                ready &= thunk.wait(left)
            except Exception as error:
                failure = failure or error
            if progress is not None:
                progress(done, len(thunks))
    if failure is not None:
        raise failure
    return ready


def _sum_stats(all_stats: Any) -> Any:
    """Adds up the stats of a function's programs. One compiled program makes
    it a cache miss; otherwise one read from disk makes it a hit on disk."""
    total = {"cache": "hit", "cache_from": "memory", "stages": [],
             "source_bytes": 0, "object_bytes": 0, "code_bytes": 0,
             "warnings": []}
    times: dict[Any, Any] = {}
    for stats in all_stats:
        for name in ("source_bytes", "object_bytes", "code_bytes"):
            total[name] += stats[name]
        if stats["cache_from"] == "disk":
            total["cache_from"] = "disk"
        total["warnings"] += stats["warnings"]
        for stage in stats["stages"]:
            times[stage["name"]] = times.get(stage["name"], 0) + stage["ms"]
    if any(stats["cache"] == "miss" for stats in all_stats):
        total.update(cache="miss", cache_from=None)
    total["stages"] = [{"name": n, "ms": ms} for n, ms in times.items()]
    return total


def link_graph(request: Any) -> Any:
    """Links the whole graph into one thunk."""
    program = request.program
    if program is None:
        with reporting(request.progress) as progress:
            program = _clinch.Program(
                request.inputs, request.outputs, progress=progress,
                **request.options)
    thunk = program.instantiate(
        {variable: variable.cell for variable in request.shared} or None)
    cells = {v: cell for v, cell in zip(program.cells, thunk.cells)
             if v is not None}
    linked = Linked([thunk], cells, program.recycled, program.destroyed)
    linked.thunk = thunk
    linked.programs = [program]
    return linked


def link_ops(request: Any) -> Any:
    """Links each apply into its own thunk, or its `perform` if it has no C; they
    share cells.

    The texts contain no variable names, so that equal applies have equal texts,
    which are compiled once.
    """
    order = _clinch.order(request.inputs, request.outputs)
    return link_parts(request, order, order, _step)


def link_parts(request: Any, order: Any, parts: Any, step_of: Any) -> Any:
    """Links each part of the graph into the step that `step_of(part, linked, aliased,
    request)` makes; they share cells."""
    aliased = aliased_variables(order)
    linked = Linked([], make_cells(request, order), [], destroyed_inputs(request, order))
    with reporting(request.progress) as progress:
        for done, part in enumerate(parts, 1):
            linked.steps.append(step_of(part, linked, aliased, request))
            if progress is not None:
                progress(done, len(parts))
    made = {output for node in order for output in node.outputs}
    linked.recycled = [output in made and output not in aliased
                       for output in request.outputs]
    return linked


def is_constant(variable: Any) -> bool:
    return variable.owner is None and hasattr(variable, "data")


def make_cells(request: Any, order: Any) -> Any:
    cells = {variable: getattr(variable, "cell", None) or [None]
             for variable in request.inputs}
    for node in order:
        for variable in node.inputs + node.outputs:
            if variable not in cells:
                cells[variable] = [variable.data if is_constant(variable)
                                   else None]
    for variable in request.outputs:
        if variable not in cells:
            cells[variable] = [variable.data]
    return cells


def aliased_variables(order: Any) -> Any:
    """Returns variables whose storage the next run must not reuse."""
    return {v for node in order for pair in pairs(node) for v in pair}


def destroyed_inputs(request: Any, order: Any) -> Any:
    """Returns for each input whether an Op works in place on it or a view of it."""
    origin: dict[Any, Any] = {}
    for node in order:
        for output, source in pairs(node):
            origin.setdefault(output, []).append(source)
    destroyed = connected((source for node in order
                           for _, source in pairs(node, "destroy_map")), origin)
    return [variable in destroyed for variable in request.inputs]


def has_c_code(node: Any) -> Any:
    """Whether the apply can run in C."""
    asks = getattr(node.op, "has_c_code", None)
    if asks is not None:
        return asks(node)
    return hasattr(node.op, "c_code") or hasattr(node.op, "_native")


def own_graph(node: Any, aliased: Any, options: Any) -> Any:
    """Returns the arguments of `_clinch.Program` for one apply alone."""
    inputs = list(dict.fromkeys(v for v in node.inputs if not is_constant(v)))
    recycled = [v for v in node.outputs if v in aliased]
    return (inputs, node.outputs), dict(
        options, order=[node], anonymous=True, no_recycling=recycled)


def emit_ops(request: Any, emit: Any) -> Any:
    """Joins what `emit(inputs, outputs, **options)` returns for each apply."""
    order = _clinch.order(request.inputs, request.outputs)
    aliased = aliased_variables(order)
    parts = []
    for number, node in enumerate(order, 1):
        title = f"// apply {number} of {len(order)}: {node!r}\n"
        if not has_c_code(node):
            parts.append(title + "// runs its perform\n")
            continue
        graph, options = own_graph(node, aliased, request.options)
        parts.append(title + emit(*graph, **options))
    return "\n".join(parts)


def c_thunk(node: Any, cells: Any, aliased: Any, options: Any) -> Any:
    """Makes a thunk for one apply, on shared cells."""
    graph, options = own_graph(node, aliased, options)
    program = _clinch.Program(*graph, **options)
    return program.instantiate({v: cells[v] for v in program.cells
                                if v in cells})


def py_step(node: Any, cells: Any, look: bool = True) -> Any:
    """Returns a callable that runs `perform` on the cells, and that looks at what
    it left there."""
    perform: Any = getattr(node.op, "perform", None)
    if perform is None:
        raise NotImplementedError(
            f"{node.op} has neither c_code nor perform: nothing can run it")
    ins = [cells[v] for v in node.inputs]
    outs = [cells[v] for v in node.outputs]
    with_params = getattr(node.op, "params_type", None) is not None
    params = (node.op.get_params(node),) if with_params else ()

    def step() -> None:
        storage = [[cell[0]] for cell in outs]
        try:
            returned = perform(node, [cell[0] for cell in ins], storage, *params)
            if look:
                for position, new in enumerate(storage):
                    new[0] = _left(node, position, new[0], returned)
        except Exception as error:
            add_note(error, explain_perform(node, ins))
            raise
        for cell, new in zip(outs, storage):
            cell[0] = new[0]
    return step


def _left(node: Any, position: int, value: Any, returned: Any) -> Any:
    """Returns what `perform` left in an output, a value of its Type, or raises."""
    variable = node.outputs[position]
    wanted = variable.type
    if getattr(type(wanted), "filter", Type.filter) is Type.filter \
            or wanted.is_valid_value(value):
        return value
    if isinstance(value, numpy.generic) and getattr(wanted, "ndim", None) == 0:
        return wanted.filter(value)  # NumPy's number for an array of none.
    name = f" (`{variable.name}`)" if variable.name else ""
    found = (f"an array of {value.dtype} with shape {value.shape}"
             if isinstance(value, numpy.ndarray) else
             "None" if value is None else what(value))
    hint = ("" if returned is None else f"; what it returned, {what(returned)}, is "
            f"not used: put it into `output_storage[{position}][0]`")
    raise TypeError(f"`{type(node.op).__name__}.perform` must set output "
                    f"{position + 1}{name} to a value of {wanted}; it left "
                    f"{found}{hint}")


def explain_perform(node: Any, ins: Any) -> Any:
    """Returns the note for an exception that `perform` raised."""
    lines = [f"Clinch: `{type(node.op).__name__}.perform` failed."]
    for position, (variable, cell) in enumerate(zip(node.inputs, ins), 1):
        name = f" `{variable.name}`" if variable.name else ""
        lines.append(f"  argument {position}{name}: {variable.type}, a "
                     f"`{type(cell[0]).__name__}`")
    creation = getattr(node, "creation", None)
    if creation is not None:
        lines.append(f"  made at {creation}")
    return "\n".join(lines)


def _step(node: Any, linked: Any, aliased: Any, request: Any) -> Any:
    if not has_c_code(node):
        return py_step(node, linked.cells)
    try:
        thunk = c_thunk(node, linked.cells, aliased, request.options)
    except NotImplementedError:
        # An Op may find out only now that it has no C for these Types.
        return py_step(node, linked.cells)
    linked.programs.append(thunk.program)
    return thunk
