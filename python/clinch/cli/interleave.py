"""Shows assembly and IR with the C line that each part comes from.

Line tables count the lines of the assembled text on disk, whose `#line`
directives are blank; the text that is shown has those, and they name the hooks.
"""

from __future__ import annotations

import re

FILE = re.compile(r'\s*\.file\s+(\d+)\s+(?:"[^"]*"\s+)?"([^"]*)"')
LOC = re.compile(r"\s*\.loc\s+(\d+)\s+(\d+)")
ASM_NOISE = re.compile(
    r"\s*(?:\.(?:loc|file|cfi_\w+)\b|#DEBUG_|\.L(?:tmp|func_)\w+:)")
IR_NOISE = re.compile(r"!|\s+#dbg_|declare void @llvm\.dbg|source_filename")
DBG = re.compile(r",? !dbg !(\d+)")
_LOCATION = re.compile(
    r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+),.*?scope: !(\d+)", re.M)
SCOPE = re.compile(
    r"^!(\d+) = .*?!DI(?:Subprogram|LexicalBlock\w*)\(.*?file: !(\d+)", re.M)
DIFILE = re.compile(r'^!(\d+) = !DIFile\(filename: "([^"]*)"', re.M)
OWN = re.compile(r"(?:^|/)thunk[^/]*\.c(?:pp)?$")


def interleave(text: str, source: str, stage: str) -> str:
    """Inserts C lines into `text` of asm or llvm-opt, before their code."""
    notes = line_notes(source)
    return (_asm if stage == "asm" else _llvm)(text, notes)


def c_lines(text: str) -> list[str]:
    """Returns the lines as Clang counts them: `str.splitlines` also ends one at a form
    feed, and at others that mean nothing in C."""
    return re.split(r"\r\n|\r|\n", text.removesuffix("\n"))


def line_notes(source: str) -> dict[int, str]:
    """Maps line numbers to "hook:line: text", or to the text alone if the line
    is Clinch's own."""
    name, number, notes = "", 0, {}
    for physical, line in enumerate(c_lines(source), 1):
        match = re.match(r'#line (\d+) "((?:\\.|[^"\\])*)"', line)
        if match:
            number = int(match.group(1)) - 1
            name = re.sub(r"\\(.)", r"\1", match.group(2))
            continue
        number += 1
        where = "" if not name or OWN.search(name) else f"{name}:{number}: "
        notes[physical] = where + line.strip()
    return notes


class _Notes:
    """Makes the comment for a place, but not twice in a row."""

    def __init__(self, notes: dict[int, str], mark: str) -> None:
        self.notes, self.mark, self.last = notes, mark, ""

    def at(self, file: str, line: int) -> list[str]:
        """Returns the comment lines to put before code from that place."""
        note = self.notes.get(line) if OWN.search(file) else None
        if not note or note == self.last:
            return []
        self.last = note
        return [f"{self.mark} {note}"]


def _asm(text: str, notes: dict[int, str]) -> str:
    files: dict[str, str] = {}
    out: list[str] = []
    comments = _Notes(notes, "#")
    for line in text.splitlines():
        if re.match(r"\s*\.section\s+\.debug", line):
            break
        if match := FILE.match(line):
            files[match.group(1)] = match.group(2)
        elif match := LOC.match(line):
            out += comments.at(files.get(match.group(1), ""),
                               int(match.group(2)))
        if not ASM_NOISE.match(line):
            out.append(line)
    return "\n".join(out) + "\n"


def _llvm(text: str, notes: dict[int, str]) -> str:
    places, comments = _places(text), _Notes(notes, "  ;")
    out: list[str] = []
    for line in text.splitlines():
        if IR_NOISE.match(line):
            continue
        match = DBG.search(line)
        if match and line.startswith(" "):
            out += comments.at(*places.get(match.group(1), ("", 0)))
        out.append(DBG.sub("", line))
    return "\n".join(out).rstrip() + "\n"


def _places(text: str) -> dict[str, tuple[str, int]]:
    """Maps the number of each DILocation to (file name, line)."""
    files = dict(DIFILE.findall(text))
    scopes = {n: files.get(f, "") for n, f in SCOPE.findall(text)}
    return {n: (scopes.get(scope, ""), int(line))
            for n, line, scope in _LOCATION.findall(text)}
