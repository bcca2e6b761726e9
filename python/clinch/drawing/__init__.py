"""Draws a function: its graph, and beside it the ladder of its blocks. No other
library is needed."""

from __future__ import annotations

import os

from . import as_svg, as_text, model
from ..annotations import Any
from .layout import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..functions import Function

# A drawing with more applies omits those in the middle.
MOST_DRAWN = 300
MOST_IN_TERMINAL = 30
MOST_IN_NOTEBOOK = 60


def text(function: Function, most: int = MOST_IN_TERMINAL) -> str:
    """Returns the graph and the ladder as lines for a terminal."""
    return as_text.text(model.of_function(function, most))


def svg(function: Function, most: int = MOST_IN_NOTEBOOK) -> str:
    """Returns the drawing as SVG text."""
    return svg_of(model.of_function(function, most))


def svg_of(drawn: Any) -> str:
    """Returns the SVG text of a drawing made by `model`."""
    return as_svg.svg(layout(drawn))


def save(function: Function, path: str, most: int = MOST_DRAWN) -> None:
    """Writes a drawing in the format of the suffix: svg or txt."""
    kind = os.path.splitext(path)[1][1:].lower()
    if kind == "txt":
        data = text(function, most).encode()
    elif kind == "svg":
        data = svg(function, most).encode()
    else:
        raise ValueError(f"`{path}` has to end in .svg or .txt")
    with open(path, "wb") as file:
        file.write(data)
