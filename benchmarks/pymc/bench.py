"""Models of PyMC's on Clinch, on g++ and on Numba: one table.

Each figure has processes of its own: `cold` begins with empty caches, `warm` with
what `cold` has left there.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import models

COMPILERS = ("clinch", "g++", "numba")
WORKER = Path(__file__).with_name("worker.py")
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
    environment = {
        **os.environ,
        "OPENBLAS_NUM_THREADS": "1",
        "CLINCH_CACHE_DIR": f"{folder}/clinch",
        "PYTENSOR_FLAGS": f"base_compiledir={folder}/pytensor",
        "NUMBA_CACHE_DIR": f"{folder}/numba",
    }
    runs = {}
    for run in ("cold", "warm"):
        sampled = [str(draws)] if draws and run == "warm" else []
        done = subprocess.run(
            [sys.executable, WORKER, model, compiler, *sampled],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{model} with {compiler}:\n{done.stderr}")
        runs[run] = json.loads(done.stdout.splitlines()[-1])
    return runs


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return f"{names[0]}, {len(names)} processors"


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
        for run, what, unit in FIGURES:
            values = [runs[c][run].get(what) for c in COMPILERS]
            if values[0] is None:
                continue
            told = (f"{v:.3g} {unit}" if v is not None else "" for v in values)
            print(f"| {model} | {run}, {what} | {' | '.join(told)} |", flush=True)
            named = dict(zip(COMPILERS, values, strict=True))
            results.append({"model": model, "what": f"{run}, {what}", "unit": unit, **named})
    if arguments.output:
        with open(arguments.output, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
