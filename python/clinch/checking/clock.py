"""The time that a process had, so that limits hold on a busy machine, too."""

import glob
import time


class Clock:
    """Counts the seconds since it was made, less those in which the process
    could have run and other processes had the processors."""

    def __init__(self, process):
        self._threads = f"/proc/{process}/task/*/schedstat"
        self._waited = self._read()
        self._begin = time.monotonic()

    def elapsed(self):
        waited = max((wait - self._waited.get(thread, 0)
                      for thread, wait in self._read().items()), default=0)
        return time.monotonic() - self._begin - waited

    def _read(self):
        """How long each thread has waited for a processor, in seconds; nothing
        where the kernel does not count it."""
        waits = {}
        for thread in glob.iglob(self._threads):
            try:
                with open(thread) as file:
                    waits[thread] = int(file.read().split()[1]) / 1e9
            except (OSError, IndexError):
                pass  # It has ended.
        return waits
