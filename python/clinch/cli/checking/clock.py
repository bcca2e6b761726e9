"""Measures a process's time fairly on a busy machine, for time limits."""

from __future__ import annotations

import glob
import time


class Clock:
    """Counts the seconds since it was made, less those that the process waited
    for a processor."""

    def __init__(self, process: int | None) -> None:
        self._threads = f"/proc/{process}/task/*/schedstat"
        self._waited = self._read()
        self._begin = time.monotonic()

    def elapsed(self) -> float:
        waited = max((wait - self._waited.get(thread, 0)
                      for thread, wait in self._read().items()), default=0)
        return time.monotonic() - self._begin - waited

    def _read(self) -> dict[str, float]:
        """Returns the seconds that each thread has waited for a processor;
        empty if the kernel does not count them."""
        waits = {}
        for thread in glob.iglob(self._threads):
            try:
                with open(thread) as file:
                    waits[thread] = int(file.read().split()[1]) / 1e9
            except (OSError, IndexError):
                pass  # The thread has ended.
        return waits
