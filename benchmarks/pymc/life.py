"""What is left of models: how long a program takes to end, and the memory of a process
that makes, samples and drops many.

    life.py [--models 200] [--numba-models 20]

Both are measured in processes of their own, which run this file with other arguments.
"""

import argparse
import gc
import logging
import statistics
import subprocess
import sys
import tempfile
import time

from compilers import mode_of
from running import environment, processor

#: How often the end of a program is measured.
ROUNDS = 5


def leave(compiler):
    """Says when it ends; Clinch has better code on its way then."""
    mode = None if compiler == "nothing" else mode_of(compiler)
    import models

    model = models.radon()
    if mode is not None:
        function, point = models.logp_and_gradient(model, mode)
        function(point)
        function(point)
    print("end", flush=True)


def drop(compiler, count):
    """Prints the resident memory in MB after each tenth of the models."""
    mode = mode_of(compiler)
    import models
    import pymc as pm

    logging.getLogger("pymc").setLevel(logging.ERROR)
    for number in range(1, count + 1):
        # Another size is another code.
        with models.linear_regression(size=100 + number):
            pm.sample(
                5,
                tune=5,
                chains=1,
                cores=1,
                nuts_sampler="pymc",
                progressbar=False,
                compute_convergence_checks=False,
                compile_kwargs={"mode": mode},
            )
        if number % max(count // 10, 1) == 0:
            gc.collect()
            print(resident(), flush=True)


def resident():
    with open("/proc/self/status", encoding="utf-8") as file:
        lines = dict(line.split(":", 1) for line in file)
    return int(lines["VmRSS"].split()[0]) // 1024


def seconds_to_end(compiler, folder):
    """The median of the seconds from a program's last line to its end."""
    taken = []
    for _ in range(ROUNDS):
        command = [sys.executable, __file__, "leave", compiler]
        with subprocess.Popen(
            command, env=environment(folder), stdout=subprocess.PIPE, text=True
        ) as process:
            while process.stdout.readline() not in ("end\n", ""):
                pass
            began = time.perf_counter()
            process.wait()
            taken.append(time.perf_counter() - began)
        if process.returncode:
            sys.exit(f"{compiler}: ended with {process.returncode}")
    return statistics.median(taken)


def memory(compiler, count, folder):
    command = [sys.executable, __file__, "drop", compiler, str(count)]
    done = subprocess.run(
        command, env=environment(folder), stdout=subprocess.PIPE, text=True, check=True
    )
    return " ".join(line for line in done.stdout.splitlines() if line.isdigit())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--numba-models", type=int, default=20)
    arguments = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, {processor()}")
    for compiler in ("nothing", "g++", "clinch", "numba"):
        with tempfile.TemporaryDirectory() as folder:
            took = 1000 * seconds_to_end(compiler, folder)
        print(f"the end of a program that has compiled with {compiler}: {took:.0f} ms", flush=True)
    for compiler, count in (("clinch", arguments.models), ("numba", arguments.numba_models)):
        with tempfile.TemporaryDirectory() as folder:
            held = memory(compiler, count, folder)
        print(f"MB after each tenth of {count} models with {compiler}: {held}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["leave"]:
        leave(sys.argv[2])
    elif sys.argv[1:2] == ["drop"]:
        drop(sys.argv[2], int(sys.argv[3]))
    else:
        main()
