"""Whose headers compiled text sees: the build's own, or those of what runs."""

import os
import subprocess
import sys
import sysconfig

import numpy
import pytest

import clinch
from clinch import _clinch
from clinch.base import headers


@pytest.fixture
def other_numpy(monkeypatch):
    """As if Clinch had been built with another NumPy."""
    monkeypatch.setattr(_clinch, "built_for_numpy", "0.1")


@pytest.fixture
def other_python(monkeypatch):
    """As if Clinch had been built with another Python."""
    monkeypatch.setattr(_clinch, "built_for_python", "3.0.0")


@pytest.fixture
def own(monkeypatch):
    """As if Clinch had been built with what runs."""
    version = ".".join(map(str, sys.version_info[:3]))
    monkeypatch.setattr(_clinch, "built_for_python", version)
    monkeypatch.setattr(_clinch, "built_for_numpy", numpy.__version__)


def both():
    return [numpy.get_include(), sysconfig.get_path("include")]


needs_headers = pytest.mark.skipif(
    not all(map(os.path.isdir, both())),
    reason="the headers of NumPy and Python are not here")


def test_none_for_what_it_was_built_for(own):
    assert headers.folders() == []


@needs_headers
@pytest.mark.parametrize("built, running, serve", [
    ("1.24.2", "1.24.2", True), ("1.24.2", "1.26.4", True),
    ("1.26.4", "1.24.2", False), ("1.24.2", "2.1.0", False),
    ("2.4.1", "1.24.2", True), ("2.4.1", "2.0.0", True)])
def test_which_numpys_are_served(monkeypatch, own, built, running, serve):
    monkeypatch.setattr(_clinch, "built_for_numpy", built)
    monkeypatch.setattr(numpy, "__version__", running)
    assert (headers.folders() == []) == serve


def test_releases_of_one_python_are_one(monkeypatch, own):
    version = "%d.%d.99" % sys.version_info[:2]
    monkeypatch.setattr(_clinch, "built_for_python", version)
    assert headers.folders() == []


@needs_headers
def test_numpys_first_for_another_numpy(own, other_numpy):
    assert headers.folders() == both()


@needs_headers
def test_numpys_first_for_another_python(own, other_python):
    assert headers.folders() == both()


@needs_headers
def test_folders_that_are_absent_are_left_out(own, other_numpy, monkeypatch):
    """A Python without its headers: Clinch's own copies are tried then."""
    monkeypatch.setattr(sysconfig, "get_path", lambda name: "/no/such/folder")
    assert headers.folders() == [numpy.get_include()]
    monkeypatch.setattr(numpy, "get_include", lambda: "/no/such/folder/either")
    assert headers.folders() == []


@needs_headers
def test_folders_have_the_headers(own, other_numpy):
    array, python = headers.folders()
    assert os.path.exists(os.path.join(array, "numpy", "arrayobject.h"))
    if not os.path.exists(os.path.join(python, "Python.h")):
        pytest.skip("the Python that runs has no headers")


SCRIPT = """
import sys
import numpy
import clinch
if sys.argv[1] == "other":
    clinch._clinch.built_for_numpy = "0.1"
    clinch.config.cache = True  # The session is set up again, with other headers.
text = clinch.compile('''
#include <numpy/arrayobject.h>
int version(void) { return NPY_ABI_VERSION; }
int python(void) { return PY_VERSION_HEX; }''', python=True,
    defines=["NPY_NO_DEPRECATED_API"])
print(text["int version(void)"]() >> 24, text["int python(void)"]() >> 16 == sys.hexversion >> 16)
"""


@pytest.mark.parametrize("which", ["own", "other"])
def test_text_sees_what_runs(which, tmp_path):
    """Both ways lead to the headers of the NumPy and the Python that run."""
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT, which], capture_output=True, text=True,
        env={**os.environ, "CLINCH_CACHE_DIR": str(tmp_path)}, check=False)
    assert result.returncode == 0, result.stderr
    major = numpy.__version__.split(".")[0]
    if which == "own" and headers.folders() == []:
        major = _clinch.built_for_numpy.split(".")[0]  # It serves this one.
    assert result.stdout == f"{major} True\n"


@pytest.mark.parametrize("standard", ["c99", "c11", "c17", "c23", "gnu99"])
def test_what_python_asks_of_the_systems_headers_in_iso_c(standard):
    """`SSIZE_MAX` was missing in the modules that SymPy makes."""
    text = clinch.compile("Py_ssize_t most(void) { return PY_SSIZE_T_MAX; }",
                          python=True, flags=["-std=" + standard])
    assert text.most() == sys.maxsize
