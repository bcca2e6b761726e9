"""What people do with PyMC, with Clinch: `scenarios.py` has them, each in a process.

What is estimated is compared with PyTensor's own Python, and with g++ where
`CLINCH_TEST_ALL` is set, which takes minutes for a model.
"""

import functools
import json
import os
import subprocess
import sys

import pytest
import scenarios
from scenarios import SCENARIOS

REFERENCE = "g++" if os.environ.get("CLINCH_TEST_ALL") else "python"
LINE = ("clinch imported first", "pymc imported first")
PARALLEL = ("four cores, fork", "four cores, forkserver", "four cores, spawn")


@functools.cache
def told(name, compiler):
    """What a scenario prints."""
    result = subprocess.run(
        [sys.executable, scenarios.__file__, name, compiler],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )
    assert result.returncode == 0, result.stderr[-4000:]
    return json.loads(result.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_estimates_are_those_of_pytensors_own_code(name):
    ours = told(name, "clinch")
    # Chains are the same however they are started: one run is compared with.
    other = told("four cores, fork" if name in PARALLEL else name, REFERENCE)
    assert ours["linker"] == "ClinchLinker" != other["linker"]
    assert ours["found"].keys() == other["found"].keys()
    for variable, values in ours["found"].items():
        expected = other["found"][variable]
        assert len(values) == len(expected)
        for (mean, error), (their_mean, their_error) in zip(values, expected, strict=True):
            bound = 6 * (error**2 + their_error**2) ** 0.5
            assert abs(mean - their_mean) <= bound, (variable, values, expected)


def test_the_order_of_imports_changes_no_draw():
    first, second = (told(name, "clinch")["found"] for name in LINE)
    assert first == second


def test_how_workers_are_started_changes_no_draw():
    fork, forkserver, spawn = (told(name, "clinch")["found"] for name in PARALLEL)
    assert fork == forkserver == spawn
