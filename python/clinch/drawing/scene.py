"""Shapes with positions, from which every format of drawing is written.

Lengths are in points, y grows downwards.
"""

from __future__ import annotations

from collections import namedtuple

from ..annotations import Any

Box = namedtuple("Box", "x y width height text fill round dashed")
Edge = namedtuple("Edge", "points colour text")
Title = namedtuple("Title", "x y text")

ROW = 22
LETTER = 6.2


class Scene:
    """Boxes are centred at their x, y; edges are cubic curves."""

    def __init__(self) -> None:
        self.boxes: list[Box] = []
        self.edges: list[Edge] = []
        self.titles: list[Title] = []

    def box(self, x: float, y: float, text: str, fill: str, round: bool = False,
            dashed: bool = False, width: float | None = None) -> Box:
        """Adds a box as wide as its text and returns it."""
        box = Box(x, y, width or text_width(text), ROW - 4, text, fill, round,
                  dashed)
        self.boxes.append(box)
        return box

    def edge(self, start: Any, end: Any, colour: str = "#666666", text: str = "",
             bend: float = 0.0) -> None:
        """Adds a curve that leaves and arrives vertically, or horizontally
        with `bend`."""
        (x0, y0), (x1, y1) = start, end
        if bend:
            middle = (x0 + x1) / 2
            points = (start, (middle, y0), (middle, y1), end)
        else:
            middle = (y0 + y1) / 2
            points = (start, (x0, middle), (x1, middle), end)
        self.edges.append(Edge(points, colour, text))

    def title(self, x: float, y: float, text: str) -> None:
        """Adds a heading that starts at x."""
        self.titles.append(Title(x, y, text))

    def size(self) -> Any:
        """Returns the width and height of the whole scene."""
        right = [b.x + b.width / 2 for b in self.boxes]
        right += [t.x + len(t.text) * LETTER * 1.2 for t in self.titles]
        low = [b.y + b.height / 2 for b in self.boxes]
        return max(right, default=0) + 12, max(low, default=0) + 12


def text_width(text: str) -> float:
    """Returns the width of a box for its text."""
    return max(26, len(text) * LETTER + 12)
