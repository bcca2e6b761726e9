"""One model, one compiler, one process: `worker.py MODEL COMPILER [DRAWS]`, JSON.

MODEL is one of models.py, or a file of a catalogue whose `build_model()` gives a model
and a point. Measured from the model to the first log-density and gradient, then the
shortest of many evaluations, and, if draws are asked for, `pm.sample` as a whole.
"""

import importlib.util
import json
import logging
import sys
import time
import warnings
from pathlib import Path

from compilers import mode_of

MODEL, COMPILER, *DRAWS = sys.argv[1:]
MODE = mode_of(COMPILER)

import numpy as np  # noqa: E402
import pymc as pm  # noqa: E402

warnings.simplefilter("ignore")
logging.getLogger("pymc").setLevel(logging.ERROR)


def loaded(path):
    """The module of a file, whatever else is named so."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def prepared():
    """A model, and what makes its function and a point to try."""
    path = Path(MODEL)
    if path.suffix != ".py":
        import models

        return models.MODELS[MODEL](), models.logp_and_gradient
    helper = loaded(path.parents[1] / "models" / "_benchmark.py")
    model, point = loaded(path).build_model()

    def compiled(model, mode):
        with_grad = path.parent.name != "models_discrete"
        return helper.build_logp_fn(model, point, mode=mode, with_grad=with_grad)

    return model, compiled


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
    model, compiled = prepared()
    begin, processor = time.perf_counter(), time.process_time()
    function, point = compiled(model, MODE)
    value, *gradient = function(point)
    result = {"first": time.perf_counter() - begin, "value": float(value)}
    result["gradient"] = float(np.linalg.norm(gradient))
    function(point)
    if COMPILER == "clinch":
        import clinch.pytensor

        used = time.process_time()
        clinch.pytensor.wait()
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
                compile_kwargs={"mode": MODE},
            )
        result["sample"] = time.perf_counter() - begin
    print(json.dumps(result))


if __name__ == "__main__":
    main()
