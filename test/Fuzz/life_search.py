"""A host's day in the small: functions are made, called, upgraded, pickled and
dropped, calls fail, forks and Ctrl-C come in between; what the process holds stays
as it was.
"""

import gc
import os
import pickle
import random
import signal
import threading
import traceback

import clinch
import life

LIMIT = 300
#: One process lives as long as the search.
MOST_ANSWERS = 10**9
STEPS = 60
#: What a process may hold more at the end of a case than after its first ones.
MOST_GROWTH = 64 << 20
MOST_HANDLES = 2
WARM_CASES = 10
KINDS = ["make"] * 6 + ["call"] * 20 + ["fail"] * 4 + ["drop"] * 5 + \
    ["upgrade", "wait", "pickle", "refuse", "interrupt", "again",
                           "fork"]


def make(seed):
    return dict(seed=seed, steps=STEPS)


class Life:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.kept = []  # (function, number)
        self.counts = {}

    def step(self):
        kind = self.draw.choice(KINDS)
        if not self.kept:
            kind = "make"
        self.counts[kind] = self.counts.get(kind, 0) + 1
        getattr(self, kind)()

    def _one(self):
        return self.draw.choice(self.kept)

    def make(self, **how):
        number = self.draw.randrange(10**6)
        form = self.draw.choice(["struct", "function"])
        f = life.made(number, self.draw.choice([1, 1, 1, 30]),
                      **(how or {"form": form}))
        assert life.is_right(f, number)
        self.kept.append((f, number))

    def call(self):
        assert life.is_right(*self._one())

    def fail(self):
        assert life.fails(self._one()[0])

    def drop(self):
        self.kept.pop(self.draw.randrange(len(self.kept)))

    def upgrade(self):
        self.make(tier="max", first_tier="fast")

    def wait(self):
        assert self._one()[0].wait()

    def pickle(self):
        f, number = self._one()
        again = pickle.loads(pickle.dumps(f))
        assert life.is_right(again, number)
        self.kept.append((again, number))

    def again(self):
        f, number = self._one()
        assert life.is_right(life.made(number), number)

    def refuse(self):
        try:
            life.made(f"{self.draw.randrange(10**6)} +")
        except clinch.CompileError as error:
            assert "Adds.c_code" in str(error)
        else:
            raise AssertionError("it compiled")

    def interrupt(self):
        """Ctrl-C at some moment of a compile; it may come too late."""
        main = threading.main_thread().ident
        after = self.draw.uniform(0, 0.02)
        ready = threading.Event()

        def send():
            ready.wait()
            threading.Event().wait(after)
            signal.pthread_kill(main, signal.SIGINT)
        sender = threading.Thread(target=send)
        sender.start()
        try:
            ready.set()
            self.make()
            sender.join()
        except KeyboardInterrupt:
            self.counts["left by Ctrl-C"] = \
                self.counts.get("left by Ctrl-C", 0) + 1
        sender.join()

    def fork(self):
        self.counts["children"] = self.counts.get("children", 0) + 1
        pid = os.fork()
        if not pid:
            status = 1
            try:
                signal.alarm(60)
                number = self.draw.randrange(10**6)
                right = life.is_right(life.made(number), number)
                status = 0 if right and (
                    not self.kept or life.is_right(*self._one())) else 2
            finally:
                os._exit(status)
        assert os.waitpid(pid, 0)[1] == 0


_after = _last = None
_cases = 0


def _grown(counts):
    """What the process holds more of than it may, or None; adds to the counts what
    it holds more than after the case before."""
    global _after, _last, _cases
    gc.collect()
    _cases += 1
    now = life.resident(), life.handles()
    if _cases <= WARM_CASES or _after is None:
        _after = _last = now
    counts["KiB more in the end"] = (now[0] - _last[0]) >> 10
    counts["handles more in the end"] = now[1] - _last[1]
    _last = now
    if now[0] - _after[0] > MOST_GROWTH:
        return f"{(now[0] - _after[0]) >> 20} MB more after {_cases} cases"
    if now[1] - _after[1] > MOST_HANDLES:
        return f"{now[1]} handles, and {_after[1]} before"
    return None


def run(case):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    living = Life(case["seed"])
    wrong = None
    try:
        for _ in range(case["steps"]):
            living.step()
        living.fork()
    except Exception as error:
        wrong = "".join(traceback.format_exception(error))
    living.kept.clear()
    made = {"counts": living.counts}
    grown = _grown(living.counts)
    if wrong := wrong or grown:
        made["finding"] = dict(kind="life", way=str(case), detail=wrong)
    return made


def script(case, finding):
    return life.script("life_search", case, finding)
