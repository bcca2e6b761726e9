"""What the tab key offers."""

import rlcompleter

from .commands import COMMANDS


class Completer:
    """Python names, and after a colon the commands and their words."""

    def __init__(self, session, readline):
        self.session = session
        self.readline = readline
        self.python = rlcompleter.Completer(session.namespace)
        self.offers = []

    def complete(self, text, state):
        """readline's interface: the state-th offer, or None."""
        line = self.readline.get_line_buffer()
        if not line.lstrip().startswith(":"):
            return self.python.complete(text, state)
        if state == 0:
            end = self.readline.get_endidx()
            self.offers = self.command_words(line[:end].lstrip(), text)
        return self.offers[state] if state < len(self.offers) else None

    def command_words(self, line, text):
        """Offers for `line`, each less what readline holds for finished:
        `text` is only the end of the word, as `-` and `:` divide words."""
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
