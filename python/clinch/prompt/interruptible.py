"""A Ctrl-C at the prompt is never missed.

Python waits for the next key in a `select` without an end. A signal that comes
in the moment before it begins sets Python's flag and nothing else, and would
be seen only at the next key. Here a thread hears of each Ctrl-C through the
wakeup descriptor and interrupts that sleep until the reading is over. One that
comes in the moment after it leaves readline waiting for a key that the terminal
has thrown away: `_clinch` has a reader of keys that gives up when interrupted.
"""

import os
import select
import signal
import threading

from .. import _clinch

_DONE = b"\0"  # In the pipe, among the numbers of signals that came.
_PATIENCE = 0.05  # Seconds before the first wake; doubled from wake to wake.


class InterruptibleReading:
    """A context in which the main thread reads a line; can be entered again
    and again."""

    def __init__(self):
        self.thread = None

    def __enter__(self):
        if self.thread is None:
            self._start()
        self.before = signal.set_wakeup_fd(self.writer,
                                           warn_on_full_buffer=False)

    def __exit__(self, *_):
        signal.set_wakeup_fd(self.before)
        os.write(self.writer, _DONE)

    def _start(self):
        _read_keys_interruptibly()
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        self.thread = threading.Thread(
            target=_watch, args=(self.reader, threading.get_ident()),
            name="clinch prompt", daemon=True)
        self.thread.start()


def _read_keys_interruptibly():
    try:
        import readline
    except ImportError:
        return
    if "libedit" not in (readline.__doc__ or ""):
        _clinch.read_keys_interruptibly(getattr(readline, "__file__", None))


def _watch(reader, sleeper):
    delay = None
    while True:
        if select.select([reader], [], [], delay)[0]:
            delay = _after(os.read(reader, 4096), delay)
            continue
        # readline has a handler of its own for this one; it ends `select`
        # and changes nothing.
        signal.pthread_kill(sleeper, signal.SIGWINCH)
        delay *= 2


def _after(data, delay):
    """The time to wait once these bytes have come; None is for ever."""
    for number in data:
        if number == signal.SIGINT:
            delay = _PATIENCE
        elif number == _DONE[0]:
            delay = None
    return delay
