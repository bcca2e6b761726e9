"""The header of a text that is saved as a library: what others may use of it."""

from __future__ import annotations

import re

from .annotations import Any, Iterable, Mapping

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"][^\n]*", re.MULTILINE)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define\b(?:\\\n|[^\n])*", re.MULTILINE)
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|undef)", re.MULTILINE)
#: `double a[n]`, which C++ has not.
_SIZED = re.compile(r"\[[^\]]*[A-Za-z_*]")
_LINKAGE = re.compile(r"^(?:(?:extern|inline)\b\s*)+")
_PRIVATE = re.compile(r"(static|inline|extern)\b")


def _declared(text: str, lines: str, functions: Mapping[str, str]) -> Iterable[str]:
    """Yields the declarations that Clang's AST has of a text in C, as the engine
    describes them: kind, place, names, symbol, declaration."""
    source = text.encode()
    for line in lines.splitlines():
        kind, begin, end, names, symbol, declaration = line.split("\t")
        if kind == "f" and symbol:  # As it is written, up to its body.
            head = source[int(begin):int(end)].decode().partition("{")[0]
            yield functions[names] if _SIZED.search(head) else \
                re.sub(r"\s+", " ", _LINKAGE.sub("", head).strip())
        elif kind in "vt" and symbol:
            yield f"extern {'__thread ' if kind == 't' else ''}{declaration}"
        elif kind == "d":
            written = declaration or source[int(begin):int(end)].decode()
            if names and not _PRIVATE.match(written):
                yield written


def header(about: str, guard: str, text: str, options: Any, lines: str,
           functions: Mapping[str, str]) -> str:
    """Returns the text of the header. functions: declarations of those with C's names,
    which of a text in C++ are all that it has."""
    guard = re.sub(r"\W", "_", guard).upper()
    own = [] if options["language"] == "c" else list(functions.values())
    parts = [f"/* {about} */", f"#ifndef {guard}", f"#define {guard}"]
    if options["python"]:
        parts.append("#include <Python.h>")
    if options["language"] == "c":
        own = list(_declared(text, lines, functions))
        parts += [options["prefix"]] if options.get("prefix") else []
        parts += map(str.strip, _INCLUDE.findall(text))
        parts += [] if _CONDITION.search(text) else map(str.strip, _DEFINE.findall(text))
    if any(re.search(r"\bbool\b", one) for one in own):
        parts.append("#include <stdbool.h>")
    parts += ["", "#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    parts += [f"{one.rstrip().rstrip(';')};" for one in own]
    parts += ["", "#ifdef __cplusplus", "}", "#endif", f"#endif /* {guard} */", ""]
    return "\n".join(parts)
