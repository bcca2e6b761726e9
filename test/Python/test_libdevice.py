"""`math="libdevice"`: NVIDIA's functions, from their own file, which is never carried."""

import shutil

import pytest

import clinch
import clinch.cuda
from clinch.cuda import libdevice

TEXT = """__global__ void k(float *x, double *y) {
  *x = expf(*x) + tanhf(*x);
  *y = pow(*y, 0.3) + fmod(*y, 3.0);
}
"""


@pytest.fixture
def toolkit(tmp_path, monkeypatch):
    """A toolkit with a copy of the file that is here; returns the copy's path."""
    try:
        there = libdevice._path()
    except FileNotFoundError as error:
        pytest.skip(str(error))
    folder = tmp_path / "nvvm" / "libdevice"
    folder.mkdir(parents=True)
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    return shutil.copy(there, folder / "libdevice.10.bc")


def test_its_functions_are_called(toolkit):
    own = clinch.cuda.compile(TEXT)
    theirs = clinch.cuda.compile(TEXT, math="libdevice")
    assert b"ex2.approx" in theirs.ptx and b"ex2.approx" not in own.ptx
    assert b".extern" not in theirs.ptx and b"__nvvm_reflect" not in theirs.ptx
    assert theirs.kernels == own.kernels


def test_a_file_that_changes_is_read_again(toolkit):
    """It is of what is compiled: another process takes nothing of the old one."""
    assert clinch.cuda.compile(TEXT, "again", math="libdevice").ptx
    assert clinch.cuda.compile(TEXT, "again", math="libdevice").from_cache
    with open(toolkit, "wb") as file:
        file.write(b"no bitcode")
    with pytest.raises(OSError, match=r"libdevice.10.bc` .*: it is no libdevice"):
        clinch.cuda.compile(TEXT, "again", math="libdevice")


def test_there_is_none(monkeypatch, tmp_path):
    monkeypatch.setattr(libdevice, "_folders", lambda: [str(tmp_path)])
    with pytest.raises(FileNotFoundError, match="there is no libdevice.10.bc here: .* "
                                                "PyPI's `nvidia-cuda-nvcc`"):
        clinch.cuda.compile(TEXT, math="libdevice")


@pytest.mark.parametrize("options, said", [
    (dict(math="libdevic"), "not 'libdevic'; did you mean `libdevice`"),
    (dict(math="libdevice", simulate=True), "it cannot be simulated"),
    (dict(math="libdevice", check=True), "it cannot be simulated")])
def test_what_is_refused(options, said):
    with pytest.raises(ValueError, match=said):
        clinch.cuda.compile(TEXT, **options)
