"""Forks at random moments, while four threads compile, call, have better code made
and release: every child compiles and calls, and none hangs.
"""

import os
import random
import signal
import threading
import time

import life

LIMIT = 300
FORKS = 20
#: So many children live at a time.
ALIVE = 4
#: Seconds after which a child is taken for one that hangs.
CHILD = 100


def make(seed):
    return dict(seed=seed, forks=FORKS)


class Threads:
    """They work till told to stop; what went wrong in one is kept."""

    def __init__(self, seed):
        self.over = threading.Event()
        self.wrong = []
        self.kept = [life.made(1)] * 8
        self.threads = [
            threading.Thread(target=self._again, args=(work, seed * 10 + n))
            for n, work in enumerate((self._compile, self._call, self._upgrade,
                                      self._release))]

    def _again(self, work, seed):
        draw = random.Random(seed)
        try:
            while not self.over.is_set():
                work(draw)
        except BaseException as error:
            self.wrong.append(repr(error))

    def _compile(self, draw):
        number = draw.randrange(10**6)
        f = life.made(number, draw.choice([1, 1, 50]))
        assert life.is_right(f, number)
        self.kept[draw.randrange(len(self.kept))] = f

    def _call(self, draw):
        f = draw.choice(self.kept)
        assert f(2.0) - f(1.0) == 1.0 and life.fails(f)

    def _upgrade(self, draw):
        number = draw.randrange(10**6)
        f = life.made(number, 100, tier="max", first_tier="fast")
        assert life.is_right(f, number)
        assert not draw.randrange(2) or f.wait()

    def _release(self, draw):
        self.kept[draw.randrange(len(self.kept))] = self.kept[0]
        time.sleep(0.001)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *error):
        self.over.set()
        for thread in self.threads:
            thread.join()


def child(number):
    signal.alarm(CHILD)
    mine = all(signal.getsignal(s) is signal.SIG_DFL for s in
               (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGABRT))
    return mine and life.is_right(life.made(number), number)


def run(case):
    draw = random.Random(case["seed"])
    counts = {"forks": 0}
    with Threads(case["seed"]) as threads:
        alive = 0
        while not threads.wrong and (alive or counts["forks"] < case["forks"]):
            if alive < ALIVE and counts["forks"] < case["forks"]:
                time.sleep(draw.uniform(0, 0.03))
                counts["forks"] += 1
                fork(counts["forks"])
                alive += 1
                continue
            status = os.wait()[1]
            alive -= 1
            if status:
                threads.wrong.append(f"a child ended with status {status:#x}")
        for _ in range(alive):
            os.wait()
    made = {"counts": counts}
    if threads.wrong:
        made["finding"] = dict(kind="fork", way=str(case),
                               detail="; ".join(threads.wrong))
    return made


def fork(number):
    """A child, whose status is 0 when all is right in it."""
    if os.fork():
        return
    status = 1
    try:
        status = 0 if child(-number) else 2
    finally:
        os._exit(status)


def script(case, finding):
    return life.script("fork_search", case, finding)
