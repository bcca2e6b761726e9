"""Writes a drawing as lines for a terminal."""

from __future__ import annotations

from ...base.annotations import Any
from .model import Gap, Rung, op_name, shortened, starts_new_ladder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .model import Drawn


def text(drawn: Drawn) -> str:
    """Returns the graph line by line, then the ladder."""
    return (_graph_text(drawn) + "\n"
            + "\n".join(line for line, _ in ladder_lines(drawn)) + "\n")


def _graph_text(drawn: Drawn) -> str:
    lines, names = ["graph"], drawn.names
    for variable in drawn.inputs:
        lines.append(f"  {names(variable)} : {variable.type}   input")
    results = {id(v) for v in drawn.outputs}
    for node in drawn.applies:
        if isinstance(node, Gap):
            lines.append(f"  ⋮ {node.count} more")
            continue
        given = ", ".join(names(v) for v in node.inputs)
        made = ", ".join(names(v) for v in node.outputs)
        mark = "   output" if any(id(v) in results for v in node.outputs) \
            else ""
        lines.append(f"  {made} = {op_name(node)}({given}){mark}")
    return "\n".join(lines) + "\n"


def ladder_lines(drawn: Drawn) -> list[tuple[str, int]]:
    """Returns [(line, number of its block or 0)]."""
    shown = drawn.rungs
    real = [r for r in shown if isinstance(r, Rung)]
    who = max((len(shortened(r.who, 24)) for r in real), default=0)
    hook = max((len(r.hook) for r in real), default=0)
    digits = len(str(max((r.number for r in real), default=1)))
    lines = [("ladder: runs down on the left, unwinds up on the right", 0)]
    last: Any = None
    for rung in shown:
        if isinstance(rung, Gap):
            lines.append((f"  ⋮ {rung.count} more", 0))
            last = None
            continue
        if rung.once and not (last and last.once):
            lines.append(("  once, in init:", 0))
        elif last is not None and starts_new_ladder(rung, last):
            lines.append(("  in each run:" if last.once else "", 0))
        last = rung
        edge = "── fail ─▶" if rung.fails else "          "
        label = rung.label or f"init {rung.number}"
        lines.append((f"  ↓ {rung.number:>{digits}}  "
                      f"{shortened(rung.who, 24):<{who}}  {rung.hook:<{hook}}  "
                      f"{edge} {label} ↑", rung.number))
    return lines
