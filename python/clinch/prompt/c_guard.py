"""Calls of C that outlive a crash and a Ctrl-C, for the prompt."""

from __future__ import annotations

import signal

from .. import _clinch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any

_SAID = {signal.SIGSEGV: "memory that is not there was used, or the stack was used up",
         signal.SIGBUS: "memory that is not there was used",
         signal.SIGFPE: "an integer was divided by zero",
         signal.SIGILL: "the code has an instruction that the processor does not know",
         signal.SIGABRT: "the code called abort"}


class Crash(Exception):
    """C has crashed; the process goes on."""

    is_first = True
    #: What was said of its place.
    where = ""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows."""
        return str(self).split("\n")


class Interrupted(KeyboardInterrupt):
    """A Ctrl-C left C; the text says where."""


def guarded(function: Any, *arguments: Any) -> Any:
    """Calls a function of ctypes."""
    number, result = _clinch.call_guarded(function, arguments)
    _ended_by(number, result)
    return result


def initialise() -> None:
    """Calls the initialisers of what was compiled last."""
    _ended_by(*_clinch.run_initializers())


def _ended_by(number: int, where: Any) -> None:
    if not number:
        return
    if number == signal.SIGINT:
        raise Interrupted(where)
    text = f"crashed: {_SAID[signal.Signals(number)]}"
    if Crash.is_first:
        text += ("\nThe prompt goes on. What the code had begun is not undone: memory "
                 "that it wrote to, locks that it holds.")
    Crash.is_first = False
    crash = Crash(text)
    crash.where = where
    raise crash
