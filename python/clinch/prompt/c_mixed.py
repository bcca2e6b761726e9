"""Declarations and statements of C++ in one input: all are of one text, in which a
statement is the initialiser of a variable, so that they run in their order."""

from __future__ import annotations

import re

from .c_mistakes import InputError
from .c_shape import Shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Callable

STEP = "clinch_prompt_step"
_HEADS = {"if", "for", "while", "do", "switch", "try", "return", "{", "(", "*", "++", "--"}
#: What follows the first name of a statement, and of no declaration.
_FOLLOWS = {"=", ".", "->", "[", "(", "++", "--", "+", "-", "/", "%", "|", "^"}
#: What ends with a brace and goes on.
_GOES_ON = {"else", "catch", ";", ",", ")", ".", "(", "="}


class Part:
    """A statement or a declaration: where it is in the input."""

    def __init__(self, text: str, begin: int, end: int) -> None:
        self.begin, self.end = begin, end
        words = [token for _, token, _ in Shape(text[begin:end]).tokens][:2]
        self.is_statement = words[0] in _HEADS or bool(_FOLLOWS.intersection(words[1:]))
        self.is_certain = self.is_statement
        before = text[:begin]
        self.line = before.count("\n") + 1
        self.column = begin - (before.rfind("\n") + 1)
        self.last_line = text[:end].count("\n") + 1

    def holds(self, line: int, column: int) -> bool:
        """Whether a place of the input is in it."""
        return (self.line, self.column) <= (line, column - 1) and line <= self.last_line


def parts_of(text: str) -> list[Part]:
    """Splits an input where statements and declarations end."""
    tokens, found, depth, start = Shape(text).tokens, [], 0, None
    for number, (kind, token, at) in enumerate(tokens):
        start = at if start is None else start
        if kind != "sign":
            continue
        depth += (token in "([{") - (token in ")]}")
        following = tokens[number + 1][1] if number + 1 < len(tokens) else ""
        first = Shape(text[start:at]).first
        if depth == 0 and _ends(token, first, following):
            found.append(Part(text, start, at + 1))
            start = None
    if start is not None:
        found.append(Part(text, start, len(text)))
    return [part for part in found if text[part.begin:part.end] != ";"]


def _ends(token: str, first: str, following: str) -> bool:
    """Whether a sign ends what begins with `first`."""
    if following == "while":
        return token in (";", "}") and first != "do"
    if token == ";":
        return following != "else"
    return token == "}" and following not in _GOES_ON and first not in (
        "struct", "class", "union", "enum", "typedef")


def compiled(text: str, define: Callable[[str], None], name: str
             ) -> list[tuple[bool, str]]:
    """Gives `define` the input as one text of definitions; raises InputError. Returns
    the parts, and whether each is a statement."""
    parts = parts_of(text)
    if len(parts) < 2:
        raise InputError([])
    while True:
        try:
            define(_written(parts, text, name))
            return [(part.is_statement, text[part.begin:part.end]) for part in parts]
        except InputError as error:
            part = _blamed(parts, error)
            if part is None or part.is_certain:
                raise
            part.is_statement = not part.is_statement
            part.is_certain = True


def _blamed(parts: list[Part], error: InputError) -> Part | None:
    for one in error.diagnostics:
        for part in reversed(parts):
            if part.holds(one["line"], one["column"]):
                return part
    return None


def _written(parts: list[Part], text: str, name: str) -> str:
    lines = []
    for number, part in enumerate(parts):
        place = f'\n#line {part.line} "{name}"\n{" " * part.column}'
        written = place + text[part.begin:part.end]
        if part.is_statement:
            written = f"\nstatic const int {STEP}_{number} = [] {{{written}\n;return 0; }}();"
        elif not re.search(r"[;}]\s*\Z", text[part.begin:part.end]):
            written += ";"
        lines.append(written)
    return "".join(lines)
