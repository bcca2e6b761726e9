"""The code of docs/guide/pymc.md, from top to bottom."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "pymc.md"


@pytest.mark.filterwarnings("ignore")
def test_the_code_of_the_page_runs():
    blocks = re.findall(r"^```python unchecked\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    assert len(blocks) == 3
    import clinch.pytensor

    names = {}
    try:
        for block in blocks:
            exec(compile(block, str(PAGE), "exec"), names)
    finally:
        clinch.pytensor.unuse()
    assert names["moved"].n_dim == 2
