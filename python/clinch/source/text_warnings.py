"""Clang's warnings about authors' texts, through Python's `warnings`."""

from __future__ import annotations

import warnings

from ..base.annotations import Any, Diagnostic, Iterable
from ..errors import CompileWarning
from ..graph.variables import creation_of_caller
from ..ops.hook_errors import author_of, classes_of, file_of, merged, place_of, reword

_registry: dict[Any, Any] = {}  # Python notes here what it has shown.


def warn_of_hooks(programs: Any, variables: Any) -> None:
    """Warns of the hooks' texts in programs of a graph, at the hook's line in
    the author's file."""
    found = [d for program in programs for d in program.stats["warnings"]]
    if not found:
        return
    classes = classes_of(variables)
    for diagnostic in merged(found):
        author = author_of(diagnostic)
        place = place_of(classes, *author) if author else None
        reword(diagnostic, place is not None)
        _warn(diagnostic, f"`{'.'.join(author)}`" if author
              else diagnostic["origin"], place)


def warn_of_text(diagnostics: Iterable[Diagnostic]) -> None:
    """Warns of a text that was given to `compile`, at the caller's line."""
    for diagnostic in diagnostics:
        _warn(diagnostic, diagnostic["origin"], None)


def _warn(diagnostic: Diagnostic, whose: Any, place: Any) -> None:
    message = diagnostic["message"]
    if whose:  # Else it is about the flags.
        message = f"{whose}, line {diagnostic['line']}: {message}"
    file = file_of(diagnostic)
    if file:
        place = file, diagnostic["line"]
    elif place is None:
        caller = creation_of_caller()
        place = (caller.file, caller.line) if caller else ("<unknown>", 0)
    file, line = place
    warnings.warn_explicit(message, CompileWarning, file, line, registry=_registry)
