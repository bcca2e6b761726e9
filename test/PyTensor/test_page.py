"""The code of docs/guide/10-pytensor.md, from top to bottom, and what it prints."""

import re
from pathlib import Path

import clinch.pytensor

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "10-pytensor.md"


def test_the_code_of_the_page_runs(capsys):
    blocks = re.findall(r"^```(\w+) unchecked\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    code = "".join(text for language, text in blocks if language == "python")
    try:
        exec(compile(code, str(PAGE), "exec"), {})
    finally:
        clinch.pytensor.unuse()
    printed = "".join(text for language, text in blocks if language == "text")
    assert code and capsys.readouterr().out == printed
