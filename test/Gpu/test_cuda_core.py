"""NVIDIA's own cuda.core on the driver for tests, each time in a process of its own: its
bindings are known to hang without a driver."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import double

if not all(importlib.util.find_spec(name) for name in ("cuda", "cuda.core",
                                                       "cuda.bindings")):
    pytest.skip("there is no cuda.core; `make check SUITE=gpu` has it",
                allow_module_level=True)

SCRIPT = """
import sys
import double
fake = double.Double()
import packages
from figures import SAXPY
class Report:
    def check(self, good, line):
        print(good, line)
code = fake.compile(SAXPY)
%s
"""
RUNS = "packages.cuda_core(Report(), code)\nprint(*fake.record(), sep='\\n')"
UNKNOWN = """
from cuda.core import Device, ObjectCode
Device().set_current()
try:
    ObjectCode.from_ptx(code.ptx).get_kernel("saxpi")
except Exception as error:
    print(error)
"""


def run(script, **environment):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT % script], text=True, timeout=60,
        capture_output=True, check=False, cwd=Path(__file__).parent,
        env={**os.environ, "LD_LIBRARY_PATH": str(double.PATH.parent), **environment})
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_it_launches_our_kernels():
    said = run(RUNS)
    assert said[0] == "True cuda.core's ObjectCode.from_ptx"
    assert "load 1 kernels" in said
    assert "launch saxpy grid 8 1 1 block 128 1 1 shared 0 in a stream" in said


def test_its_errors_are_the_drivers():
    assert "CUDA_ERROR_NOT_FOUND" in run(UNKNOWN)[0]
    old = run(UNKNOWN, CLINCH_TEST_DRIVER_CUDA="11040",
              CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING="1")
    assert "CUDA_ERROR_UNSUPPORTED_PTX_VERSION" in old[0]
