"""The code of docs/guide/pytensor.md, from top to bottom, and what it prints."""

import re
from pathlib import Path

from conftest import run

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "pytensor.md"


def test_the_code_of_the_page_runs():
    """In a process of its own, whose default mode it changes."""
    blocks = re.findall(r"^```(\w+) unchecked\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    code = "".join(text for language, text in blocks if language == "python")
    printed = "".join(text for language, text in blocks if language == "text")
    assert code and run(code) == printed
