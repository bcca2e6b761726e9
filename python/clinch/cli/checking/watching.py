"""The child process that checks, and the parent that watches it.

Imported modules may hang, crash, print and exit, so they run in a child, which
announces each step. If it is silent for too long or ends, the step is reported
and a new child goes on after it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys

from ...base.annotations import Any
from ...base.progress import reporting
from .clock import Clock
from .looking import Looker
from .result import Finding, Result
from .saying import LOADING

_LOADING_LIMIT = 120.0  # Precompiling headers.
_SHORTEST_WAIT = 0.05


def look(targets: Any, options: Any, unseen: Any) -> Any:
    """Returns the Result for all targets."""
    result = Result(unseen=list(unseen), files=len(targets))
    waiting = list(targets)
    skipped: list[tuple[str, str]] = []
    while waiting:
        child = _Child(waiting, skipped, options)
        # The bar's thread must have ended before the next fork.
        with reporting(None, "checking") as progress:
            done = child.follow(result, options.time_limit, progress)
        if done is None:
            break
        waiting, step = waiting[done:], child.step
        if step is None:  # It began no step.
            result.unseen.append((waiting.pop(0), child.end))
        else:
            result.unseen.append((step[0], f"{step[1]} {child.end}"))
            skipped.append(step)
    result.finish()
    return result


class _Child:
    """One child process, its pipe, and its last message."""

    def __init__(self, targets: Any, skipped: Any, options: Any) -> None:
        self.step: tuple[str, str] | None = None
        self.end = ""
        self.done, self.count = 0, len(targets)
        sys.stdout.flush()
        sys.stderr.flush()
        reading, writing = os.pipe()
        self.process: int | None = os.fork()
        if self.process == 0:
            os.close(reading)
            _work(writing, targets, skipped, options)
        os.close(writing)
        self.pipe = reading

    def follow(self, result: Any, limit: Any, progress: Any) -> Any:
        """Reads the child's messages; returns None if it finished, else how
        many targets are done."""
        rest = b""
        try:
            while True:
                now = (max(limit, _LOADING_LIMIT) if self.step is None
                       or self.step[1] == LOADING else limit)
                if not self._says_more(now):
                    self.end = f"did not end in {now:g} seconds"
                    return self.done
                data = os.read(self.pipe, 1 << 16)
                if not data:
                    return self._ended()
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    if self._take(json.loads(line), result):
                        return None
                if progress is not None:
                    progress(result.files - self.count + self.done,
                             result.files)
        finally:
            self._reap()

    def _says_more(self, limit: Any) -> bool:
        """Whether the child writes or ends before its time is up."""
        clock = Clock(self.process)
        while (left := limit - clock.elapsed()) > 0:
            if select.select([self.pipe], [], [],
                             max(left, _SHORTEST_WAIT))[0]:
                return True
        return False

    def _take(self, said: dict[str, Any], result: Any) -> bool:
        """Handles a message; returns whether it was the last."""
        kind = said.pop("kind")
        if kind == "step":
            self.step = said["path"], said["what"]
        elif kind == "finding":
            result.findings.append(Finding(**said))
        elif kind == "unseen":
            result.unseen.append((said["path"], said["why"]))
        elif kind == "crash":
            self.end = f"crashed the compiler: {said['why']}"
        elif kind == "looked":
            result.graphs += 1
        elif kind == "target":
            self.done, self.step = said["done"], None
        return kind == "end"

    def _ended(self) -> Any:
        assert self.process is not None
        _, status = os.waitpid(self.process, 0)
        self.process = None
        if self.end:
            return self.done
        if os.WIFSIGNALED(status):
            name = signal.Signals(os.WTERMSIG(status)).name
            self.end = f"ended the process with {name}"
        else:
            self.end = ("ended the process with status "
                        f"{os.waitstatus_to_exitcode(status)}")
        return self.done

    def _reap(self) -> None:
        os.close(self.pipe)
        if self.process is not None:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)


def _work(pipe: Any, targets: Any, skipped: Any, options: Any) -> None:
    """Runs the child and exits."""
    status = 1
    try:
        # Modules must not print into the report or wait for input.
        os.dup2(2, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        with os.fdopen(pipe, "w") as out:
            Looker(out, {tuple(step) for step in skipped}, options).run(targets)
        status = 0
    except BaseException as error:
        if not isinstance(error, (SystemExit, KeyboardInterrupt)):
            sys.excepthook(type(error), error, error.__traceback__)
        elif isinstance(error, SystemExit) and isinstance(error.code, int):
            status = error.code
    finally:
        sys.stderr.flush()
        os._exit(status)
