"""Completion with the tab key."""

from __future__ import annotations

import rlcompleter

from .commands import COMMANDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any


class Completer:
    """Completes Python names, and after a colon the commands and their words."""

    def __init__(self, session: Any, readline: Any) -> None:
        self.session = session
        self.readline = readline
        self.python = rlcompleter.Completer(session.namespace)
        self.offers: list[str] = []

    def complete(self, text: str, state: int) -> str | None:
        """Returns the state-th offer, or None, as readline asks."""
        line = self.readline.get_line_buffer()
        if not line.lstrip().startswith(":"):
            return self._name(text, state)
        if state == 0:
            end = self.readline.get_endidx()
            self.offers = self.command_words(line[:end].lstrip(), text)
        return self.offers[state] if state < len(self.offers) else None

    def _name(self, text: str, state: int) -> str | None:
        """Returns the state-th name, of C first; members are those of the value."""
        known = self.session.c.names.known if "." not in text else {}
        names = sorted({name.rpartition(" ")[2] for name in known})
        of_c = [name for name in names if name.startswith(text)] if text else []
        if state < len(of_c):
            return of_c[state]
        self.session.fill()
        return self.python.complete(text, state - len(of_c))

    def command_words(self, line: str, text: str) -> Any:
        """Returns the offers for `line`, each without the part before `text`:
        readline splits words at `-` and `:`, so `text` may be only the end."""
        words = line[1:].split(" ")
        if len(words) == 1:
            offers = [name + (" " if entry.arguments else "")
                      for name, entry in COMMANDS.items()]
        else:
            command = COMMANDS.get(words[0])
            offers = (command.words(self.session, words[1:-1]) if command
                      else [])
        word = words[-1].rpartition(",")[2]
        done = len(word) - len(text)
        return [o[done:] for o in sorted(offers) if o.startswith(word)]
