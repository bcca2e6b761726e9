"""Writes a scene as DOT text with fixed positions, which `neato -n2 -Tpng` renders."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any
    from .scene import Scene

_HEAD = """digraph clinch {{
  graph [bb="0,0,{w:.0f},{h:.0f}", bgcolor="white", outputorder="edgesfirst",
         dpi=96];
  node [fontname="DejaVu Sans Mono", fontsize=10, shape=box, penwidth=0.7,
        margin=0];
  edge [fontname="DejaVu Sans Mono", fontsize=8, arrowsize=0.5];
"""


def quoted(text: str) -> str:
    """Quotes text as a DOT string."""
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def dot(scene: Scene) -> str:
    """Returns the DOT text of a scene; in DOT, y grows upwards."""
    width, height = scene.size()
    lines = [_HEAD.format(w=width, h=height)]
    for number, b in enumerate(scene.boxes):
        style = "filled" + (",rounded" if b.round else "") \
            + (",dashed" if b.dashed else "")
        lines.append(
            f'  b{number} [pos="{b.x:.1f},{height - b.y:.1f}", '
            f'width={b.width / 72:.4f}, height={b.height / 72:.4f}, '
            f'fixedsize=true, style="{style}", fillcolor="{b.fill}", '
            f"label={quoted(b.text)}];\n")
    for number, t in enumerate(scene.titles):
        x = t.x + len(t.text) * 3.6
        lines.append(f'  t{number} [pos="{x:.1f},{height - t.y:.1f}", '
                     f"shape=plaintext, label={quoted(t.text)}];\n")
    for number, e in enumerate(scene.edges):
        lines.append(_edge(number, e, height))
    return "".join(lines) + "}\n"


def _edge(number: int, e: Any, height: float) -> str:
    """Writes an edge between two invisible nodes."""
    (x0, y0), _, (x2, y2), (x3, y3) = e.points
    # The curve ends where the arrow's head begins.
    length = ((x3 - x2) ** 2 + (y3 - y2) ** 2) ** 0.5 or 1.0
    end = (x3 - (x3 - x2) / length * 5, y3 - (y3 - y2) / length * 5)
    way = " ".join(f"{x:.1f},{height - y:.1f}"
                   for x, y in (*e.points[:3], end))
    label = ""
    if e.text:
        label = (f', label={quoted(e.text)}, fontcolor="{e.colour}", '
                 f'lp="{(x0 + x3) / 2:.1f},{height - (y0 + y3) / 2 + 5:.1f}"')
    ends = "".join(
        f'  {name}{number} [pos="{x:.1f},{height - y:.1f}", style=invis, '
        "width=0, height=0, fixedsize=true, label=\"\"];\n"
        for name, x, y in (("s", x0, y0), ("e", x3, y3)))
    return (f'{ends}  s{number} -> e{number} [color="{e.colour}", '
            f'pos="e,{x3:.1f},{height - y3:.1f} {way}"{label}];\n')
