"""Completion with the tab key."""

from __future__ import annotations

import itertools
import os
import re
import rlcompleter

from .c_mistakes import HEADERS, InputError
from .c_shape import TYPES
from .commands import COMMANDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any


_MEMBER = re.compile(r"([A-Za-z_]\w*)((?:\[[^\[\]]*\]|(?:\.|->)\w+)*)(?:\.|->)(\w*)$")
_HEADER = re.compile(r"#\s*include\s*<(?:([^>]*)/)?([^>/]*)$")
_FOLDERS = ("/usr/local/include", "/usr/include",
            f"/usr/include/{os.uname().machine}-linux-gnu")


def headers(folder: str, start: str) -> list[str]:
    """Returns the headers of the system, and the folders, that begin so."""
    found = set()
    for path in _FOLDERS:
        try:
            entries = list(os.scandir(os.path.join(path, folder)))
        except OSError:
            continue
        found |= {one.name + ("/" if one.is_dir() else ">") for one in entries
                  if one.name.startswith(start) and (one.is_dir() or one.name.endswith(".h")
                                                     or "." not in one.name)}
    return sorted(found)


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
        if header := _HEADER.search(line):
            return headers(header[1] or "", header[2])
        names = self.session.c.names.known
        member = _MEMBER.search(line)
        if member and member[1] in names:
            before = text[:len(text) - len(member[3])]
            return [before + name for name in self.members(member[1] + member[2])
                    if name.startswith(member[3])]
        return self.names(text)

    def members(self, path: str) -> list[str]:
        """Returns the members of a struct of C, or of what a pointer points to."""
        try:
            types, kind = self.session.c.type_of(path)
        except InputError:
            return []
        row = types._rows.get(kind.lstrip("*").removeprefix("const "), ["e"])
        return [] if row[0] == "e" else [name for name in row[4::4] if name]

    def names(self, text: str) -> list[str]:
        """Returns the names that begin so, C's first."""
        found = []
        if text and "." not in text:
            known = {name.rpartition(" ")[2] for name in self.session.c.names.known}
            found = [name for name in sorted({*known, *HEADERS, *TYPES})
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
