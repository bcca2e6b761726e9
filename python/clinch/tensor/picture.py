"""Labels Ops on arrays in the text of a graph, which otherwise shows only
their class."""

from __future__ import annotations

from ..base.annotations import Iterable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..graph.variables import Apply


def labelled(text: str, order: Iterable[Apply]) -> str:
    """Adds the labels of these applies to the text of the stage "graph", whose
    lines are in this order."""
    lines = text.splitlines()
    at = 0
    for node in order:
        said = f" = {type(node.op).__name__}("
        at = next((k for k in range(at, len(lines)) if said in lines[k]), -1)
        if at < 0:
            break
        label = getattr(node.op, "graph_label", None)
        if isinstance(label, str):
            lines[at] = lines[at].replace(said, f" = {label}(", 1)
        at += 1
    return "\n".join(lines) + "\n"
