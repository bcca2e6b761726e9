"""A drawing as lines for a terminal."""

from .model import (Gap, Names, Rung, applies_of, begins_anew, middle_out,
                    op_name, rungs_of, shortened)


def text(function, most):
    """The graph line by line, then the ladder."""
    applies = applies_of(function)
    names = Names(function, applies)
    return (_graph_text(function, applies, most, names) + "\n"
            + _ladder_text(function, most, names))


def _graph_text(function, applies, most, names):
    lines = ["graph"]
    for variable in function.inputs:
        lines.append(f"  {names(variable)} : {variable.type}   input")
    results = {id(v) for v in function.details.outputs}
    for node in middle_out(applies, most):
        if isinstance(node, Gap):
            lines.append(f"  ⋮ {node.count} more")
            continue
        given = ", ".join(names(v) for v in node.inputs)
        made = ", ".join(names(v) for v in node.outputs)
        mark = "   output" if any(id(v) in results for v in node.outputs) \
            else ""
        lines.append(f"  {made} = {op_name(node)}({given}){mark}")
    return "\n".join(lines) + "\n"


def _ladder_text(function, most, names):
    shown = rungs_of(function, names, 2 * most)
    real = [r for r in shown if isinstance(r, Rung)]
    who = max((len(shortened(r.who, 24)) for r in real), default=0)
    hook = max((len(r.hook) for r in real), default=0)
    digits = len(str(max((r.number for r in real), default=1)))
    lines = ["ladder: runs down on the left, unwinds up on the right"]
    last = None
    for rung in shown:
        if isinstance(rung, Gap):
            lines.append(f"  ⋮ {rung.count} more")
            last = None
            continue
        if rung.once and not (last and last.once):
            lines.append("  once, in init:")
        elif last is not None and begins_anew(rung, last):
            lines.append("  in each run:" if last.once else "")
        last = rung
        edge = "── fail ─▶" if rung.fails else "          "
        label = rung.label or f"init {rung.number}"
        lines.append(f"  ↓ {rung.number:>{digits}}  "
                     f"{shortened(rung.who, 24):<{who}}  {rung.hook:<{hook}}  "
                     f"{edge} {label} ↑")
    return "\n".join(lines) + "\n"
