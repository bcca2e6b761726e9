"""Programs that start gcc, on a machine without a compiler, a header or a shell: the
links of `clinch install-compilers` are all that they find."""

import os
import shutil
import subprocess
import sys

import pytest

from clinch.cli import main

BUILD = os.path.join(os.path.dirname(__file__), "Inputs", "build")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with the sources, and a PATH with the links alone."""
    assert main(["install-compilers", str(tmp_path / "bin")]) == 0
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("CLINCH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    shutil.copytree(BUILD, tmp_path / "build")
    monkeypatch.chdir(tmp_path / "build")
    monkeypatch.syspath_prepend(str(tmp_path / "build"))
    return tmp_path / "build"


def run(*words):
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.parametrize("compiler", ["gcc", "cc", "g++", "c++"])
def test_a_program(compiler):
    run(compiler, "-O2", "hello.c", "-o", "hello")
    assert run("./hello") == "hello\n"


def test_setuptools():
    run(sys.executable, "setup.py", "build_ext", "--inplace")
    assert run(sys.executable, "-c", "import plain, throwing, array_of_numpy, numpy; print("
               "plain.cosine(0.0), throwing.at(7), array_of_numpy.size(numpy.zeros(5)))") == (
        "1.0 vector::_M_range_check: __n (which is 7) >= this->size() (which is 2) 5\n")


def test_cffi(folder):
    cffi = pytest.importorskip("cffi")
    ffi = cffi.FFI()
    ffi.cdef("int twice(int);")
    ffi.set_source("_twice", "static int twice(int x) { return 2 * x; }")
    ffi.compile(tmpdir=str(folder))
    assert run(sys.executable, "-c", "import _twice; print(_twice.lib.twice(21))") == "42\n"
    assert ffi.verify("static int twice(int x) { return 2 * x; }",
                      tmpdir=str(folder / "verify")).twice(21) == 42


def test_cython(folder):
    pytest.importorskip("Cython")
    import cython
    import pyximport
    importers = pyximport.install(build_dir=str(folder), language_level=3)
    import numpy
    import total
    pyximport.uninstall(*importers)
    assert total.total(numpy.arange(5.0)) == 10.0
    assert cython.inline("return a + b", a=1, b=2, language_level=3, force=True,
                         lib_dir=str(folder / "inline")) == 3


def test_triton(folder, monkeypatch):
    build = pytest.importorskip("triton.runtime.build")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(folder / "triton"))
    with open("plain.c") as source:
        assert build.compile_module_from_src(source.read(), "plain").cosine(0.0) == 1.0


def test_pytensor(folder, monkeypatch):
    pytest.importorskip("pytensor")
    monkeypatch.setenv("PYTENSOR_FLAGS",
                       f"cxx=g++,base_compiledir={folder},linker=cvm,blas__ldflags=")
    assert run(sys.executable, "-c", """
import numpy, pytensor, pytensor.tensor as pt
x = pt.dvector("x")
mode = pytensor.compile.mode.Mode("cvm", "fast_run")
print(pytensor.function([x], x * 2 + 1, mode=mode)(numpy.arange(3.0)), pytensor.config.cxx)
""") == "[1. 3. 5.] g++\n"
