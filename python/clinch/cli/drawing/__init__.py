"""Draws a function: its graph and the ladder of its blocks, as text or as Mermaid."""

from __future__ import annotations

import os

from . import as_mermaid, as_text, model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...build.functions import Function

# A drawing with more applies omits those in the middle.
MOST_DRAWN = 300
MOST_IN_TERMINAL = 30
MOST_IN_NOTEBOOK = 60


def text(function: Function, most: int = MOST_IN_TERMINAL) -> str:
    """Returns the graph and the ladder as lines for a terminal."""
    return as_text.text(model.of_function(function, most))


def save(function: Function, path: str, most: int = MOST_DRAWN) -> None:
    """Writes a drawing in the format of the suffix: mmd (Mermaid) or txt."""
    kind = os.path.splitext(path)[1].lower()
    if kind not in (".mmd", ".txt"):
        raise ValueError(f"`{path}` has to end in .mmd (Mermaid) or .txt")
    data = (text(function, most) if kind == ".txt"
            else as_mermaid.mermaid(model.of_function(function, most)))
    with open(path, "wb") as file:
        file.write(data.encode())
