"""Sources that use newer names of the C and C++ libraries, on a system without them."""

import os
import subprocess
import sys

import pytest

HERE = os.path.dirname(__file__)
#: Loaded before all else, hides the names that glibc 2.28 and GCC 8 lack.
OLD = os.path.join(HERE, "old_dlsym.so")
RUN = """
import sys, clinch
path = sys.argv[1]
module = clinch.compile(open(path).read(), language=path.rpartition(".")[2].replace("cpp", "c++"))
print("result", module["double f(double)"](3.0))
"""
RESULTS = {
    "stat.c": 3.0, "mathematics.c": 14.0, "strings.cpp": 8.0, "shared_ptr.cpp": 3.0,
    "ostringstream.cpp": 1.0, "iostream.cpp": 3.0, "exceptions.cpp": 3.0, "wait_for.cpp": 3.0,
    "filesystem.cpp": 4.0, "to_chars.cpp": 1.0, "new_array.cpp": 3.0, "regex.cpp": 4.0}


@pytest.fixture(autouse=True)
def without_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("CLINCH_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("LD_PRELOAD", OLD)


def run(*words):
    ran = subprocess.run([sys.executable, "-c", *words], capture_output=True, text=True,
                         check=False)
    return ran.stdout + ran.stderr


@pytest.mark.parametrize("name", RESULTS)
def test_a_source(name):
    printed = run(RUN, os.path.join(HERE, "Inputs", "old", name))
    assert printed.splitlines()[-1] == f"result {RESULTS[name]}", printed


def test_functions_and_arrays():
    assert run("""
import numpy as np, clinch
x = clinch.double("x")
print(clinch.function([x], x * 2.0)(21.0))
a, b = clinch.vector("a"), clinch.vector("b")
print(clinch.function([a, b], np.tanh(a * b).sum())([1.0, 2.0], [0.5, 0.25]))
""") == "42.0\n0.9242343145200195\n"


def test_a_name_that_is_nowhere():
    """The system is imitated: it has no name that the newer library lacks, either."""
    printed = run("""
import clinch
try:
    clinch.compile("int getdents64(void); int f(void) { return getdents64(); }")
except clinch.LinkError as error:
    print(error)
""")
    assert printed.startswith("A symbol is missing: expected the host, a named library or the "
                              "process to define `getdents64`."), printed
