"""Completion with the tab key."""

from __future__ import annotations

import itertools
import re
import rlcompleter

from ..errors import CompileError
from .c_mistakes import HEADERS
from .commands import COMMANDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any


class Completer:
    """Completes names and members of C, headers, Python names, and after a colon the
    commands and their words."""

    def __init__(self, session: Any, readline: Any) -> None:
        self.session = session
        self.readline = readline
        self.python = rlcompleter.Completer(session.namespace)
        self.offers: list[str] = []

    def complete(self, text: str, state: int) -> str | None:
        """Returns the state-th offer, or None, as readline asks."""
        if state == 0:
            line = self.readline.get_line_buffer()[:self.readline.get_endidx()]
            self.offers = self.offered(line.lstrip(), text)
        return self.offers[state] if state < len(self.offers) else None

    def offered(self, line: str, text: str) -> list[str]:
        """Returns the offers for the end `text` of a line."""
        if line.startswith(":"):
            return self.command_words(line, text)
        found = self.of_c(line)
        if re.search(r"#\s*include\s*<[^>]*$", line):
            return found
        stem = re.search(r"\w*$", text)[0]  # type: ignore[index]
        if found and re.search(r"(\.|->|::)\w*$", line):
            return [text[:len(text) - len(stem)] + name for name in found]
        return self.names(text, found)

    def of_c(self, line: str) -> list[str]:
        """Returns what Clang offers behind a line and those that it goes on with."""
        try:
            found = self.session.c.completions("\n".join([*self.session.reader.lines, line]))
        except CompileError:
            return []
        word = re.search(r"\w*$", line)[0]  # type: ignore[index]
        return [name for name in found if name.startswith("_") <= word.startswith("_")
                and not name.startswith("clinch_prompt_")]

    def names(self, text: str, of_clang: list[str]) -> list[str]:
        """Returns the names that begin so, C's first."""
        found = []
        if text and "." not in text:
            known = {name.rpartition(" ")[2] for name in self.session.c.names.known}
            found = [name for name in sorted({*known, *HEADERS, *of_clang})
                     if name.startswith(text)]
        self.session.fill()
        for state in itertools.count():
            name = self.python.complete(text, state)
            if name is None:
                return list(dict.fromkeys(found))
            found.append(name)
        return found

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
