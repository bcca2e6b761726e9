"""Workers of a process that has compiled: what they compile, and what they find.

    python workers.py fork|forkserver|spawn
"""

import multiprocessing
import sys

import clinch.pytensor
import numpy as np
import pytensor.tensor as pt

import pytensor
from clinch import _clinch


def compiles():
    return _clinch.cache_info()["compiles"]


def work(task):
    """What a worker does with a function of its parent's, and how much it compiles."""
    function, before = task
    values = [float(function(np.ones(5))) for _ in range(3)]
    ready = clinch.pytensor.wait()
    new = compiles() - before
    linker = type(function.maker.linker).__name__
    mine = type(pytensor.function([], pt.constant(1.0) + 1).maker.linker).__name__
    return values, ready, linker, mine, new


def main():
    clinch.pytensor.use()
    x = pt.dvector("x")
    function = pytensor.function([x], (pt.tanh(x) * 2.0 + pt.exp(-x)).sum())
    expected = [float(function(np.ones(5))) for _ in range(3)]
    clinch.pytensor.wait()
    # A process that is forked has counted what its parent did.
    before = compiles() if sys.argv[1] == "fork" else 0
    with multiprocessing.get_context(sys.argv[1]).Pool(4, maxtasksperchild=1) as pool:
        for values, ready, linker, mine, new in pool.map(work, [(function, before)] * 4, 1):
            assert values == expected, values
            assert ready and linker == mine == "ClinchLinker"
            print("compiled", new)


if __name__ == "__main__":
    main()
