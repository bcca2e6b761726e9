#!/usr/bin/env python3
"""Random programs in every way that there is, compared with one another.

    fuzz.py [--minutes N | --cases N] [--seed N] [--jobs N] [--out FOLDER]
            [SEARCH...]

A search is a module of this folder: `make(seed)` a case, `run(case)` its counts
and perhaps a finding, `script(case, finding)` a program that shows it, LIMIT the
seconds that a case may take. It may have `smaller(case)`, simpler cases, if leaving
out items of its lists will not do; LEAST, {count: how many} that are drawn whatever
--minutes says; MOST_ANSWERS, the cases after which its process is another; and
`known(case, finding)`, which says what a finding is counted as that is nobody's to
mend. Cases are run in processes of their own, so one that hangs or dies is a finding
as well. The status is 1 if there was any. SIGINT and SIGTERM end it when the cases
that run are over; what it prints last is of those that there were.
"""

import argparse
import collections
import importlib
import os
import re
import signal
import sys
import threading
import time

from pool import Driven
from shrink import shrink

SEARCHES = ["loop_search", "graph_search", "array_search"]
#: Findings that look alike are shrunk this many times.
MOST_ALIKE = 2


class Campaign:
    """Cases of one search, on several workers, till the time is over."""

    def __init__(self, name, seed, jobs, out, deadline=None, cases=None):
        self.search = importlib.import_module(name)
        self.name = name
        self.out = out
        self.jobs = jobs
        self.deadline = deadline
        self.cases = cases
        self.next = seed
        self.first = seed
        self.counts = collections.Counter()
        self.findings = []
        self.alike = collections.Counter()
        self.lock = threading.Lock()
        self.stopped = False

    def stop(self):
        """No more cases; those that run are ended."""
        self.stopped = True

    def take(self):
        """A seed, or None when it is enough."""
        with self.lock:
            if self.stopped:
                return None
            done = self.next - self.first
            if self.cases is not None and done >= self.cases:
                return None
            if self.deadline is not None and self._is_enough():
                return None
            self.next += 1
            return self.next - 1

    def _is_enough(self):
        """The time is over, and there were as many as the search wants."""
        least = getattr(self.search, "LEAST", {})
        return time.monotonic() > self.deadline and all(
            self.counts[what] >= count for what, count in least.items())

    def run(self):
        threads = [threading.Thread(target=self._work)
                   for _ in range(self.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _work(self):
        worker = Driven(self.name, most_answers=getattr(
            self.search, "MOST_ANSWERS", Driven.MOST_ANSWERS))
        while (seed := self.take()) is not None:
            answer = worker.ask({"seed": seed}, self.search.LIMIT)
            if answer.get("finding", {}).get("kind") == "hung":
                # Other work on the machine may have kept it waiting.
                answer = worker.ask({"seed": seed}, 5 * self.search.LIMIT)
            with self.lock:
                self.counts["cases"] += 1
                self.counts.update(answer["counts"])
            if "finding" in answer:
                self._found(worker, seed, answer)
        worker.stop()

    def _found(self, worker, seed, answer):
        finding = answer["finding"]
        case = answer.get("case") or self.search.make(seed)
        known = getattr(self.search, "known", lambda case, finding: None)
        if is_known := known(case, finding):
            with self.lock:
                self.counts[is_known] += 1
            return
        with self.lock:
            sign = signature(finding)
            self.alike[sign] += 1
            number = len(self.findings)
            if self.alike[sign] > MOST_ALIKE:
                return
            self.findings.append(None)
        case, finding = shrink(self.search, worker, case, finding)
        path = os.path.join(self.out, f"{self.name}-{seed}.py")
        os.makedirs(self.out, exist_ok=True)
        with open(path, "w") as file:
            file.write(self.search.script(case, finding))
        with self.lock:
            self.findings[number] = (seed, finding, path)
            print(f"{self.name}, seed {seed}: {finding['kind']}: "
                  f"{finding['way']}\n  {finding['detail']}\n  {path}",
                  flush=True)

    def report(self):
        print(f"{self.name}: seeds {self.first} to {self.next - 1}")
        for name, count in sorted(self.counts.items()):
            print(f"  {count:>10,} {name}")
        for sign, count in sorted(self.alike.items()):
            print(f"  {count:>10,} found: {sign}")
        if not self.alike:
            print(f"  {0:>10,} found")


def signature(finding):
    """What findings of the same kind have in common."""
    tier = re.search(r"tier='(\w+)'", finding["way"])
    return finding["kind"] + (f", tier {tier[1]}" if tier else "")


def use(build, out):
    """The package of that build, here and in the workers, with a cache of
    their own."""
    package = os.path.join(build, "python")
    sys.path.insert(0, package)
    os.environ.update(PYTHONPATH=package, PYTHONDONTWRITEBYTECODE="1",
                      CLINCH_CACHE_DIR=os.path.join(out, "cache"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--cases", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--build", default="build")
    parser.add_argument("--out", help="BUILD/fuzz unless said")
    parser.add_argument("searches", nargs="*", default=SEARCHES)
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    out = options.out or os.path.join(build, "fuzz")
    use(build, out)
    seed = options.seed
    if seed is None:
        seed = time.time_ns() % 10**9
    minutes = options.minutes
    if minutes is None and options.cases is None:
        minutes = 10
    print(f"seed {seed}, {options.jobs} at a time", flush=True)
    found = 0
    for name in options.searches:
        deadline = None
        if minutes is not None:
            deadline = (time.monotonic() +
                        60 * minutes / len(options.searches))
        campaign = Campaign(name, seed, options.jobs, out, deadline,
                            options.cases)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: campaign.stop())
        campaign.run()
        campaign.report()
        found += sum(campaign.alike.values())
        if campaign.stopped:
            break
    print(f"seed {seed}: {found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
