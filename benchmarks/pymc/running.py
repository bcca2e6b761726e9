"""Runs of worker.py in processes of their own, and what all benchmarks need."""

import json
import os
import subprocess
import sys
from pathlib import Path

WORKER = Path(__file__).with_name("worker.py")


def environment(folder):
    """The variables of a process that keeps its caches in `folder`."""
    return {
        **os.environ,
        "OPENBLAS_NUM_THREADS": "1",
        "CLINCH_CACHE_DIR": f"{folder}/clinch",
        "PYTENSOR_FLAGS": f"base_compiledir={folder}/pytensor",
        "NUMBA_CACHE_DIR": f"{folder}/numba",
    }


def run(model, compiler, folder, *draws):
    """What worker.py says of a model, with caches in `folder`; None if it fails, with
    its error printed."""
    done = subprocess.run(
        [sys.executable, WORKER, model, compiler, *map(str, draws)],
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        print(f"{model} with {compiler}:\n{done.stderr}", file=sys.stderr)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return f"{names[0]}, {len(names)} processors"
