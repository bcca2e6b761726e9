"""A header that whoever reads it waits for, as another has a lease on it."""

import fcntl
import os
import signal
import threading
import time


class HeldHeader:
    """The header, and what happens while a compile stands still in it."""

    def __init__(self, path):
        self.path = path
        self.folder = str(path.parent)
        self.thread = None
        self._write(0.0)
        # The system says so when somebody waits, which ends a process that
        # has not said what it wants then.
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        self.file = os.open(path, os.O_RDWR)
        fcntl.fcntl(self.file, fcntl.F_SETLEASE, fcntl.F_WRLCK)

    def _write(self, value):
        self.path.write_text(self._text(value))

    @staticmethod
    def _text(value):
        """As long for each value."""
        return f"#define ADDED_BY_HEADER {value:<12}\n"

    def wait(self):
        """Until a compile opens the header, and waits for it."""
        while fcntl.fcntl(self.file, fcntl.F_GETLEASE) == fcntl.F_WRLCK:
            time.sleep(0.002)

    def when_read(self, action):
        """Runs `action` in a thread once a compile reads the header."""
        def run():
            self.wait()
            action()
        self.thread = threading.Thread(target=run)
        self.thread.start()

    def go_on(self, value):
        """Gives the compile its header. One that was left learns that nobody
        wants it, and ends."""
        self.thread.join()
        os.pwrite(self.file, self._text(value).encode(), 0)
        self.close()

    def close(self):
        fcntl.fcntl(self.file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        os.close(self.file)
