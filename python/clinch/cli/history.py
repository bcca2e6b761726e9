"""Line editing at a terminal: completion, and history kept between runs."""

from __future__ import annotations

import os

from .completion import Completer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any

_LIMIT = 10000


def history_file() -> str:
    """Returns the path $XDG_STATE_HOME/clinch/history."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(
        os.path.expanduser("~"), ".local", "state")
    return os.path.join(state, "clinch", "history")


class History:
    """Reads the history on entry, and adds each line at once: a block may end the
    process. If the folder cannot be written, the history lasts for this run
    only."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.readline: Any = None
        self.path = ""
        self.saved = 0

    def __enter__(self) -> History:
        try:
            import readline
        except ImportError:
            return self
        self.readline = readline
        readline.set_completer(Completer(self.session, readline).complete)
        readline.parse_and_bind("tab: complete")
        # A paste arrives as one text; see Console.push_lines.
        readline.parse_and_bind("set enable-bracketed-paste on")
        readline.set_history_length(_LIMIT)
        self.path = history_file()
        try:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600))
            readline.read_history_file(self.path)
        except OSError:
            pass
        self.saved = readline.get_current_history_length()
        return self

    def save(self) -> None:
        """Adds what was typed since the last time to the file."""
        if self.readline is None:
            return
        new = self.readline.get_current_history_length() - self.saved
        if new > 0:
            self.saved += new
            try:
                self.readline.append_history_file(new, self.path)
            except OSError:
                pass

    def __exit__(self, *_: Any) -> None:
        self.save()
