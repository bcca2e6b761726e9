"""FFCx's own tests, those of its source on PyPI, where no compiler can be found."""

import importlib.metadata
import os
import subprocess
import sys
import tarfile

import pytest

pytest.importorskip("ffcx", reason="FFCx is not installed")


def test_its_own(tmp_path):
    version = importlib.metadata.version("fenics-ffcx")
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps",
                    "--no-binary", ":all:", f"fenics-ffcx=={version}"], cwd=tmp_path,
                   check=True)
    [archive] = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(tmp_path)
    [tests] = tmp_path.glob("*/test")
    # One of them starts the program `ffcx`.
    environment = {**os.environ, "PATH": os.path.dirname(sys.executable)}
    ran = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                          "-p", "clinch.build_ext", "--tb=short", "-o", "addopts="],
                         cwd=tests, env=environment, text=True, stdout=subprocess.PIPE)
    assert ran.returncode == 0 and " passed" in ran.stdout, ran.stdout[-5000:]
