"""Shows stages for `--emit` and `:emit`."""

from __future__ import annotations

import sys

from .interleave import interleave
from .terminal import highlight, paint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Mapping, Sequence


def emit(functions: Mapping[str, Any], stages: Sequence[str], output: str | None = None,
         lines: bool = False, colour: bool = False) -> None:
    """Writes stages of functions to standard output or to a file."""
    if "obj" in stages and len(functions) * len(stages) > 1:
        raise ValueError("`obj` is binary and stands alone, of one function")
    if list(stages) == ["html"]:
        from .drawing import stages as drawn  # Takes 8 ms.
        write([("", "html", drawn.page(functions))], output, False)
        return
    parts = [(name, stage, text_of(function, stage, lines))
             for name, function in functions.items() for stage in stages]
    write(parts, output, colour)


def text_of(function: Any, stage: str, lines: bool = False) -> Any:
    """Returns the text of one stage; bytes for `obj`."""
    if lines and stage in ("asm", "llvm-opt"):
        source = function.emit("c")
        return interleave(function.emit(stage, lines=True), source, stage)
    return function.emit(stage)


def write(parts: Sequence[Any], output: str | None, colour: bool) -> None:
    """Writes (name, stage, text) parts, under headings if there are several."""
    headings = len(parts) > 1
    if output is not None:
        _write_file(parts, output, headings)
        return
    for name, stage, text in parts:
        if isinstance(text, bytes):
            _write_binary(text)
            continue
        if headings:
            head = heading(name, stage)
            sys.stdout.write((paint(head, "head") if colour else head) + "\n")
        sys.stdout.write(_ended(highlight(text, stage) if colour else text))
    sys.stdout.flush()


def heading(name: str, stage: str) -> str:
    """Returns the line above a part."""
    return f"=== {name}: {stage} ===" if name else f"=== {stage} ==="


def _ended(text: str) -> str:
    return text if text.endswith("\n") or not text else text + "\n"


def _write_binary(data: bytes) -> None:
    if sys.stdout.isatty():
        raise ValueError("`obj` is binary and this is a terminal: write it to "
                         "a file with `-o FILE`")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)


def _write_file(parts: Sequence[Any], output: str, headings: bool) -> None:
    with open(output, "wb") as file:
        for name, stage, text in parts:
            if isinstance(text, bytes):
                file.write(text)
                continue
            if headings:
                file.write((heading(name, stage) + "\n").encode())
            file.write(_ended(text).encode())
