"""Shows the progress of long work: a compile, waiting for better code, a check."""

from __future__ import annotations

import importlib
import sys
import threading

from .annotations import Any

#: Seconds after which a bar appears.
PATIENCE = 1.0


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
    """A bar of tqdm, if that is installed, which appears if something takes long and
    disappears when it ends."""

    def __init__(self, stream: Any, doing: str = "compiling",
                 patience: float = PATIENCE) -> None:
        self.stream = stream
        self.doing = doing
        self.patience = patience
        self.done = self.all = 0
        self.shown: Any = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._draw_on, daemon=True)
        self._thread.start()

    def update(self, done: int, all: int) -> None:
        self.done, self.all = done, all

    def _draw_on(self) -> None:
        delay = self.patience
        while not self._over.wait(delay) and self.draw():
            delay = 0.1

    def draw(self) -> bool:
        """Draws the current progress; returns whether there is a bar."""
        if self.shown is None:
            self.shown = _bar_of_tqdm(self.stream)
        if self.shown is None:
            return False
        counted = self.all and self.done < self.all
        self.shown.set_description_str(
            f"{self.doing} {self.done}/{self.all}" if counted else self.doing, refresh=False)
        # A single compile has no measurable progress.
        self.shown.total = self.all or None
        self.shown.n = self.done
        self.shown.refresh()
        return True

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        if self.shown is not None:
            self.shown.close()


def _bar_of_tqdm(stream: Any) -> Any:
    for name in ("tqdm.notebook", "tqdm.std") if in_notebook() else ("tqdm.std",):
        try:
            return importlib.import_module(name).tqdm(
                file=stream, leave=False, bar_format="{desc} {bar} {elapsed}")
        except ImportError:  # tqdm.notebook raises it without ipywidgets.
            continue
    return None
