"""Each of examples/ prints what its comments say, and fits on one screen."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import clinch

FOLDER = Path(__file__).parents[2] / "examples"
SCRIPTS = sorted(FOLDER.glob("*.py"))
PACKAGES = {"pymc_model": "pymc", "scipy_callable": "scipy", "dask_workers": "dask"}
PRINTED = re.compile(r"(?:#|/\*) prints: (.*?)(?: \*/)?$", re.MULTILINE)

pytestmark = pytest.mark.skipif(not SCRIPTS, reason="the examples are not here")


def test_there_is_an_example_of_everything():
    assert [path.stem for path in SCRIPTS] == [
        "c_on_arrays", "callback", "cuda_race", "dask_workers", "first_op", "first_type",
        "numpy_expression", "pymc_model", "scipy_callable", "structs"]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_an_example(path, tmp_path):
    source = path.read_text()
    assert source.count("\n") <= 60
    package = PACKAGES.get(path.stem)
    if package and not importlib.util.find_spec(package):
        pytest.skip(f"{package} is not installed")
    result = subprocess.run([sys.executable, path], cwd=tmp_path, text=True,
                            capture_output=True)
    assert (result.returncode, result.stdout.splitlines()) == (
        0, PRINTED.findall(source)), result.stderr


def test_the_host_in_c(tmp_path):
    build = Path(clinch.__file__).parents[2]
    if not (build / "lib" / "libclinch-compiler.so").exists() or not shutil.which("gcc"):
        pytest.skip("this needs gcc, and a library to link with")
    source = FOLDER / "host.c"
    subprocess.run(["gcc", source, f"-I{FOLDER.parent}/include", f"-L{build}/lib",
                    "-lclinch-compiler", f"-Wl,-rpath,{build}/lib", "-o", "host"],
                   cwd=tmp_path, check=True)
    result = subprocess.run([tmp_path / "host"], text=True, capture_output=True, check=True)
    assert result.stdout.splitlines() == PRINTED.findall(source.read_text())
