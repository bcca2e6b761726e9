"""Prints errors with the user's frames, without the driver's."""

from __future__ import annotations

import os
import sys
import traceback

from ..base.suggestions import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def show(error: BaseException, colour: bool = False, stream: Any = None) -> None:
    """Prints an exception with its notes and causes on standard error."""
    sys.stdout.flush()
    stream = stream or sys.stderr
    stream.write(render(error, colour))
    stream.flush()


def render(error: BaseException, colour: bool = False) -> str:
    """Returns the text of an exception without the package's own frames."""
    summary = traceback.TracebackException.from_exception(error, compact=True)
    _filter(summary, set())
    text = "".join(summary.format()) + _meant(error)
    if not hasattr(error, "render"):
        return text
    if not [f for f in summary.stack if not f.filename.startswith("<prompt")]:
        text = "".join(summary.format_exception_only())
    if colour:
        text = text.replace(str(error), error.render(True), 1)
    return text if text.endswith("\n") else text + "\n"


def _meant(error: BaseException) -> str:
    """Returns the name that was probably meant, for a Python that does not say it."""
    if (not isinstance(error, NameError) or sys.version_info >= (3, 12)
            or len(error.name or "") < 3):  # Of short ones it would be a guess.
        return ""
    frame = error.__traceback__
    while frame and frame.tb_next:
        frame = frame.tb_next
    names = {**frame.tb_frame.f_globals, **frame.tb_frame.f_locals} if frame else {}
    close = nearest(error.name or "", names)
    return f"Did you mean `{close}`?\n" if close else ""


def _filter(summary: Any, seen: set[int]) -> None:
    """Removes the package's frames from an exception and its causes."""
    if summary is None or id(summary) in seen:
        return
    seen.add(id(summary))
    kept = [f for f in summary.stack if not f.filename.startswith(_PACKAGE)]
    summary.stack = traceback.StackSummary.from_list(kept)
    _filter(summary.__cause__, seen)
    _filter(summary.__context__, seen)
