"""Work in a process of its own, which it may end."""

import faulthandler
import json
import os
import signal


def apart(work, seconds=60):
    """What `work` returned in a child, as JSON has it, or None if it did not come
    to that; and the child's status, as `waitpid` gives it."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(seconds)
        faulthandler.disable()  # Nobody wants to read it.
        try:
            os.write(writing, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as file:
        told = file.read()
    status = os.waitpid(child, 0)[1]
    return json.loads(told) if told else None, status


def ending(status):
    """Says how a child ended, from `waitpid`'s status."""
    if os.WIFSIGNALED(status):
        return f"killed by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"ended with status {os.WEXITSTATUS(status)}"
