"""What a check says of its steps, and of what it cannot check."""

from __future__ import annotations

import os

from ...errors import CompileError

#: A step that may take long if headers must be precompiled first.
LOADING = "loading the compiler"


class CannotCheck(Exception):
    """Raised, with the reason, if something cannot be checked."""


class Skipped(Exception):
    """Raised for a step that hung or ended the process last time."""


def described(error: BaseException) -> str:
    """Describes an exception in one line, with the place that raised it."""
    text = " ".join(str(error).split()) or "no message"
    where, frame = "", error.__traceback__
    while frame is not None:
        file = frame.tb_frame.f_code.co_filename
        if not file.startswith("<") and os.sep + "clinch" + os.sep not in file:
            where = f" ({file}:{frame.tb_lineno})"
        frame = frame.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        where = f" ({error.filename}:{error.lineno})"
        text = error.msg
    return f"{type(error).__name__}: {text}{where}"


def explained(error: BaseException) -> str:
    """Describes an error that has no diagnostics, such as a hook's exception."""
    if isinstance(error, CompileError):
        return error.message
    notes = " ".join(getattr(error, "__notes__", ()))
    return described(error) + (f" {notes}" if notes else "")
