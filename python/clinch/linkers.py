"""How a graph becomes steps: one thunk for all of it, or one for each apply."""

from . import _clinch
from .progress import reporting


class Linked:
    """Steps to run one after another, and the cells they share."""

    def __init__(self, steps, cells, recycled, destroyed):
        self.steps = steps
        self.cells = cells
        self.recycled = recycled
        self.destroyed = destroyed
        self.thunk = None
        self.programs = []

    @property
    def tasks(self):
        return [task for program in self.programs for task in program.tasks]

    @property
    def key(self):
        return "+".join(program.key for program in self.programs)

    @property
    def stats(self):
        if len(self.programs) == 1:
            return self.programs[0].stats
        return _sum_stats([program.stats for program in self.programs])


def _sum_stats(all_stats):
    """One table for the programs of a function in several pieces."""
    total = {"cache": "hit", "cache_from": "memory", "stages": [],
             "source_bytes": 0, "object_bytes": 0, "code_bytes": 0,
             "warnings": []}
    times = {}
    for stats in all_stats:
        for name in ("source_bytes", "object_bytes", "code_bytes"):
            total[name] += stats[name]
        if stats["cache"] == "miss":
            total.update(cache="miss", cache_from=None)
        total["warnings"] += stats["warnings"]
        for stage in stats["stages"]:
            times[stage["name"]] = times.get(stage["name"], 0) + stage["ms"]
    total["stages"] = [{"name": n, "ms": ms} for n, ms in times.items()]
    return total


def link_graph(request):
    """One thunk for the whole graph."""
    with reporting(request.progress) as progress:
        program = _clinch.Program(request.inputs, request.outputs,
                                  progress=progress, **request.options)
    thunk = program.instantiate()
    cells = {v: cell for v, cell in zip(program.cells, thunk.cells)
             if v is not None}
    linked = Linked([thunk], cells, program.recycled, program.destroyed)
    linked.thunk = thunk
    linked.programs = [program]
    return linked


def link_ops(request):
    """One thunk for each apply; `perform` for an Op that has no C."""
    raise NotImplementedError
