"""Suggests the name that was probably meant."""

from __future__ import annotations

from .annotations import Iterable


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Returns the most similar name, or None."""
    import difflib  # Only after a mistake, because importing it takes 2 ms.
    return next(iter(difflib.get_close_matches(name, names, 1)), None)


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Returns "; did you mean `x`?" or a list of names, to end a message."""
    names = list(names)
    close = nearest(name, names)
    if close:
        return f"; did you mean `{close}`?"
    return f"; there are {', '.join(f'`{n}`' for n in names)}"
