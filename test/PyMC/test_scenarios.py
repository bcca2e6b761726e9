"""What people do with PyMC, with Clinch: `scenarios.py` has them, each in a process.

What is estimated is compared with what it is with g++, which is kept in
`Inputs/estimates.json`, for a model may take minutes there. Where `CLINCH_TEST_ALL`
is set, g++ estimates the same beside Clinch.
"""

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import scenarios
from scenarios import SCENARIOS

KEPT = Path(__file__).with_name("Inputs") / "estimates.json"
LINE = ("clinch imported first", "pymc imported first")
PARALLEL = ("four cores, fork", "four cores, forkserver", "four cores, spawn")
#: What runs the same, without Clinch: chains are the same however they are started.
SAME = {
    **dict.fromkeys(LINE, "plain"),
    **dict.fromkeys(PARALLEL, "four cores, fork"),
    "nutpie": "plain",
    "by flag": "plain",
}


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


def by_gxx(name):
    """What a scenario estimates with g++."""
    other = told(name, "g++")
    assert other["linker"] != "ClinchLinker"
    return other["found"]


@functools.cache
def expected(name):
    """The estimates that a scenario is compared with."""
    if os.environ.get("CLINCH_TEST_ALL"):
        return by_gxx(name)
    return json.loads(KEPT.read_text())["estimates"][name]


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name != "plain"])
def test_the_estimates_are_those_of_gxx(name):
    ours = told(name, "clinch")
    theirs = expected(SAME.get(name, name))
    assert ours["linker"] == "ClinchLinker"
    assert ours["found"].keys() == theirs.keys()
    for variable, values in ours["found"].items():
        assert len(values) == len(theirs[variable])
        for (mean, error), (their_mean, their_error) in zip(
            values, theirs[variable], strict=True
        ):
            bound = 6 * (error**2 + their_error**2) ** 0.5
            assert abs(mean - their_mean) <= bound, (variable, values, theirs[variable])


def test_the_order_of_imports_changes_no_draw():
    first, second = (told(name, "clinch")["found"] for name in LINE)
    assert first == second


def test_how_workers_are_started_changes_no_draw():
    fork, forkserver, spawn = (told(name, "clinch")["found"] for name in PARALLEL)
    assert fork == forkserver == spawn
