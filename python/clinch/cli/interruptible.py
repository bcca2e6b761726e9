"""Makes sure that a Ctrl-C at the prompt is never missed.

Python waits for a key in a `select` without a timeout. A signal that arrives
just before it only sets Python's flag, and would be seen at the next key. So a
thread learns of each Ctrl-C through the wakeup descriptor and interrupts the
`select` until the reading ends. A Ctrl-C just after the `select` leaves readline
waiting for a key that the terminal has discarded, so `_clinch` has a key reader
that gives up when interrupted.
"""

from __future__ import annotations

import os
import select
import signal
import threading

from .. import _clinch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any

_DONE = b"\0"  # In the pipe, among the numbers of signals.
_PATIENCE = 0.05  # Seconds before the first wake-up; doubled each time.


class InterruptibleReading:
    """A reusable context in which the main thread reads a line."""

    def __init__(self) -> None:
        self.thread: threading.Thread | None = None

    def __enter__(self) -> None:
        if self.thread is None:
            self._start()
        self.before = signal.set_wakeup_fd(self.writer,
                                           warn_on_full_buffer=False)

    def __exit__(self, *_: Any) -> None:
        signal.set_wakeup_fd(self.before)
        os.write(self.writer, _DONE)

    def _start(self) -> None:
        _read_keys_interruptibly()
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        self.thread = threading.Thread(
            target=_watch, args=(self.reader, threading.get_ident()),
            name="clinch prompt", daemon=True)
        self.thread.start()


def _read_keys_interruptibly() -> None:
    try:
        import readline
    except ImportError:
        return
    if "libedit" not in (readline.__doc__ or ""):
        _clinch.read_keys_interruptibly(getattr(readline, "__file__", None))


def _watch(reader: int, sleeper: int) -> None:
    delay: float | None = None
    while True:
        if select.select([reader], [], [], delay)[0]:
            delay = _after(os.read(reader, 4096), delay)
            continue
        # readline handles this signal; it interrupts `select` and has no other
        # effect.
        signal.pthread_kill(sleeper, signal.SIGWINCH)
        delay = delay and 2 * delay


def _after(data: bytes, delay: float | None) -> float | None:
    """Returns how long to wait after these bytes; None for ever."""
    for number in data:
        if number == signal.SIGINT:
            delay = _PATIENCE
        elif number == _DONE[0]:
            delay = None
    return delay
