"""What the inliner and the vectorisers say of a text, as diagnostics at its lines."""

from __future__ import annotations

from ..base.annotations import Diagnostic


def of_lines(lines: str, text: str) -> list[Diagnostic]:
    """Returns the remarks of `Stage::Remarks`, each once, in the order of their places.
    `text` has the lines that the remarks are at."""
    source, found = text.split("\n"), {}
    for line in lines.splitlines():
        kind, by, function, origin, row, column, message = line.split("\t")
        message = message.partition(" at callsite ")[0]  # It is this place.
        place = origin, int(row), int(column)
        found[place, message] = {
            "severity": "note", "origin": origin, "line": int(row),
            "column": int(column), "message": message, "kind": kind, "by": by,
            "function": function, "fixits": [], "notes": [],
            "source_line": source[int(row) - 1] if 0 < int(row) <= len(source) else ""}
    return [found[key] for key in sorted(found)]
