"""Triton's own functions for its host side, with `clinch.triton.build`."""

import os

import pytest

triton = pytest.importorskip("triton")

import clinch.triton
from triton.runtime import build

TEXT = """
#include <Python.h>
static PyObject *call(PyObject *self, PyObject *x) { return PyNumber_Add(x, x); }
static PyMethodDef methods[] = {{"call", call, METH_O, ""}, {0}};
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, "stub", 0, -1, methods};
PyMODINIT_FUNC PyInit_stub(void) { return PyModule_Create(&def); }
"""


@pytest.fixture(autouse=True)
def door(tmp_path, monkeypatch):
    """No program is found; the cache is empty."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(triton.knobs.cache, "dir", str(tmp_path / "cache"))
    monkeypatch.setattr(triton.knobs.build, "impl", clinch.triton.build)


def test_without_the_door_there_is_no_compiler(monkeypatch):
    monkeypatch.setattr(triton.knobs.build, "impl", None)
    build._find_compiler.cache_clear()
    with pytest.raises(RuntimeError, match="Failed to find C compiler"):
        build.compile_module_from_src(TEXT, "stub")
    build._find_compiler.cache_clear()


def test_a_stub_is_compiled_and_kept_in_tritons_cache(tmp_path):
    assert build.compile_module_from_src(TEXT, "stub").call(4) == 8
    [kept] = (tmp_path / "cache").rglob("stub*.so")
    triton.knobs.build.impl = None  # From the cache nothing is compiled.
    assert build.compile_module_from_src(TEXT, "stub").call("a") == "aa"


def test_the_stubs_of_its_driver_compile():
    """They are imported where a GPU's driver is."""
    folder = os.path.join(os.path.dirname(triton.__file__), "backends", "nvidia")
    path = build.compile_so_from_file(os.path.join(folder, "driver.c"), "cuda_utils",
                                      include_dirs=[os.path.join(folder, "include")])
    with open(path, "rb") as file:
        assert file.read(16) == b"clinch module 1\n"
