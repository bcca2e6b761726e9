"""`:sandbox`: inputs in a process of their own, which sees what the prompt has and is
thrown away."""

from __future__ import annotations

import os
import signal
import sys

from .. import _clinch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any


class Sandbox:
    """A copy of the prompt's process, which is given lines."""

    def __init__(self, session: Any) -> None:
        self.session = session
        #: Whether an input goes on.
        self.is_open = False
        sys.stdout.flush()
        sys.stderr.flush()
        mine, its = os.pipe()
        theirs, ours = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(ours)
            os.close(mine)
            _serve(session, os.fdopen(theirs, "rb"), its)
        os.close(theirs)
        os.close(its)
        self.lines = os.fdopen(ours, "wb")
        self.answers = os.fdopen(mine, "rb", buffering=0)

    def take(self, text: str) -> None:
        """Has lines run."""
        data = text.encode()
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # It is the process's.
        try:
            self.lines.write(b"%d\n%s" % (len(data), data))
            self.lines.flush()
            answer = self.answers.read(1)
        except BrokenPipeError:
            answer = b""
        finally:
            signal.signal(signal.SIGINT, before)
        self.is_open = answer == b"+"
        if not answer:
            self._ended()

    def leave(self) -> None:
        """Throws the process away."""
        self.take(":end")

    def _ended(self) -> None:
        """Says what has ended the process, if that was not the user."""
        self.session.sandbox = None
        self.lines.detach().close()
        self.answers.close()
        status = os.waitpid(self.process, 0)[1]
        if os.WIFSIGNALED(status):
            name = signal.Signals(os.WTERMSIG(status)).name
            print(f"{name} has ended the sandbox; the prompt is as it was before it",
                  file=sys.stderr)


def _serve(session: Any, lines: Any, answers: int) -> None:
    """Runs lines until there are no more; does not return."""
    try:
        _clinch.guard_calls()
        session.sandbox, session.is_sandbox = None, True
        reader = session.reader
        while size := lines.readline():
            text = lines.read(int(size)).decode()
            try:
                reader.take(text)
            except KeyboardInterrupt:
                reader.lines, reader.in_c = [], False
                print("\nKeyboardInterrupt")
            sys.stdout.flush()
            sys.stderr.flush()
            os.write(answers, b"+" if reader.lines else b"-")
    finally:
        sys.stdout.flush()
        os._exit(0)


def begin(session: Any, text: str) -> None:
    """Begins a sandbox, or has one input run in one."""
    sandbox = session.sandbox = Sandbox(session)
    if text:
        sandbox.take(text)
        if session.sandbox and not sandbox.is_open:
            sandbox.leave()
