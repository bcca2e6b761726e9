"""The stage view: all stages of functions side by side, as one HTML page.

Each line of a stage belongs to a block of the assembled text, or to none:
comments and labels in the text show which, debug locations in IR and assembly.
The lines of one block are marked in all stages at once.
"""

from __future__ import annotations

import html
import json
import os
import re
import tempfile

from ...base.annotations import Any
from ..interleave import (ASM_NOISE, DBG, DIFILE, FILE, IR_NOISE, LOC, OWN,
                          SCOPE, c_lines)
from . import MOST_DRAWN
from .as_text import ladder_lines
from .model import elide_middle, of_function

#: A stage with more lines than this omits its middle.
MOST_LINES = 6000
_HERE = os.path.dirname(os.path.abspath(__file__))
_BLOCK = re.compile(r"\{ // Block (\d+):")
_LABEL = re.compile(r"\s*label_(\d+):")
_HEADER = re.compile(r"block (\d+): (code)?")
_APPLY = re.compile(r"%[^=]* = |\w[\w, :%.]* = ")


def page(functions: Any) -> Any:
    """Returns the page of {name: function}."""
    data = [_describe(name, function) for name, function in functions.items()]
    with open(os.path.join(_HERE, "stages.html"), encoding="utf-8") as file:
        template = file.read()
    names = ", ".join(functions)
    # The data must not contain the end tag of the script around it.
    text = json.dumps(data).replace("<", "\\u003c")
    return template.replace("@TITLE@", html.escape(names)).replace("@DATA@", text)


def show(function: Any, path: Any = None) -> Any:
    """Writes the page of one function; opens it if no path is given."""
    text = page({function.__name__: function})
    if path is None:
        import webbrowser
        number, made = tempfile.mkstemp(prefix="clinch-", suffix=".html")
        with open(number, "w", encoding="utf-8") as file:
            file.write(text)
        webbrowser.open("file://" + made)
        return made
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return os.fspath(path)


def _describe(name: str, function: Any) -> Any:
    stats = function.stats
    drawn = of_function(function, MOST_DRAWN)
    source = function.emit("c")
    of_line = blocks_of_c(source)
    blocks, codes = _of_blocks(function.emit("blocks"))
    # IR and assembly need line tables, which do not change the code.
    stages = [
        ("graph", _of_graph(function.emit("graph"), codes)),
        ("blocks", blocks),
        ("ladder", ladder_lines(drawn)),
        ("C", list(zip(c_lines(source), of_line))),
        ("LLVM IR", _of_ir(function.emit("llvm", lines=True), of_line)),
        ("LLVM IR, optimised",
         _of_ir(function.emit("llvm-opt", lines=True), of_line)),
        ("assembly", _of_asm(function.emit("asm", lines=True), of_line)),
    ]
    return {
        "name": name,
        "facts": _facts(stats),
        "times": [[s["name"], round(s["ms"], 3)] for s in stats["stages"]],
        "stages": [[title, _cut(lines)] for title, lines in stages],
    }


def _facts(stats: Any) -> Any:
    cache = stats["cache"] + (f" ({stats['cache_from']})"
                              if stats["cache_from"] else "")
    facts = [["runs now", stats["code"]], ["asked for", stats["tier"]],
             ["form", stats["form"]], ["linker", stats["linker"]],
             ["language", stats["language"]], ["cache", cache],
             ["C", f"{stats['source_bytes']} bytes"],
             ["object", f"{stats['object_bytes']} bytes"],
             ["code", f"{stats['code_bytes']} bytes"]]
    if stats["code_error"]:
        facts.append(["failed", str(stats["code_error"])])
    return facts


def _cut(lines: Any) -> Any:
    """Returns [[text, block]], without the middle of a long stage."""
    shown = []
    for line in elide_middle(lines, MOST_LINES):
        count = getattr(line, "count", None)
        shown.append([f"… {count} more lines …", 0]
                     if isinstance(count, int) else [line[0], line[1]])
    return shown


def blocks_of_c(source: str) -> Any:
    """Returns for each line of the C text the number of its block, or 0."""
    found, block = [], 0
    for line in c_lines(source):
        if match := _BLOCK.search(line) or _LABEL.match(line):
            block = int(match[1])
        elif line.startswith("}"):
            block = 0
        found.append(block)
    return found


def _of_blocks(text: str) -> Any:
    """Returns the lines of the stage `blocks`, and in order the numbers of the
    blocks with the applies' code."""
    lines, block, codes = [], 0, []
    for line in text.splitlines():
        if match := _HEADER.match(line):
            block = int(match[1])
            if match[2]:
                codes.append(block)
        lines.append((line, block))
    return lines, codes


def _of_graph(text: str, codes: Any) -> Any:
    """Returns the lines of the graph, whose applies are in the order of their
    blocks."""
    lines, left = [], iter(codes)
    for line in text.splitlines():
        is_apply = _APPLY.match(line) and not line.startswith(
            ("inputs:", "outputs:", "constant:"))
        lines.append((line, next(left, 0) if is_apply else 0))
    return lines


_OWN_LINE = re.compile(r"thunk[^/:]*\.c(?:pp)?:(\d+)")


def _of_asm(text: str, of_line: Any) -> Any:
    """Returns the lines of assembly. Code inlined from a header belongs to the
    line that calls it."""
    lines, own, block = [], set(), 0
    for line in text.splitlines():
        if re.match(r"\s*\.section\s+\.debug", line):
            break
        if match := FILE.match(line):
            if OWN.search(match[2]):
                own.add(match[1])
        elif match := LOC.match(line):
            place = match[2] if match[1] in own else None
            called = _OWN_LINE.search(line.partition("@[")[2])
            block = _at(of_line, place or (called and called[1]))
        elif line[:1] not in ("\t", " ", "#", ""):
            block = block if line.startswith(".L") else 0
        if not ASM_NOISE.match(line):
            lines.append((line, block if line.startswith("\t") else 0))
    return lines


def _at(of_line: Any, number: Any) -> Any:
    number = int(number or 0)
    return of_line[number - 1] if 0 < number <= len(of_line) else 0


_LOCATION = re.compile(r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+),"
                       r".*?scope: !(\d+)(?:, inlinedAt: !(\d+))?", re.M)


def _of_ir(text: str, of_line: Any) -> Any:
    """Returns the lines of LLVM IR, without metadata."""
    blocks = _blocks_of_locations(text, of_line)
    lines = []
    for line in text.splitlines():
        if IR_NOISE.match(line):
            continue
        match = DBG.search(line)
        lines.append((DBG.sub("", line), blocks.get(match[1], 0)
                      if match and line.startswith(" ") else 0))
    while lines and not lines[-1][0].strip():
        lines.pop()
    return lines


def _blocks_of_locations(text: str, of_line: Any) -> Any:
    """Maps the number of each DILocation to its block."""
    own = {n for n, name in DIFILE.findall(text) if OWN.search(name)}
    scopes = {n for n, file in SCOPE.findall(text) if file in own}
    places = {n: rest for n, *rest in _LOCATION.findall(text)}
    found = {}
    for number in places:
        at = number
        while at in places:
            line, scope, caller = places[at]
            if scope in scopes:
                found[number] = _at(of_line, line)
                # An inlined helper of ours belongs to its caller's block.
                if found[number] or not caller:
                    break
            at = caller
    return found
