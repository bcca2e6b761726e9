"""What the searches with PyTensor have in common: cases that are counted, and the
command line."""

import argparse
import collections
import random
import sys
import time
import warnings

import clinch.pytensor
import pytensor


def search(check, seed, numbers, until=float("inf")):
    """Adds up what `check(seed, number)` counts; returns that, and the failures."""
    counts = collections.Counter()
    failures = []
    kept = vars(clinch.pytensor.options).copy()
    try:
        for number in numbers:
            if time.monotonic() > until:
                break
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                counted, wrong = check(seed, number)
            counts.update(counted)
            if wrong:
                failures.append(f"seed {seed}, number {number}: {wrong}")
    finally:
        vars(clinch.pytensor.options).update(kept)
    return counts, failures


def main(description, check, outputs):
    """Runs `check`; `outputs(seed, number)` are the variables of one case."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", type=int, help="one case, printed")
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else random.randrange(10**6)
    print(f"seed {seed}", flush=True)
    if arguments.only is not None:
        pytensor.dprint(outputs(seed, arguments.only), print_type=True)
        print(check(seed, arguments.only))
        return
    until = time.monotonic() + 60 * arguments.minutes
    counts, failures = search(check, seed, range(10**9), until)
    print(*(f"{count} {what}" for what, count in counts.items()),
          f"{len(failures)} failures", sep=", ")
    print(*failures, sep="\n")
    sys.exit(bool(failures))
