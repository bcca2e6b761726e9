"""A person at a terminal: a pseudo-terminal with the driver behind it."""

import os
import pty
import re
import select
import signal
import sys
import time

LIMIT = 240  # Seconds that nothing takes unless it hangs.
PATIENCE = 5  # Silent seconds after which one presses Ctrl-C again.


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
        match = self._await(pattern, LIMIT)
        if match is None:
            os.kill(self.process, signal.SIGKILL)
            sys.exit(f"`{pattern}` did not come; there is only\n"
                     f"{self.seen!r}")
        return match

    def interrupt(self, pattern):
        """Presses Ctrl-C and expects; presses again when the pattern does not
        come, as one does: a `time.sleep` may not have slept yet. The prompt
        needs no second one: there, `send` and `expect`."""
        for _ in range(LIMIT // PATIENCE):
            self.send("\x03")
            match = self._await(pattern, PATIENCE)
            if match:
                return match
        return self.expect(pattern)

    def compute(self, seconds):
        """Waits until the command's own thread has computed for so long from
        now, and is in the loop that it was told to enter."""
        end = self._computed() + seconds
        deadline = time.monotonic() + LIMIT
        while self._computed() < end and time.monotonic() < deadline:
            time.sleep(0.01)

    def _computed(self):
        """Seconds that the command's first thread has been on a processor."""
        with open(f"/proc/{self.process}/task/{self.process}/stat") as file:
            user, system = file.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _await(self, pattern, limit):
        """The match, or None if it does not come within the seconds given."""
        deadline = time.monotonic() + limit
        while True:
            match = re.search(pattern, self.seen)
            if match:
                self.seen = self.seen[match.end():]
                return match
            if not self._read(deadline):
                return None

    def _read(self, deadline):
        """Whether more has come; False at the end and at the deadline."""
        if not select.select([self.file], [], [],
                             max(0, deadline - time.monotonic()))[0]:
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
        if time.monotonic() > deadline:
            os.kill(self.process, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
