"""`clinch cc` and `clinch c++`: commands that take gcc's arguments, for programs that
start a compiler. Clang and LLD are those of the engine, whose program they become."""

from __future__ import annotations

import os
import sys

from .. import _clinch


def run(command: str, arguments: list[str]) -> int:
    """Replaces this process by the engine's compiler; returns only if that fails."""
    program, library = _clinch.engine()
    try:
        os.execv(program, [program, library, command, *arguments])
    except OSError as error:
        print(f"clinch {command}: {program}: {error.strerror}", file=sys.stderr)
    return 2
