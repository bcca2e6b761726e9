"""Telling how far a compile is."""

import contextlib
import sys
import threading
import time

#: Seconds after which a bar appears.
PATIENCE = 1.0
_WIDTH = 30


@contextlib.contextmanager
def reporting(wish):
    """Gives the callable(done, all) to report to, or None.

    wish: a callable; False for nothing; None for a bar, if somebody sits at a
    terminal and waits.
    """
    if callable(wish):
        yield wish
    elif wish is False or (wish is None and not _somebody_waits()):
        yield None
    else:
        bar = Bar(sys.stderr)
        try:
            yield bar.update
        finally:
            bar.close()


def _somebody_waits():
    """At a prompt on a terminal; never in scripts, logs or notebooks."""
    try:
        interactive = hasattr(sys, "ps1") or sys.flags.interactive
        return bool(interactive and sys.stderr.isatty())
    except (AttributeError, ValueError):
        return False


class Bar:
    """A bar that appears when a compile takes long, moves while it lasts, and
    leaves nothing behind."""

    def __init__(self, stream, patience=PATIENCE):
        self.stream = stream
        self.patience = patience
        self.done = self.all = 0
        self.shown = False
        self._start = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._draw_on, daemon=True)
        self._thread.start()

    def update(self, done, all):
        self.done, self.all = done, all

    def _draw_on(self):
        if self._over.wait(self.patience):
            return
        while True:
            self._draw()
            if self._over.wait(0.1):
                return

    def text(self):
        """What the bar says now."""
        seconds = time.monotonic() - self._start
        if self.all and self.done < self.all:
            filled = _WIDTH * self.done // self.all
            return (f"assembling [{'#' * filled}{'.' * (_WIDTH - filled)}] "
                    f"{self.done}/{self.all}")
        return f"compiling {self.all or ''} applies, {seconds:.0f} s".replace(
            "  ", " ")

    def _draw(self):
        self.shown = True
        self.stream.write(f"\r\033[K{self.text()}")
        self.stream.flush()

    def close(self):
        self._over.set()
        self._thread.join()
        if self.shown:
            self.stream.write("\r\033[K")
            self.stream.flush()
