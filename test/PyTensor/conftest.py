"""PyTensor on Clinch. `clinch.pytensor` is imported before PyTensor, always."""

import clinch.pytensor  # noqa: F401  isort: skip

import os
import shutil
import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest
from pytensor.configdefaults import config

import pytensor
from clinch.pytensor.machine import GraphMachine

#: The same array, as it may lie in memory.
LAYOUTS = {
    "C": lambda a: a,
    "Fortran": np.asfortranarray,
    "backwards": lambda a: np.flip(np.flip(a).copy()),
    "apart": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
}


@pytest.fixture(autouse=True)
def _strict():
    """A rewrite that fails is an error here, not a warning; so is what is deprecated."""
    with (
        config.change_flags(on_opt_error="raise", on_unused_input="ignore"),
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("error", "", DeprecationWarning, r"clinch\.")
        yield


@pytest.fixture
def gxx():
    """`cxx` as PyTensor would have found it; for comparisons only."""
    path = shutil.which("g++")
    if path is None:
        pytest.skip("there is no g++ to compare with")
    return path


def run(script, given="", **environment):
    """Runs a script in a new process, which may read `given`; returns what it prints."""
    variables = {
        name: os.environ[name]
        for name in ("PYTHONPATH", "HOME", "CLINCH_CACHE_DIR", "PATH")
        if name in os.environ
    }
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        env={**variables, **environment},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def by_pytensor(inputs, outputs):
    """Compiled as ours, but for native Ops, which are PyTensor's."""
    try:
        clinch.pytensor.options.native_ops = False
        function = pytensor.function(inputs, outputs, mode="CLINCH")
    finally:
        clinch.pytensor.options.native_ops = True
    assert not isinstance(function.vm, GraphMachine)
    return function


def same_bits(left, right):
    """Whether two values are equal to the last bit, NaN and -0 included."""
    left, right = np.asarray(left), np.asarray(right)
    return (
        left.dtype == right.dtype
        and left.shape == right.shape
        and left.tobytes() == right.tobytes()
    )


def in_python(inputs, outputs):
    """The same function, from every Op's `perform`."""
    mode = pytensor.compile.mode.Mode("py", None)
    return pytensor.function(inputs, outputs, mode=mode)
