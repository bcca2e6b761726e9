"""Processes that are driven: started, asked, given up when they take too long."""

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


class Driven:
    """A worker for one search. It is started when first asked, and anew when it
    died, hung, or has answered often enough."""

    MOST_ANSWERS = 1000

    def __init__(self, search, environment=None, most_answers=MOST_ANSWERS):
        self.search = search
        self.most_answers = most_answers
        self.environment = {**os.environ, **(environment or {})}
        self.process = None

    def start(self):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "worker.py"), self.search],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            env=self.environment, start_new_session=True)
        self.rest = b""
        self.answers = 0

    def ask(self, question, limit):
        """The answer; {"finding": ...} of a worker that gave none in `limit`
        seconds."""
        if self.process and self.answers >= self.most_answers:
            self.stop()
        if not self.process:
            self.start()
        line = json.dumps(question).encode() + b"\n"
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
        except BrokenPipeError:
            return self._failed(None)
        answer = self._read_line(time.monotonic() + limit)
        if answer is None:
            return self._failed(limit)
        self.answers += 1
        return json.loads(answer)

    def _read_line(self, deadline):
        out = self.process.stdout.fileno()
        while b"\n" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([out], [], [], left)[0]:
                return None
            more = os.read(out, 1 << 16)
            if not more:
                return None
            self.rest += more
        line, _, self.rest = self.rest.partition(b"\n")
        return line

    def _failed(self, limit):
        """What became of the worker."""
        try:
            status = self.process.wait(0.5)
            kind, detail = "died", _ending(status)
        except subprocess.TimeoutExpired:
            kind, detail = "hung", f"no answer within {limit} s"
        self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, self.errors.tell() - 2000))
        said = self.errors.read().decode(errors="replace").strip()
        self.stop()
        return {"counts": {}, "finding": {
            "kind": kind, "way": "", "detail": f"{detail}\n{said}".strip()}}

    def stop(self):
        if self.process is None:
            return
        # At the end of its questions it goes by itself, unless it hangs.
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            pass
        # With all that it may have started.
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()
        self.process = None


def _ending(status):
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    return f"ended with status {status}"
