"""`%emit` and `%graph`: what a function is at a stage, and its picture."""

from __future__ import annotations

import re

from .. import drawing
from ...base.annotations import Any
from ...build.functions import Function

EMIT = ("say %emit STAGE[,STAGE] FUNCTION [--lines], such as `%emit c f`; `obj` is "
        "binary, and `f.emit(\"obj\")` returns it")
GRAPH = ("say %graph FUNCTION [FILE.mmd|FILE.txt], such as `%graph f` or "
         "`%graph f f.mmd`")
_FILE = re.compile(r"(.*\S)\s+(\S+\.(?:mmd|txt))")


def emit(namespace: dict[str, Any], line: str) -> None:
    """Prints a function at stages."""
    words = line.split()
    lines = "--lines" in words
    first, *rest = [word for word in words if word != "--lines"] or [""]
    stages = first.split(",")
    if "obj" in stages:
        raise ValueError(EMIT)
    function = _function(namespace, " ".join(rest), EMIT)
    print("\n".join(function.emit(stage, lines) for stage in stages), end="")


def graph(namespace: dict[str, Any], line: str) -> Function | None:
    """Returns a function, which a notebook draws, or writes its drawing to a file."""
    match = _FILE.fullmatch(line.strip())
    function = _function(namespace, match[1] if match else line, GRAPH)
    if match is None:
        return function
    drawing.save(function, match[2])
    return None


def _function(namespace: dict[str, Any], text: str, usage: str) -> Function:
    if not text.strip():
        raise ValueError(usage)
    found = eval(text, namespace)
    if not isinstance(found, Function):
        raise ValueError(f"`{text}` is a `{type(found).__name__}` and no function; "
                         f"{usage}")
    return found
