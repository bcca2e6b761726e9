"""The blocks of docs/integrations, where no program can be found.

Each runs in a process of its own, with the integration enabled; a section whose package is not
installed is skipped by its name.
"""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "docs" / "integrations"
SECTION = re.compile(r"^#+ (\w+)[^\n]*\n(.*?)(?=^#+ |\Z)", re.M | re.S)
BLOCK = re.compile(r"^```python unchecked\n(.*?)^```\n\n```text\n(.*?)^```", re.M | re.S)
SECTIONS = {name: BLOCK.findall(body) for page in PAGES.glob("*.md")
            for name, body in SECTION.findall(page.read_text())}
PACKAGES = {"cffi": "cffi", "Cython": "pyximport", "SymPy": "sympy", "FFCx": "ffcx",
            "pythran": "pythran", "Brian2": "brian2", "PyTorch": "torch", "Triton": "triton",
            "Stan": "httpstan", "PyStan": "stan"}


def test_every_section_is_known():
    assert {name for name, blocks in SECTIONS.items() if blocks} == set(PACKAGES)
    assert all(len(SECTIONS[name]) == 1 for name in PACKAGES)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_section(name, tmp_path):
    if not importlib.util.find_spec(PACKAGES[name]):
        pytest.skip(f"{name} is not installed")
    [(code, output)] = SECTIONS[name]
    (tmp_path / "section.py").write_text("import sys\nimport clinch.build_ext\n" + code)
    environment = {**os.environ, "PATH": str(tmp_path / "empty"), "HOME": str(tmp_path)}
    ran = subprocess.run([sys.executable, "section.py"], cwd=tmp_path, text=True,
                         env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert (ran.returncode, ran.stdout) == (0, output), ran.stderr
