"""A person at a terminal: a pseudo-terminal with the driver behind it."""

import os
import pty
import re
import select
import signal
import sys
import time

LIMIT = 240  # Seconds that nothing takes unless it hangs.


class Terminal:
    """Runs a command; `send` types, `expect` reads until a text comes."""

    def __init__(self, *command, **environment):
        self.seen = ""
        self.process, self.file = pty.fork()
        if self.process == 0:
            # A shell's background jobs ignore it; a person's terminal does not.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.environ.update(environment, TERM="xterm")
            os.execvp(command[0], command)

    def send(self, text):
        """Types."""
        os.write(self.file, text.encode())

    def expect(self, pattern):
        """Reads until the pattern comes; the match. What is before it and
        the match itself are then gone."""
        deadline = time.monotonic() + LIMIT
        while True:
            match = re.search(pattern, self.seen)
            if match:
                self.seen = self.seen[match.end():]
                return match
            if not self._read(deadline):
                sys.exit(f"`{pattern}` did not come; there is only\n"
                         f"{self.seen!r}")

    def _read(self, deadline):
        ready = select.select([self.file], [], [],
                              max(0, deadline - time.monotonic()))[0]
        if not ready:
            os.kill(self.process, signal.SIGKILL)
            return False
        try:
            data = os.read(self.file, 65536)
        except OSError:
            return False
        self.seen += data.decode(errors="replace")
        return bool(data)

    def status(self):
        """Reads to the end; the status the command ended with."""
        deadline = time.monotonic() + LIMIT
        while self._read(deadline):
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
