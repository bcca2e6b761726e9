"""The code of docs/guide/pymc.md, from top to bottom, and examples/pymc_model.py."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "pymc.md"


@pytest.mark.filterwarnings("ignore")
def test_the_code_of_the_page_runs():
    blocks = re.findall(r"^```python unchecked\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    assert len(blocks) == 4
    import clinch.pytensor

    names = {}
    try:
        for block in blocks:
            exec(compile(block, str(PAGE), "exec"), names)
    finally:
        clinch.pytensor.unuse()
    assert names["moved"].n_dim == 2


def test_the_example_prints_the_slope():
    script = PAGE.parents[2] / "examples" / "pymc_model.py"
    result = subprocess.run([sys.executable, script], text=True, capture_output=True)
    assert (result.returncode, result.stdout) == (0, "2\n"), result.stderr
