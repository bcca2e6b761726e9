"""CLINCH_INTEGRATIONS: integrations in processes that do not import Clinch."""

import os
import subprocess
import sys

import pytest

import clinch

PACKAGES = os.path.dirname(os.path.dirname(clinch.__file__))


@pytest.fixture
def run(tmp_path):
    """Runs code in a Python that has read the folder's .pth files."""
    (tmp_path / "triton").mkdir()
    (tmp_path / "triton" / "__init__.py").write_text("from . import knobs\n")
    (tmp_path / "triton" / "knobs.py").write_text("class build:\n    impl = None\n")
    (tmp_path / "torch" / "utils").mkdir(parents=True)
    (tmp_path / "torch" / "__init__.py").write_text("__version__ = '0.1'\n")
    (tmp_path / "torch" / "utils" / "__init__.py").write_text("")
    (tmp_path / "torch" / "utils" / "cpp_extension.py").write_text("")

    def run_code(names, code):
        ran = subprocess.run(
            [sys.executable, "-c", f"import site; site.addsitedir({PACKAGES!r}); {code}"],
            env={**os.environ, "PYTHONPATH": str(tmp_path), "CLINCH_INTEGRATIONS": names},
            capture_output=True, text=True, check=False)
        return ran.stdout + ran.stderr
    return run_code


def test_triton(run):
    assert run("triton", "import sys; print('clinch' in sys.modules); import triton; "
               "print(triton.knobs.build.impl is sys.modules['clinch.triton'].build)"
               ) == "False\nTrue\n"


def test_torch_is_connected_when_its_compilers_are_imported(run):
    assert run("torch,triton", "import torch, sys; print('clinch' in sys.modules)") == "False\n"
    assert run("torch", "import torch.utils.cpp_extension").endswith(
        "ImportError: clinch.torch is tested with torch 2.15, and this is 0.1\n")


def test_nothing_is_imported_without_the_variable(run):
    assert run("", "import sys, triton; print('clinch_integrations' in sys.modules, "
               "triton.knobs.build.impl)") == "False None\n"


def test_an_unknown_name_is_reported(run):
    assert run("trition", "print(1)") == (
        "1\nCLINCH_INTEGRATIONS: there is no integration `trition`; there are `torch`, "
        "`triton`\n")
