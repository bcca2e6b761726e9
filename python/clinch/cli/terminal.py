"""Decides whether to use colours, and colours the words of a stage.

It uses four patterns instead of Pygments, which may not be installed and takes
40 ms for the first line, longer than most compiles.
"""

from __future__ import annotations

import os
import re
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any

_RESET = "\033[0m"
_COLOURS = {"comment": "\033[2m", "string": "\033[32m",
            "keyword": "\033[1;34m", "label": "\033[1;33m",
            "number": "\033[36m", "name": "\033[35m", "head": "\033[1m"}

_C = r"""(?P<comment>//[^\n]*|/\*.*?\*/|^[ \t]*\#[^\n]*)
|(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
|(?P<label>\blabel_\w+|\bgoto\b|\bfailure\b)
|(?P<keyword>\b(?:if|else|for|while|do|switch|case|break|continue|return|struct
|union|enum|typedef|sizeof|static|inline|const|extern|void|int|unsigned|double
|float|char|long|short|bool)\b)
|(?P<number>\b\d[\w.]*)"""
_LLVM = r"""(?P<comment>;[^\n]*)|(?P<string>c?"(?:\\.|[^"\\\n])*")
|(?P<label>^[\w.$-]+:)|(?P<name>[%@!][\w.$-]+)
|(?P<keyword>\b(?:define|declare|ret|br|switch|call|tail|load|store|phi|add|sub
|mul|fadd|fsub|fmul|fdiv|icmp|fcmp|select|getelementptr|alloca|unreachable)\b)
|(?P<number>\b\d[\w.]*)"""
_ASM = r"""(?P<comment>[#;][^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*")
|(?P<label>^[\w.$@]+:)|(?P<name>%\w+)|(?P<number>\$?-?\b\d\w*)
|(?P<keyword>^[ \t]+[a-z]\w*)"""
_TABLE = r"""(?P<label>\blabel_\w+)|(?P<string>`[^`\n]*`)
|(?P<keyword>^[A-Za-z ]+:)|(?P<number>\b\d+\b)"""
_GRAMMARS = {"c": _C, "llvm": _LLVM, "llvm-opt": _LLVM, "asm": _ASM}


def wants_colour(when: str, stream: Any = None) -> bool:
    """Whether to use colours; "auto" asks the stream, NO_COLOR and TERM."""
    if when in ("always", "never"):
        return when == "always"
    stream = stream or sys.stdout
    return bool(stream.isatty() and not os.environ.get("NO_COLOR")
                and os.environ.get("TERM") != "dumb")


def paint(text: str, kind: str) -> str:
    """Returns the text in the colour of a kind of word."""
    return _COLOURS[kind] + text + _RESET


def highlight(text: str, stage: str) -> str:
    """Returns the text of a stage in colour."""
    grammar = re.compile(_GRAMMARS.get(stage, _TABLE),
                         re.VERBOSE | re.MULTILINE | re.DOTALL)
    return grammar.sub(lambda m: paint(m.group(), m.lastgroup or ""), text)
