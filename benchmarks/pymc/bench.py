"""Models of PyMC's on Clinch, on g++ and on Numba: one table.

Each figure has processes of its own: `cold` begins with empty caches, `warm` with
what `cold` has left there.
"""

import argparse
import json
import sys
import tempfile

import models
from running import processor, run

COMPILERS = ("clinch", "g++", "numba")
#: What is told of each run, its unit, and which of the two runs it is from.
FIGURES = (
    ("cold", "first", "s"),
    ("warm", "first", "s"),
    ("warm", "evaluation", "us"),
    ("cold", "behind", "s"),
    ("warm", "sample", "s"),
)


def measure(model, compiler, draws, folder):
    """The two runs of a model with a compiler."""
    sampled = [draws] if draws else []
    runs = {"cold": run(model, compiler, folder), "warm": run(model, compiler, folder, *sampled)}
    if None in runs.values():
        sys.exit(1)
    return runs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", help="where the list of results is written")
    parser.add_argument("--draws", type=int, default=1000, help="0: do not sample")
    parser.add_argument("only", nargs="*", help="names of models, or parts of them")
    arguments = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, {processor()}")
    results = []
    print(f"| model | what | {' | '.join(COMPILERS)} |\n|---|---|---|---|---|")
    for model in models.MODELS:
        if arguments.only and not any(part in model for part in arguments.only):
            continue
        runs = {}
        for compiler in COMPILERS:
            with tempfile.TemporaryDirectory() as folder:
                runs[compiler] = measure(model, compiler, arguments.draws, folder)
        for when, what, unit in FIGURES:
            values = [runs[c][when].get(what) for c in COMPILERS]
            if values[0] is None:
                continue
            told = (f"{v:.3g} {unit}" if v is not None else "" for v in values)
            print(f"| {model} | {when}, {what} | {' | '.join(told)} |", flush=True)
            named = dict(zip(COMPILERS, values, strict=True))
            results.append({"model": model, "what": f"{when}, {what}", "unit": unit, **named})
    if arguments.output:
        with open(arguments.output, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
