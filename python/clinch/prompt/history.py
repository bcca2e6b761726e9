"""Line editing at a terminal: completion, and history kept between runs."""

import os

from .completion import Completer

_LIMIT = 10000


def history_file():
    """Returns the path $XDG_STATE_HOME/clinch/history."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(
        os.path.expanduser("~"), ".local", "state")
    return os.path.join(state, "clinch", "history")


class History:
    """Reads the history on entry and writes it on exit. If the folder cannot be
    written, the history lasts for this run only."""

    def __init__(self, session):
        self.session = session
        self.readline = None

    def __enter__(self):
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
        try:
            readline.read_history_file(history_file())
        except OSError:
            pass
        return self

    def __exit__(self, *_):
        if self.readline is None:
            return
        path = history_file()
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            self.readline.write_history_file(path)
        except OSError:
            pass
