"""A cache in which everything goes wrong: writers killed at any moment, bits that
flip, files cut, exchanged and put in each other's place, a disk that is full, eight
processes at once, another version of Clinch. What is loaded from it is right, or it
is compiled anew.
"""

import functools
import os
import random
import resource
import shutil
import signal
import tempfile
import time

import clinch
import life

LIMIT = 300
EVENTS = 30
#: So many come, at most, between two times that everything is loaded.
AT_ONCE = 4
TEXTS = 6


def make(seed):
    return dict(seed=seed, events=EVENTS)


def entries(folder):
    return [os.path.join(here, name) for here, _, names in os.walk(folder)
            for name in names]


def fork(work):
    """The process that does it; its status is 0 when all was right."""
    pid = os.fork()
    if not pid:
        status = 1
        try:
            signal.alarm(100)
            status = 0 if work() else 2
        finally:
            os._exit(status)
    return pid


def use(folder, numbers):
    """Makes the functions with that cache, and says whether they are right."""
    clinch.config.cache_dir = folder
    clinch.config.cache = True
    return all(life.is_right(life.made(number), number) for number in numbers)


class Cache:
    def __init__(self, seed, folder):
        self.draw = random.Random(seed)
        self.folder = folder
        self.numbers = [self.draw.randrange(10**6) for _ in range(TEXTS)]
        self.wrong = None

    def _await(self, pids, may_be_killed=False):
        for pid in pids:
            status = os.waitpid(pid, 0)[1]
            killed = os.WIFSIGNALED(status) and \
                os.WTERMSIG(status) == signal.SIGKILL
            if status and not (killed and may_be_killed):
                self.wrong = f"a process ended with status {status:#x}"

    def _entry(self):
        found = entries(self.folder)
        return self.draw.choice(sorted(found)) if found else None

    def kill(self):
        pid = fork(lambda: use(self.folder, self.numbers))
        time.sleep(self.draw.uniform(0, 0.15))
        os.kill(pid, signal.SIGKILL)
        self._await([pid], may_be_killed=True)

    def flip(self):
        if path := self._entry():
            with open(path, "r+b") as file:
                text = bytearray(file.read())
                for _ in range(self.draw.randint(1, 3)):
                    if text:
                        text[self.draw.randrange(len(text))] ^= \
                            1 << self.draw.randrange(8)
                file.seek(0)
                file.write(text)

    def cut(self):
        if path := self._entry():
            os.truncate(path, self.draw.randrange(os.path.getsize(path) + 1))

    def exchange(self):
        one, two = self._entry(), self._entry()
        if one and one != two:
            kept = one + ".kept"
            os.rename(one, kept)
            os.rename(two, one)
            os.rename(kept, two)

    def copy(self):
        one, two = self._entry(), self._entry()
        if one and one != two:
            shutil.copyfile(one, two)

    def lose(self):
        if path := self._entry():
            os.unlink(path)

    def deny(self):
        if path := self._entry():
            os.unlink(path)
            os.mkdir(path)

    def fill(self):
        """No file may become longer than some bytes, as on a full disk; what
        code is loaded into is one, too, and is there before."""
        most = self.draw.choice([0, 1, 100, 1000, 5000])

        def work():
            life.made(0)
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            return use(self.folder, self.numbers)
        self._await([fork(work)])

    def other(self):
        """Another version uses it; its files are damaged as well from now on."""
        answer = _other_version().ask({"case": dict(
            folder=self.folder, numbers=self.numbers)}, LIMIT / 3)
        if answer.get("status") != 0:
            self.wrong = f"another version answered {answer}"

    def crowd(self):
        self._await([fork(lambda: use(self.folder, self.numbers))
                     for _ in range(8)])


KINDS = ["kill"] * 4 + ["flip"] * 10 + ["cut"] * 5 + \
    ["exchange", "copy"] * 2 + ["lose", "deny", "fill", "crowd", "other"]


@functools.cache
def _other_version():
    import cache_other  # Which needs this module.
    return cache_other.other_version()


def run(case):
    life.made(0)  # With the engine, which each process would load.
    counts = {}
    with tempfile.TemporaryDirectory(prefix="clinch-cache-") as folder:
        cache = Cache(case["seed"], folder)
        while counts.get("events", 0) < case["events"]:
            kinds = cache.draw.choices(KINDS, k=cache.draw.randint(1, AT_ONCE))
            for kind in kinds:
                getattr(cache, kind)()
                for name in ("events", kind):
                    counts[name] = counts.get(name, 0) + 1
            cache._await([fork(lambda: use(folder, cache.numbers))])
            counts["loads"] = counts.get("loads", 0) + TEXTS
            if cache.wrong:
                return {"counts": counts, "finding": dict(
                    kind="cache", way=f"{case}, {kinds}", detail=cache.wrong)}
    return {"counts": counts}


def script(case, finding):
    return life.script("cache_search", case, finding)
