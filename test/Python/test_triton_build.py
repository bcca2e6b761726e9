"""`clinch.triton.build`, as Triton calls it; test/Clients has Triton itself."""

import importlib.util

import pytest

import clinch
import clinch.triton

SOURCE = """
#include <Python.h>
#include "given.h"
#include <math.h>
static PyObject *call(PyObject *self, PyObject *x) {
  return PyFloat_FromDouble(cbrt(PyFloat_AsDouble(x)) + GIVEN);
}
static PyMethodDef methods[] = {{"call", call, METH_O, ""}, {0}};
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, "launcher", 0, -1, methods};
PyMODINIT_FUNC PyInit_launcher(void) { return PyModule_Create(&def); }
"""


def imported(path):
    spec = importlib.util.spec_from_file_location("launcher", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("ending", [".c", ".cpp"])
def test_a_module_is_built_and_imported(tmp_path, monkeypatch, ending):
    monkeypatch.setenv("PATH", "")
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "given.h").write_text("#define GIVEN 0.5\n")
    source = tmp_path / ("main" + ending)
    source.write_text(SOURCE.replace("{0}", "{}") if ending == ".cpp" else SOURCE)
    (tmp_path / "out").mkdir()
    path = clinch.triton.build("launcher", str(source), str(tmp_path / "out"), [],
                               [str(tmp_path / "include"), None],
                               ["m", "libm.so.6"], ["-O3", "-Wno-psabi"])
    assert path.startswith(str(tmp_path / "out" / "launcher."))
    assert imported(path).call(27.0) == 3.5


def test_what_is_wrong_is_told(tmp_path):
    source = tmp_path / "main.c"
    source.write_text("nit x;")
    with pytest.raises(clinch.CompileError, match="unknown type name 'nit'"):
        clinch.triton.build("launcher", str(source), str(tmp_path), [], [], [])
    with pytest.raises(ValueError, match="^Clinch compiles C and C\\+\\+$"):
        clinch.triton.build("launcher", "main.cu", str(tmp_path), [], [], [])
    source.write_text(SOURCE.replace('#include "given.h"', "#define GIVEN 1"))
    path = clinch.triton.build("launcher", str(source), str(tmp_path), [], [],
                               ["libnonesuch.so.1"])
    with pytest.raises(clinch.LinkError, match="`:libnonesuch.so.1`: expected"):
        imported(path)
