"""Writes a drawing as Mermaid text, which notebooks, GitHub and GitLab draw."""

from __future__ import annotations

import re

from ...base.annotations import Any
from .as_text import ladder_lines
from .model import Gap, op_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .model import Drawn


def mermaid(drawn: Drawn) -> str:
    """Returns the graph: an arrow from each value to the applies that read it."""
    lines, places, names = ["flowchart TD"], {}, drawn.names
    results = {id(v) for v in drawn.outputs}

    def box(text: str, left: str, right: str) -> str:
        place = f"n{len(lines)}"
        said = re.sub(r'["#<>&`\\]', lambda match: f"#{ord(match[0])};", text)
        lines.append(f'  {place}{left}"{said}"{right}')
        return place

    def place_of(variable: Any) -> str:
        if id(variable) not in places:
            places[id(variable)] = box(names(variable), "(", ")")
        return places[id(variable)]

    for node in drawn.applies:
        if isinstance(node, Gap):
            box(f"… {node.count} more …", "[", "]")
            continue
        ends = "([", "])"
        if results.isdisjoint(map(id, node.outputs)):
            ends = "[", "]"
        given = [place_of(v) for v in node.inputs]
        made = box(f"{', '.join(map(names, node.outputs))} = {op_name(node)}", *ends)
        lines += [f"  {place} --> {made}" for place in given]
        places.update((id(v), made) for v in node.outputs)
    for variable in drawn.outputs:
        place_of(variable)
    return "\n".join(lines) + "\n"


def markdown(drawn: Drawn) -> str:
    """Returns the graph and the ladder as Markdown."""
    graph = f"```mermaid\n{mermaid(drawn)}```\n" if drawn.outputs else ""
    ladder = "\n".join(line for line, _ in ladder_lines(drawn))
    return graph + (f"```text\n{ladder}\n```\n" if drawn.rungs else "")
