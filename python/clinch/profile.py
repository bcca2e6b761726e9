"""Measures the time of a function's applies and the memory of its variables."""

from __future__ import annotations

import time

from . import _clinch
from .annotations import Any
from .linkers import is_constant, link_ops
from .walks import pairs, positions

_MOST_UNREAD = 10_000  # Applies whose sizes have not been asked for.


class Profile:
    """The time and memory of the calls of a function with `profile=True`.

    calls, seconds: totals. applies: for each apply, in running order, a dict of
    `op`, `apply`, `calls`, `seconds`, `share`. variables: for each that a call
    makes, a dict of `name`, `type`, `shape`, `bytes` (None if the Type has no
    get_size) and `shared` (it shares memory with an input of its apply). peak:
    the most bytes held at once by results that are still needed. A Type's
    get_size is asked when one of these is read, its get_shape_info at each call.
    """

    def __init__(self, order: Any, cells: Any, outputs: Any) -> None:
        self._order, self._cells = order, cells
        self._seconds = [0.0] * len(order)
        self._calls = [0] * len(order)
        self._made: list[Any] = []  # (number of the apply, its outputs' shapes), unread.
        self._sizes: dict[Any, Any] = {}
        self._drops = _last_uses(order, outputs)
        self._live = 0
        self._peak = 0

    @property
    def calls(self) -> Any:
        return max(self._calls, default=0)

    @property
    def seconds(self) -> Any:
        return sum(self._seconds)

    @property
    def applies(self) -> Any:
        total = self.seconds or 1.0
        return [{"op": str(node.op), "apply": repr(node), "calls": calls,
                 "seconds": seconds, "share": seconds / total}
                for node, calls, seconds in zip(self._order, self._calls,
                                                self._seconds)]

    @property
    def peak(self) -> Any:
        self._read()
        return self._peak

    @property
    def variables(self) -> Any:
        self._read()
        return [dict(self._sizes[v]) for node in self._order
                for v in node.outputs if v in self._sizes]

    def step(self, number: int, run: Any) -> Any:
        """Returns a step that times `run` and measures its results."""
        node = self._order[number]

        def timed() -> None:
            before = time.perf_counter()
            run()
            self._seconds[number] += time.perf_counter() - before
            self._calls[number] += 1
            self._made.append((number, [_shape(v.type, self._cells[v][0])
                                        for v in node.outputs]))
            if len(self._made) >= _MOST_UNREAD:
                self._read()
        return timed

    def _read(self) -> None:
        """Asks the Types for the sizes of what was made since the last time."""
        made, self._made = self._made, []
        for number, shapes in made:
            self._count(self._order[number], number, shapes)

    def _count(self, node: Any, number: int, shapes: Any) -> None:
        if number == 0:
            self._live = 0
        views = {output for output, _ in positions(node)}
        for k, (v, shape) in enumerate(zip(node.outputs, shapes)):
            size = _size(v.type, shape)
            self._sizes[v] = {"name": v.name or repr(v), "type": str(v.type),
                              "shape": shape, "bytes": size,
                              "shared": k in views}
            if size is not None and k not in views:
                self._live += size
        self._peak = max(self._peak, self._live)
        for v in self._drops[number]:
            found = self._sizes.get(v)
            if found and found["bytes"] and not found["shared"]:
                self._live -= found["bytes"]

    def __str__(self) -> Any:
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


def _shape(variable_type: Any, value: Any) -> Any:
    """Returns what get_shape_info says, or None if the Type has none."""
    try:
        return variable_type.get_shape_info(value)
    except (AttributeError, NotImplementedError):
        return None


def _size(variable_type: Any, shape: Any) -> Any:
    """Returns the bytes, or None if the Type does not tell."""
    try:
        return int(variable_type.get_size(shape))
    except (AttributeError, NotImplementedError):
        return None


def _last_uses(order: Any, outputs: Any) -> Any:
    """Returns for each apply the variables that no later apply needs."""
    last, wanted = {}, set(outputs)
    for number, node in enumerate(order):
        for v in (*node.inputs, *node.outputs):
            if not is_constant(v):
                last[v] = number
    for node in reversed(order):  # A viewed value is needed as long as the view.
        for made, shown in pairs(node):
            if shown in last:
                last[shown] = max(last[shown], last[made])
    drops: list[list[Any]] = [[] for _ in order]
    for v, number in last.items():
        if v not in wanted:
            drops[number].append(v)
    return drops


def link_profiled(request: Any) -> Any:
    """Links each apply into its own thunk and times it."""
    linked = link_ops(request)
    order = _clinch.order(request.inputs, request.outputs)
    linked.profile = Profile(order, linked.cells, request.outputs)
    linked.steps = [linked.profile.step(n, step)
                    for n, step in enumerate(linked.steps)]
    return linked
