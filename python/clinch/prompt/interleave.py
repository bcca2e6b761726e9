"""Assembly and IR with the C line each part comes from."""

import re

_FILE = re.compile(r'\s*\.file\s+(\d+)\s+(?:"([^"]*)"\s+)?"([^"]*)"')
_LOC = re.compile(r"\s*\.loc\s+(\d+)\s+(\d+)")
_DROPPED = re.compile(r"\s*\.(?:loc|file|cfi_\w+|section\s+\.debug\w*)\b")
_DBG = re.compile(r", !dbg !(\d+)")
_LOCATION = re.compile(
    r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+),.*?scope: !(\d+)", re.M)
_SCOPE = re.compile(
    r"^!(\d+) = .*?!DI(?:Subprogram|LexicalBlock\w*)\(.*?file: !(\d+)", re.M)
_DIFILE = re.compile(r'^!(\d+) = !DIFile\(filename: "([^"]*)"', re.M)


def interleave(text, source, stage):
    """`text` of asm or llvm-opt with C lines before what they became."""
    lines = presumed_lines(source)
    return (_asm if stage == "asm" else _llvm)(text, lines)


def presumed_lines(source):
    """(file, line) as `#line` has them -> the text of that line."""
    where, result = ["", 0], {}
    for line in source.splitlines():
        match = re.match(r'\s*#\s*(?:line\s+)?(\d+)(?:\s+"((?:\\.|[^"\\])*)")?',
                         line)
        if match:
            name = match.group(2)
            where = [_unescape(name) if name is not None else where[0],
                     int(match.group(1)) - 1]
            continue
        where[1] += 1
        result.setdefault(tuple(where), line.strip())
    return result


def _unescape(name):
    return re.sub(r"\\(.)", r"\1", name)


def _note(lines, name, number, mark):
    """The comment for a location, or None when it is not of our text."""
    for (file, line), text in ((k, lines[k]) for k in (
            (name, number), (name.rpartition("/")[2], number)) if k in lines):
        where = f"{file}:{line}" if file else f"line {line}"
        return f"{mark} {where}: {text}"
    return None


def _asm(text, lines):
    files, out, last = {}, [], None
    for line in _code_only(text):
        if match := _FILE.match(line):
            files[match.group(1)] = _unescape(match.group(3))
        elif match := _LOC.match(line):
            note = _note(lines, files.get(match.group(1), ""),
                         int(match.group(2)), "#")
            if note and note != last:
                out.append(note)
                last = note
        if not _DROPPED.match(line):
            out.append(line)
    return "\n".join(out) + "\n"


def _code_only(text):
    """Lines up to the debug sections, which nobody wants to read here."""
    for line in text.splitlines():
        if re.match(r"\s*\.section\s+\.debug", line):
            return
        yield line


def _llvm(text, lines):
    places = _places(text)
    out, last = [], None
    for line in text.splitlines():
        if line.startswith("!") or "llvm.dbg" in line:
            continue
        match = _DBG.search(line)
        name, number = places.get(match.group(1), ("", 0)) if match else ("", 0)
        note = _note(lines, name, number, "  ;")
        if note and note != last and line.startswith(" "):
            out.append(note)
            last = note
        out.append(_DBG.sub("", line))
    return "\n".join(out).rstrip() + "\n"


def _places(text):
    """Number of a DILocation -> (file name, line)."""
    files = dict(_DIFILE.findall(text))
    scopes = {n: files.get(f, "") for n, f in _SCOPE.findall(text)}
    return {n: (_unescape(scopes.get(scope, "")), int(line))
            for n, line, scope in _LOCATION.findall(text)}
