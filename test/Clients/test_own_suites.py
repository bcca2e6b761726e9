"""Clients' own tests, those of their sources on PyPI, where no compiler can be found."""

import importlib.metadata
import importlib.util
import os
import subprocess
import sys
import tarfile

import pytest

#: Package: what it is imported as, files of tests, and those that ask for what the page
#: says is not there: `dlopen` of a module, its symbols for other modules, another process.
SUITES = {
    "fenics-ffcx": ("ffcx", ["test"], ""),
    "cffi": ("cffi", ["testing/cffi1/test_recompiler.py", "testing/cffi1/test_verify1.py",
                      "testing/cffi0/test_verify.py"],
             "not forces_generic_engine and not dlopen_flags and not callback_in_thread"),
}


#: Cython's own runner runs these; those that start `python setup.py` are not among them.
CYTHON = """
import runpy, sys
import clinch.build_ext
sys.path.insert(0, ".")
sys.argv = ["runtests.py", "--no-unit", "--no-doctest", "--no-pyregr", "--no-examples",
            "--no-refnanny", "--no-fork", "--backends=c", *sys.argv[1:]]
runpy.run_path("runtests.py", run_name="__main__")
"""
CHOSEN = (r"run\.(cdef_class|closures_T82|exceptionrefcount|fused_def|generators\b|"
          r"lambda_tests|numpy_attr)")


def source(package, module, folder):
    """Returns the folder of a package's source."""
    if not importlib.util.find_spec(module):
        pytest.skip(f"{package} is not installed")
    version = importlib.metadata.version(package)
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps",
                    "--no-binary", ":all:", f"{package}=={version}"], cwd=folder, check=True)
    [archive] = folder.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(folder)
    [made] = (path for path in folder.iterdir() if path.is_dir())
    return made


def ran(folder, *arguments):
    # One of FFCx's starts the program `ffcx`.
    environment = {**os.environ, "PATH": os.path.dirname(sys.executable)}
    return subprocess.run([sys.executable, *arguments], cwd=folder, env=environment,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


@pytest.mark.parametrize("package", SUITES)
def test_its_own(package, tmp_path):
    module, files, chosen = SUITES[package]
    made = ran(source(package, module, tmp_path), "-m", "pytest", "-q", "-p",
               "no:cacheprovider", "-p", "clinch.build_ext", "--tb=short", "-o", "addopts=",
               "-k", chosen, *files)
    assert made.returncode == 0 and " passed" in made.stdout, made.stdout[-5000:]


def test_cythons_own(tmp_path):
    made = ran(source("cython", "Cython", tmp_path), "-c", CYTHON, CHOSEN)
    assert made.returncode == 0 and "compile-c" in made.stdout, made.stdout[-5000:]
