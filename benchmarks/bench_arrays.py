"""Loops over arrays, beside NumPy 2, numexpr, Numba and JAX on one thread.

The rivals are installed into an environment of their own below the build; they
and Clinch are measured there, in one process.
"""

import json
import os
import subprocess
import sys

from run import row

ONE_THREAD = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1", "NUMEXPR_MAX_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false "
                 "intra_op_parallelism_threads=1",
    "JAX_ENABLE_X64": "1", "JAX_PLATFORMS": "cpu",
}


def environment(build):
    """The Python of an environment with the rivals in it."""
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return subprocess.run(
        ["bash", "-euc", '. "$1"; build=$2; arrays_env "$3"', "arrays_env",
         os.path.join(source, "scripts", "environments.sh"), build,
         sys.executable],
        check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


def measured(build, python=None):
    """What measure.py says: {absent: rivals, found: [{name, unit, ours, rivals,
    targets, kind}]}."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                           "arrays", "measure.py")
    done = subprocess.run(
        [python or environment(build), program], check=True, text=True,
        stdout=subprocess.PIPE,
        env={**os.environ, **ONE_THREAD,
             "PYTHONPATH": os.path.join(build, "python")})
    return json.loads(done.stdout.splitlines()[-1])


def rows(build):
    answer = measured(build)
    found = answer["found"]
    # What nobody was measured against is no target met.
    out = [row(f"{name} is not installed", None, None, name, "",
               "measured beside it", False) for name in answer["absent"]]
    for entry in found:
        for rival, time in entry["rivals"].items():
            target = entry["targets"].get(rival)
            ratio = time / entry["ours"]
            out.append(row(entry["name"], entry["ours"], time, rival,
                           entry["unit"],
                           "beside it" if target is None
                           else f">= {target} times as fast",
                           target is None or ratio >= target, ratio))
    return [*out, *_of_the_best(found)]


def _of_the_best(found):
    """How the expressions do against the best rival of each."""
    ratios = sorted(min(e["rivals"].values()) / e["ours"]
                    for e in found if e["kind"] == "expression")
    if not ratios:
        return []
    median = ratios[len(ratios) // 2]
    return [row("expressions, median against the best rival", median, 1.0,
                "the best of all", "times", ">= 1.2", median >= 1.2, median),
            row("expressions, the least of them", ratios[0], 1.0,
                "the best of all", "times", ">= 0.7", ratios[0] >= 0.7,
                ratios[0])]
