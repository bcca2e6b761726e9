"""Measures the time of a function's applies and the memory of its variables."""

import time

from . import _clinch
from .linkers import is_constant, link_ops


class Profile:
    """The time and memory of the calls of a function with `profile=True`.

    calls, seconds: totals. applies: for each apply, in running order, a dict of
    `op`, `apply`, `calls`, `seconds`, `share`. variables: for each that a call
    makes, a dict of `name`, `type`, `shape`, `bytes` (None if the Type has no
    get_size) and `shared` (it shares memory with an input of its apply). peak:
    the most bytes held at once by results that are still needed.
    """

    def __init__(self, order, cells, outputs):
        self._order, self._cells = order, cells
        self._seconds = [0.0] * len(order)
        self._calls = [0] * len(order)
        self._sizes = {}
        self._drops = _last_uses(order, outputs)
        self._live = 0
        self.peak = 0

    @property
    def calls(self):
        return max(self._calls, default=0)

    @property
    def seconds(self):
        return sum(self._seconds)

    @property
    def applies(self):
        total = self.seconds or 1.0
        return [{"op": str(node.op), "apply": repr(node), "calls": calls,
                 "seconds": seconds, "share": seconds / total}
                for node, calls, seconds in zip(self._order, self._calls,
                                                self._seconds)]

    @property
    def variables(self):
        return [dict(self._sizes[v]) for node in self._order
                for v in node.outputs if v in self._sizes]

    def step(self, number, run):
        """Returns a step that times `run` and measures its results."""
        node = self._order[number]

        def timed():
            if number == 0:
                self._live = 0
            before = time.perf_counter()
            run()
            self._seconds[number] += time.perf_counter() - before
            self._calls[number] += 1
            self._measure(node, number)
        return timed

    def _measure(self, node, number):
        views = getattr(node.op, "view_map", None) or {}
        views = {**views, **(getattr(node.op, "destroy_map", None) or {})}
        for k, v in enumerate(node.outputs):
            size, shape = _size(v.type, self._cells[v][0])
            self._sizes[v] = {"name": v.name or repr(v), "type": str(v.type),
                              "shape": shape, "bytes": size,
                              "shared": k in views}
            if size is not None and k not in views:
                self._live += size
        self.peak = max(self.peak, self._live)
        for v in self._drops[number]:
            found = self._sizes.get(v)
            if found and found["bytes"] and not found["shared"]:
                self._live -= found["bytes"]

    def __str__(self):
        lines = [f"{self.calls} call{'s' * (self.calls != 1)}, "
                 f"{self.seconds * 1e3:.3f} ms; peak {self.peak:,} bytes",
                 f"{'ms':>10} {'%':>6} {'calls':>7} {'bytes':>12}  apply"]
        for node, row in zip(self._order, self.applies):
            held = [self._sizes[v]["bytes"] for v in node.outputs
                    if v in self._sizes]
            size = "?" if None in held else f"{sum(held):,}"
            lines.append(f"{row['seconds'] * 1e3:10.3f} "
                         f"{100 * row['share']:6.1f} {row['calls']:>7} "
                         f"{size:>12}  {row['apply']}")
        return "\n".join(lines)

    __repr__ = __str__


def _size(variable_type, value):
    """Returns (bytes, shape) from the Type's hooks; None for what it lacks."""
    shape = None
    try:
        shape = variable_type.get_shape_info(value)
        return int(variable_type.get_size(shape)), shape
    except (AttributeError, NotImplementedError):
        return None, shape


def _last_uses(order, outputs):
    """Returns for each apply the variables that no later apply needs."""
    last, wanted = {}, set(outputs)
    for number, node in enumerate(order):
        for v in (*node.inputs, *node.outputs):
            if not is_constant(v):
                last[v] = number
    for node in reversed(order):  # A viewed value is needed as long as the view.
        for name in ("view_map", "destroy_map"):
            for out, sources in (getattr(node.op, name, None) or {}).items():
                for k in sources:
                    shown = node.inputs[k]
                    if shown in last:
                        last[shown] = max(last[shown],
                                          last[node.outputs[out]])
    drops = [[] for _ in order]
    for v, number in last.items():
        if v not in wanted:
            drops[number].append(v)
    return drops


def link_profiled(request):
    """Links each apply into its own thunk and times it."""
    linked = link_ops(request)
    order = _clinch.order(request.inputs, request.outputs)
    linked.profile = Profile(order, linked.cells, request.outputs)
    linked.steps = [linked.profile.step(n, step)
                    for n, step in enumerate(linked.steps)]
    return linked
