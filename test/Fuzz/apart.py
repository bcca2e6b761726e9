"""Work in a process of its own, which it may end."""

import faulthandler
import json
import os
import signal


def apart(work, seconds=60):
    """What `work` returned in a child, as JSON has it, or None if it did not come
    to that; and the child's status, as `waitpid` gives it."""
    answers, status = _child([work], seconds)
    return answers[0] if answers else None, status


def in_turn(works, processor):
    """Yields the same for each of `works`, which one child does as long as it
    lives, and another one from there. Each may take so many seconds of the
    `processor`."""
    works = list(works)
    while works:
        answers, status = _child(works, 60, processor)
        for answer in answers:
            yield answer, status
        del works[:len(answers)]
        if works:
            yield None, status
            del works[0]


def _child(works, seconds, processor=0):
    """What each returned, up to one that ended the child; and its status."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(seconds)
        faulthandler.disable()  # Nobody wants to read it.
        try:
            for work in works:
                signal.setitimer(signal.ITIMER_PROF, processor)
                os.write(writing, json.dumps(work()).encode() + b"\n")
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as file:
        lines = file.readlines()
    status = os.waitpid(child, 0)[1]
    return [json.loads(line) for line in lines if line.endswith(b"\n")], status


def ending(status):
    """Says how a child ended, from `waitpid`'s status."""
    if os.WIFSIGNALED(status):
        return f"killed by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"ended with status {os.WEXITSTATUS(status)}"
