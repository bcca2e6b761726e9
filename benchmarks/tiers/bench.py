"""Every loop of the benchmarks, the seeds' Ops and a sample of the random loops, timed in
all three tiers: `max` may take 1.05 times what `default` takes, and `default` 1.05 times
what `fast` takes."""

import argparse
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BENCHMARKS = os.path.dirname(HERE)
ROOT = os.path.dirname(BENCHMARKS)
sys.path[1:1] = [BENCHMARKS, *(os.path.join(ROOT, folder) for folder in (
    "benchmarks/arrays", "benchmarks/core", "benchmarks/pytensor", "test/Python",
    "test/Fuzz"))]

import clinch  # noqa: E402
import timed_loops  # noqa: E402
from run import processor, row  # noqa: E402

TIERS = ("fast", "default", "max")
MOST = 1.05
#: Seconds of one measurement, and how often they are taken: more often if a ratio looks
#: too large, since other programs only ever make a loop slower.
LEAST, ROUNDS, MORE = 0.001, 9, 150


def count_of(call):
    """Returns how many calls take long enough to be timed."""
    call()
    begin = time.perf_counter()
    call()
    return max(1, int(LEAST / (time.perf_counter() - begin + 1e-9)))


def timed(call, count):
    if isinstance(call, timed_loops.Resettable):
        return min(timed_alone(call) for _ in range(count))
    begin = time.thread_time()
    for _ in range(count):
        call()
    return (time.thread_time() - begin) / count


def timed_alone(resettable):
    resettable.reset()
    begin = time.thread_time()
    resettable.call()
    return time.thread_time() - begin


def ratios(best):
    """Returns default/fast and max/default."""
    fast, default, most = (best[tier] for tier in TIERS)
    return default / fast, most / default


def measured(calls):
    """Returns the least time of each tier, measured in turns."""
    counts = {tier: count_of(call) for tier, call in calls.items()}
    best = dict.fromkeys(calls, float("inf"))
    for turn in range(MORE):
        if turn >= ROUNDS and max(ratios(best)) <= MOST:
            break
        for tier, call in calls.items():
            best[tier] = min(best[tier], timed(call, counts[tier]))
    return best


def rows_of(name, best):
    pairs = zip(TIERS, TIERS[1:])
    for (before, tier), ratio in zip(pairs, ratios(best)):
        yield row(f"{name}: {tier}", 1e6 * best[tier], 1e6 * best[before], before, "us",
                  f"at most {MOST} times", ratio <= MOST, ratio)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", help="where the list of results is written")
    parser.add_argument("--cpu", default="", help="the processor of all tiers, such as "
                        "x86-64-v3; by default each tier's own")
    parser.add_argument("only", nargs="*", help="names of loops, or parts of them")
    options = parser.parse_args()
    clinch.config.cache = False
    print("processor:", processor(), options.cpu)
    print(f"{'us a call':34}{'fast':>10}{'default':>10}{'max':>10}  default/fast  "
          "max/default")
    rows = []
    for name, compiled in timed_loops.every():
        if options.only and not any(part in name for part in options.only):
            continue
        best = measured({tier: compiled(tier, options.cpu) for tier in TIERS})
        rows += rows_of(name, best)
        print(f"{name:34}", *(f"{1e6 * best[tier]:9.3f}" for tier in TIERS),
              *(f"{ratio:10.2f}" + (" MISSED" if ratio > MOST else " " * 7)
                for ratio in ratios(best)), flush=True)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    missed = sum(not entry["met"] for entry in rows)
    print(f"{len(rows) - missed} ratios met, {missed} missed")


if __name__ == "__main__":
    main()
