"""Writes a scene as SVG, without any library."""

from __future__ import annotations

from html import escape

from ..annotations import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .scene import Scene

_HEAD = ('<svg xmlns="http://www.w3.org/2000/svg" width="{w:.0f}" '
         'height="{h:.0f}" viewBox="0 0 {w:.0f} {h:.0f}" xml:space="preserve" '
         'font-family="DejaVu Sans Mono, monospace" font-size="10">\n'
         '<rect width="100%" height="100%" fill="#ffffff"/>\n')


def svg(scene: Scene) -> str:
    """Returns the SVG text of a scene."""
    width, height = scene.size()
    parts = [_HEAD.format(w=width, h=height)]
    parts += [_edge(e) for e in scene.edges]
    parts += [_box(b) for b in scene.boxes]
    parts += [f'<text x="{t.x:.1f}" y="{t.y:.1f}" font-weight="bold">'
              f"{escape(t.text)}</text>\n" for t in scene.titles]
    return "".join(parts) + "</svg>\n"


def _box(b: Any) -> str:
    radius = b.height / 2 if b.round else 2
    dash = ' stroke-dasharray="3,2"' if b.dashed else ""
    return (f'<rect x="{b.x - b.width / 2:.1f}" y="{b.y - b.height / 2:.1f}" '
            f'width="{b.width:.1f}" height="{b.height}" rx="{radius:g}" '
            f'fill="{b.fill}" stroke="#555555" stroke-width="0.7"{dash}/>\n'
            f'<text x="{b.x:.1f}" y="{b.y + 3.5:.1f}" text-anchor="middle">'
            f"{escape(b.text)}</text>\n")


def _edge(e: Any) -> str:
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = e.points
    text = ""
    if e.text:
        text = (f'<text x="{(x0 + x3) / 2:.1f}" y="{(y0 + y3) / 2 - 3:.1f}" '
                f'text-anchor="middle" font-size="8" fill="{e.colour}">'
                f"{escape(e.text)}</text>\n")
    return (f'<path d="M{x0:.1f},{y0:.1f} C{x1:.1f},{y1:.1f} {x2:.1f},{y2:.1f}'
            f' {x3:.1f},{y3:.1f}" fill="none" stroke="{e.colour}"/>\n'
            + _head(e) + text)


def _head(e: Any) -> str:
    """Draws an arrowhead in the direction of the curve's end."""
    (x2, y2), (x, y) = e.points[2:]
    dx, dy = x - x2, y - y2
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    dx, dy = dx / length * 5, dy / length * 5
    points = [(x, y), (x - dx - dy / 2, y - dy + dx / 2),
              (x - dx + dy / 2, y - dy - dx / 2)]
    text = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
    return f'<polygon points="{text}" fill="{e.colour}"/>\n'
