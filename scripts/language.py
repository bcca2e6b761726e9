#!/usr/bin/env python3
"""Reports sentences of the pages that are too long, and words that a reader does not know.

`make lint` runs it over README.md, CONTRIBUTING.md, CHANGELOG.md and docs/. Code, tables,
targets of links and headings don't count.
"""

import re
import sys
from pathlib import Path

LIMIT = 35  # Words of a sentence.
#: What to write otherwise, on every page.
WORDS = {
    r"door|doors": "integration",
    r"at\s+hand": "available",
    r"to\s+be\s+had": "available",
    r"(?:is|are|was|were)\s+told": "say who reports it",
    r"such\s+a\s+one": "repeat the noun",
    r"(?<!all )that\s+of|those\s+of": "repeat the noun",
    r"stands?(?! (?:in|for|out)\b)": "is, exists",
    r"beside": "next to",
    r"texts?(?= (?:of|in) (?:C|CUDA)\b)|C texts?": "source",
    r"(?:an|the|each|every|one|of|by) apply(?! to\b)|applies (?:of|are)": "node",
}
#: What only a report may write.
USER_WORDS = {
    r"missed|was asked|were asked|as asked": "a word of reports",
    r"ladders?": "cleanup chain",
    r"ours": "Clinch's",
}
FENCE = re.compile(r"^ *```.*?^ *```\n", re.MULTILINE | re.DOTALL)
NOT_PROSE = re.compile(r"^ *\|.*$|^#.*$|^<.*$|!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)", re.MULTILINE)
SENTENCE = re.compile(r"(?<=[.!?])[*)_]*\s+|\n\s*(?:[-*]|\d+\.)\s|\n\s*\n")
WHAT_CLAUSE = re.compile(r"(?:[-*] )?What(?:ever)?\b[^?]*\Z|(?:[-*] )?Who(?:ever)?\b[^?]*\Z")


def blank(match: "re.Match[str]") -> str:
    return "\n" * match[0].count("\n") or " "


def sentences(prose: str) -> "list[tuple[int, str]]":
    """Each sentence with the number of its line."""
    result, start = [], 0
    for end in [m.end() for m in SENTENCE.finditer(prose)] + [len(prose)]:
        sentence = prose[start:end]
        line = prose.count("\n", 0, start + len(sentence) - len(sentence.lstrip())) + 1
        result.append((line, " ".join(sentence.split())))
        start = end
    return result


def findings(path: Path) -> "list[str]":
    """The sentences and words of a page to write otherwise."""
    prose = NOT_PROSE.sub(blank, FENCE.sub(blank, path.read_text(encoding="utf-8")))
    prose = re.sub(r"`[^`]*`", lambda code: "code" + "\n" * code[0].count("\n"), prose)
    user = {"guide", "reference"} & set(path.parts)
    result = []
    for word, advice in (WORDS | USER_WORDS if user else WORDS).items():
        for match in re.finditer(rf"\b(?:{word})\b", prose):
            line = prose.count("\n", 0, match.start()) + 1
            result.append(f"{path}:{line}: '{' '.join(match[0].split())}': {advice}")
    for line, sentence in sentences(prose):
        count = len(re.findall(r"\w[\w'’-]*", sentence))
        if count > LIMIT:
            result.append(f"{path}:{line}: a sentence of {count} words")
        if WHAT_CLAUSE.match(sentence):
            result.append(f"{path}:{line}: '{sentence[:30]}': begin with the subject")
    return result


def main(arguments: "list[str]") -> int:
    pages = [Path(page) for page in arguments] or \
        [*sorted(Path().glob("[RC]*.md")), *sorted(Path("docs").rglob("*.md"))]
    problems = [line for page in pages for line in findings(page)]
    print("\n".join(problems), end="\n" if problems else "")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
