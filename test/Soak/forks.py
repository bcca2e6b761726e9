#!/usr/bin/env python3
"""Forks at random moments, while other threads compile, call, upgrade and
release functions. Every child compiles, calls what it inherited, and finds the
signal handlers of the host; none hangs.

    forks.py [--seconds N] [--count N] [--seed N] [--threads N]
"""

import argparse
import ctypes
import faulthandler
import os
import random
import signal
import sys
import threading
import time

import clinch

# Far more than a child needs where all processors are busy.
PATIENCE = 120
CRASHES = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE,
           signal.SIGABRT, signal.SIGTRAP)


class Action(ctypes.Structure):
    _fields_ = [("handler", ctypes.c_void_p), ("rest", ctypes.c_char * 256)]


def handlers():
    """What the system has for each signal of a crash, Python's own not."""
    libc, found = ctypes.CDLL(None), []
    for number in CRASHES:
        action = Action()
        libc.sigaction(number, None, ctypes.byref(action))
        found.append(action.handler)
    return found


def fresh_text(random_number):
    return (f"static double a(double x) {{ return x * {random_number}; }}\n"
            f"double f(double x) {{ double s = 0;\n"
            f"  for (int i = 0; i < 8; ++i) s += a(x + i);\n  return s; }}")


def check_text(number, **options):
    f = clinch.compile(fresh_text(number), **options)["double f(double)"]
    assert f(1.0) == 36.0 * number


def check_function(number, tier):
    x, y = clinch.double("x"), clinch.double("y")
    f = clinch.function([x, y], x * y + float(number), tier=tier)
    assert f(3.0, 4.0) == 12.0 + number
    assert f(3.0, 4) == 12.0 + number
    return f


class Others:
    """Threads that do what the forking one must not be hindered by."""

    def __init__(self, count, seed):
        self.failures, self.stop = [], False
        self.kept = check_function(0, "fast")
        self.threads = [threading.Thread(target=self.run, args=(seed + n,))
                        for n in range(count)]
        for thread in self.threads:
            thread.start()

    def run(self, seed):
        choice = random.Random(seed)
        kept = []
        try:
            while not self.stop:
                self.step(choice, kept)
        except BaseException as error:
            self.failures.append(error)
            raise

    def step(self, choice, kept):
        number = choice.randrange(1 << 40)
        what = choice.randrange(5)
        if what == 0:
            check_text(number, tier=choice.choice(("fast", "default", "max")))
        elif what == 1:  # Its headers are precompiled, once for each number.
            check_text(number, tier="fast", python=True,
                       flags=[f"-DNPY_FORKS_{number % 3}",
                                                   "-std=gnu17"])
        elif what == 2:
            kept.append(check_function(number, choice.choice(
                ("fast", "default", "max"))))
        elif what == 3 and kept:
            f = choice.choice(kept)
            for _ in range(100):
                f(1.0, 2.0)
        elif kept:
            kept.pop(choice.randrange(len(kept)))

    def end(self):
        self.stop = True
        for thread in self.threads:
            thread.join()
        if self.failures:
            raise self.failures[0]


def child(kept, seed, expected):
    """In the child: 0 when all is well."""
    faulthandler.dump_traceback_later(PATIENCE - 10, exit=True)
    assert handlers() == expected
    assert kept(5.0, 6.0) == 30.0
    check_text(seed, tier="fast")
    check_function(seed, "default")
    assert handlers() == expected


def fork_once(others, seed, expected):
    pid = os.fork()
    if not pid:
        status = 1
        try:
            child(others.kept, seed, expected)
            status = 0
        except BaseException as error:
            print(f"child: {error!r}", file=sys.stderr, flush=True)
        os._exit(status)
    return pid


def wait_for(pid):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(0.002)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return "hangs"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--count", type=int, default=1 << 30)
    parser.add_argument("--seed", type=int, default=time.time_ns() & 0xffff)
    parser.add_argument("--threads", type=int, default=4)
    options = parser.parse_args()
    clinch.config.cache = False
    choice = random.Random(options.seed)
    expected = handlers()
    others = Others(options.threads, options.seed)
    begin, forks, bad = time.monotonic(), 0, 0
    try:
        while (forks < options.count and not others.failures and
               time.monotonic() - begin < options.seconds):
            time.sleep(choice.random() ** 4 * 0.05)
            status = wait_for(fork_once(others, choice.randrange(1 << 40),
                                        expected))
            forks += 1
            if status != 0:
                bad += 1
                print(f"child {forks}: {status}", file=sys.stderr)
    finally:
        others.end()
    print(f"forks: {forks}, bad children: {bad}, seed: {options.seed}, "
          f"seconds: {time.monotonic() - begin:.0f}")
    return 1 if bad or not forks else 0


if __name__ == "__main__":
    sys.exit(main())
