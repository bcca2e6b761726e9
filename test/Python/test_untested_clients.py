"""A client of another version than those tested is an error that names both, before any
private part of it is looked for."""

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("package, door, tested", [
    ("torch", "import clinch.torch", "2.15"),
    ("brian2", "import clinch.brian2", "2.9.0"),
    ("nutpie", "import clinch.integrations.stan_nutpie", "0.16"),
    ("httpstan", "import clinch.stan; clinch.stan.compile('')", "4.13.0")])
@pytest.mark.parametrize("version", ["9.9.1+cpu", "{tested}1"])
def test_another_version(package, door, tested, version, tmp_path):
    version = version.format(tested=tested)
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text(f"__version__ = '{version}'\n")
    (tmp_path / f"{package}.dist-info").mkdir()
    (tmp_path / f"{package}.dist-info" / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    ran = subprocess.run([sys.executable, "-c", door], text=True, cwd=tmp_path,
                         env={**os.environ, "PYTHONPATH": path}, stderr=subprocess.PIPE)
    assert ran.stderr.endswith(f" is tested with {package} {tested}, and this is {version}\n")


def test_a_setuptools_without_what_is_replaced():
    ran = subprocess.run([sys.executable, "-c", """
import setuptools
from distutils.unixccompiler import UnixCCompiler
del UnixCCompiler.create_static_lib, UnixCCompiler.__mro__[1].create_static_lib
import clinch.build_ext
"""], text=True, stderr=subprocess.PIPE)
    assert "has no `UnixCCompiler.create_static_lib`" in ran.stderr
