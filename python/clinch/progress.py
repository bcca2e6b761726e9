"""Shows the progress of long work: a compile, waiting for better code, a check."""

from __future__ import annotations

import importlib
import sys
import threading
import time

from .annotations import Any

#: Seconds after which a bar appears.
PATIENCE = 1.0
_WIDTH = 30


class reporting:
    """A context whose value is a callable(done, all) to report to, or None.

    wish: a callable; False for nothing; None for a bar, if a user would see it.
    doing: the name of the work.

    A class, because what `contextlib.contextmanager` makes sets the traceback
    of an exception that passes, which exceptions of some classes refuse.
    """

    def __init__(self, wish: Any, doing: Any = "compiling") -> None:
        self.wish, self.doing = wish, doing
        self.bar: Bar | None = None

    def __enter__(self) -> Any:
        if callable(self.wish):
            return self.wish
        if self.wish is False or not (in_notebook() or at_terminal(sys.stderr)):
            return None
        self.bar = Bar(sys.stderr, self.doing)
        return self.bar.update

    def __exit__(self, *raised: Any) -> None:
        if self.bar is not None:
            self.bar.close()


def at_terminal(stream: Any) -> bool:
    """Whether the stream is a terminal. False in a pool's workers, so that only
    one process shows a bar."""
    try:
        if not stream.isatty():
            return False
    except (AttributeError, ValueError):
        return False
    pool = sys.modules.get("multiprocessing")
    return pool is None or pool.parent_process() is None


def in_notebook() -> bool:
    """Whether output goes to a notebook's cell."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    return shell is not None and hasattr(shell, "kernel")


class Bar:
    """A bar that appears if something takes long and disappears when it ends."""

    def __init__(self, stream: Any, doing: Any = "compiling",
                 patience: Any = PATIENCE) -> None:
        self.stream = stream
        self.doing = doing
        self.patience = patience
        self.done = self.all = 0
        self.shown: Any = None
        self._start = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._draw_on, daemon=True)
        self._thread.start()

    def update(self, done: Any, all: Any) -> None:
        self.done, self.all = done, all

    def _draw_on(self) -> None:
        if self._over.wait(self.patience):
            return
        while True:
            self.draw()
            if self._over.wait(0.1):
                return

    def draw(self) -> None:
        """Draws the current progress."""
        if self.shown is None:
            self.shown = _painter(self.stream)
        self.shown.paint(self)

    @property
    def seconds(self) -> Any:
        return time.monotonic() - self._start

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        if self.shown is not None:
            self.shown.close()


def _painter(stream: Any) -> Any:
    """Returns the painter of a bar: tqdm if it is installed, else a line of text."""
    names = ["tqdm.std"]
    if in_notebook():
        names.insert(0, "tqdm.notebook")
    for name in names:
        try:
            return _Tqdm(importlib.import_module(name).tqdm, stream)
        except ImportError:  # tqdm.notebook raises it without ipywidgets.
            continue
    return _Line(stream)


class _Tqdm:
    """A bar drawn by tqdm."""

    def __init__(self, make: Any, stream: Any) -> None:
        self.bar = make(file=stream, leave=False,
                        bar_format="{desc} {bar} {elapsed}")

    def paint(self, bar: Any) -> None:
        self.bar.set_description_str(_words(bar), refresh=False)
        # A single compile has no measurable progress.
        self.bar.total = bar.all or None
        self.bar.n = bar.done
        self.bar.refresh()

    def close(self) -> None:
        self.bar.close()


class _Line:
    """A bar drawn as a line of text."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.length = 0

    def paint(self, bar: Any) -> None:
        text = line_of(bar)
        self._write(text.ljust(self.length))
        self.length = len(text)

    def _write(self, text: str) -> None:
        self.stream.write(f"\r{text}")
        self.stream.flush()

    def close(self) -> None:
        self._write(" " * self.length)
        self._write("")


def _words(bar: Any) -> Any:
    counted = bar.all and bar.done < bar.all
    return f"{bar.doing} {bar.done}/{bar.all}" if counted else bar.doing


def line_of(bar: Any) -> str:
    """Returns the current text of the line."""
    if bar.all and bar.done < bar.all:
        filled = _WIDTH * bar.done // bar.all
        return (f"{bar.doing} [{'#' * filled}{'.' * (_WIDTH - filled)}] "
                f"{bar.done}/{bar.all}")
    return f"{bar.doing}, {bar.seconds:.0f} s"
