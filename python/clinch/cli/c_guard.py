"""Calls of C that outlive a crash and a Ctrl-C, for the prompt."""

from __future__ import annotations

import signal

from .. import _clinch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Sequence

_SAID = {signal.SIGSEGV: "memory that is not there was used, or the stack was used up",
         signal.SIGBUS: "memory that is not there was used",
         signal.SIGFPE: "an integer was divided by zero",
         signal.SIGILL: "the code has an instruction that the processor does not know",
         signal.SIGABRT: "the code called abort"}


class Crash(Exception):
    """C has crashed; the process goes on."""

    is_first = True
    #: How many signals have left C. The extension knows the frames of the last.
    count = 0

    def __init__(self, text: str, where: str) -> None:
        super().__init__(text)
        #: What was said of its place, and which signal it was.
        self.where, self.number = where, Crash.count

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows."""
        return str(self).split("\n")


class Interrupted(KeyboardInterrupt):
    """A Ctrl-C left C."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where, self.number = where, Crash.count


def guarded(function: Any, *arguments: Any) -> Any:
    """Calls a function of ctypes."""
    number, result = _clinch.call_guarded(function, arguments)
    _ended_by(number, result)
    return result


def run_all(addresses: Sequence[int]) -> None:
    """Calls functions without parameters, such as initialisers that were deferred."""
    _ended_by(*_clinch.run_initializers(tuple(addresses)))


def _ended_by(number: int, where: Any) -> None:
    if not number:
        return
    Crash.count += 1
    if number == signal.SIGINT:
        raise Interrupted(where)
    text = f"crashed: {_SAID[signal.Signals(number)]}"
    if Crash.is_first:
        text += ("\nThe prompt goes on. What the code had begun is not undone: memory "
                 "that it wrote to, locks that it holds.")
    Crash.is_first = False
    raise Crash(text, where)
