"""One model, one compiler, one process: `worker.py MODEL COMPILER [DRAWS]`, JSON.

Measured from the model to the first log-density and gradient, then the shortest
of many evaluations, and, if draws are asked for, `pm.sample` as a whole.
"""

import json
import logging
import sys
import time
import warnings

MODEL, COMPILER, *DRAWS = sys.argv[1:]
if COMPILER == "clinch":
    import clinch.pytensor

import models
import pymc as pm
from pytensor.compile.mode import Mode

warnings.simplefilter("ignore")
logging.getLogger("pymc").setLevel(logging.ERROR)
MODES = {"clinch": "CLINCH", "numba": "NUMBA", "g++": Mode("cvm", "fast_run")}


def evaluation(function, point):
    """Microseconds, the least of rounds of at least 20 ms."""
    count, best = 1, float("inf")
    for _ in range(40):
        begin = time.perf_counter()
        for _ in range(count):
            function(point)
        took = time.perf_counter() - begin
        if took < 0.02:
            count *= 2
        else:
            best = min(best, took / count)
    return best * 1e6


def main():
    model = models.MODELS[MODEL]()
    begin, processor = time.perf_counter(), time.process_time()
    function, point = models.logp_and_gradient(model, MODES[COMPILER])
    value = float(function(point)[0])
    result = {"first": time.perf_counter() - begin, "value": value}
    function(point)
    if COMPILER == "clinch":
        used = time.process_time()
        clinch.pytensor.settle()
        result["behind"] = time.process_time() - used
    result["processor"] = time.process_time() - processor
    function.trust_input = True
    result["evaluation"] = evaluation(function, point)
    if DRAWS:
        begin = time.perf_counter()
        with model:
            pm.sample(
                int(DRAWS[0]),
                chains=4,
                nuts_sampler="pymc",
                progressbar=False,
                random_seed=1,
                compute_convergence_checks=False,
                compile_kwargs={"mode": MODES[COMPILER]},
            )
        result["sample"] = time.perf_counter() - begin
    print(json.dumps(result))


if __name__ == "__main__":
    main()
