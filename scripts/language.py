#!/usr/bin/env python3
"""Reports sentences of the pages that are too long, and words that a reader does not know.

`make lint` runs it over README.md, CONTRIBUTING.md and docs/. Code, tables, links'
targets and headings don't count.
"""

import re
import sys
from pathlib import Path

LIMIT = 35  # Words of a sentence.
#: What a page of docs/ writes otherwise, and where only a report may write it.
WORDS = {
    r"door|doors": "integration",
    r"at hand": "available",
    r"to be had": "available",
    r"is told": "say who reports it",
    r"such a one": "repeat the noun",
    r"(?<!all )that of|those of": "repeat the noun",
    r"texts?(?= (?:of|in) (?:C|CUDA)\b)": "source",
}
USER_WORDS = {r"missed|was asked|were asked|as asked": "a word of reports"}
FENCE = re.compile(r"^ *```.*?^ *```\n", re.MULTILINE | re.DOTALL)
NOT_PROSE = re.compile(r"^ *\|.*$|^#.*$|^<.*$|!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)", re.MULTILINE)
SENTENCE = re.compile(r"(?<=[.!?])[*)_]*\s+|\n\s*(?:[-*]|\d+\.)\s|\n\s*\n")


def blank(match: "re.Match[str]") -> str:
    return "\n" * match[0].count("\n") or " "


def findings(path: Path) -> "list[str]":
    """The sentences and words of a page to write otherwise."""
    prose = NOT_PROSE.sub(blank, FENCE.sub(blank, path.read_text(encoding="utf-8")))
    prose = re.sub(r"`[^`]*`", "code", prose)
    report = "internals" in path.parts
    words = WORDS if report else WORDS | USER_WORDS
    result = []
    for word, advice in words.items():
        for match in re.finditer(rf"\b(?:{word})\b", prose):
            line = prose.count("\n", 0, match.start()) + 1
            result.append(f"{path}:{line}: '{match[0]}': {advice}")
    start = 0
    for end in [m.end() for m in SENTENCE.finditer(prose)] + [len(prose)]:
        count = len(re.findall(r"[\w'’-]+", prose[start:end]))
        if count > LIMIT:
            line = prose.count("\n", 0, start) + 1
            result.append(f"{path}:{line}: a sentence of {count} words")
        start = end
    return result


if __name__ == "__main__":
    pages = [Path("README.md"), Path("CONTRIBUTING.md"), *sorted(Path("docs").rglob("*.md"))]
    problems = [line for page in pages for line in findings(page)]
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(bool(problems))
