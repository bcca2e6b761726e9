"""The header of a text that is saved as a library: what others may use of it."""

from __future__ import annotations

import re

from .. import _clinch
from ..base.annotations import Any, Iterable, Mapping

#: Comments and strings, and the lines of the preprocessor between them.
_TOKEN = re.compile(r"""^[ \t]*(?P<directive>\#[ \t]*(?P<name>\w*)
    (?:\\\n|"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*|[^\n])*)
    |//(?:\\\n|[^\n])*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\\n])*'""",
                    re.MULTILINE | re.DOTALL | re.VERBOSE)
#: Directives that hold behind a function in whose body they stand, too.
_GLOBAL = {"define", "undef", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef",
           "else", "endif"}
#: `double a[n]`, which C++ has not.
_SIZED = re.compile(r"\[[^\]]*[A-Za-z_*]")
_LINKAGE = re.compile(r"^(?:(?:extern|inline)\b\s*)+")
_PRIVATE = re.compile(r"(static|inline|extern)\b")
#: What C++ spells in another way, and C too.
_SPELLED = {"_Bool": "bool", "_Noreturn": "__attribute__((noreturn))",
            "restrict": "__restrict"}
_OPEN, _CLOSE = (["#ifdef __cplusplus", line, "#endif"] for line in ('extern "C" {', "}"))


def no_header(why: object) -> ValueError:
    """Returns the error of a text that has no header of its own."""
    return ValueError("the text has no header of its own: it declares what needs "
                      f"more of it; leave `header` out: {why}")


def _declared(text: str, lines: str, functions: Mapping[str, str]
              ) -> Iterable[tuple[int, int, str]]:
    """Yields where a declaration of Clang's AST begins and ends in a text in C, and what
    it is in a header, if anything. The engine describes each: kind, place, names, symbol,
    declaration."""
    source = text.encode()
    for line in lines.splitlines():
        kind, start, end, names, symbol, declaration = line.split("\t")
        written, found = source[int(start):int(end)].decode(), ""
        begin = len(source[:int(start)].decode())
        if kind == "f" and symbol:  # As it is written, up to its body.
            head = written.partition("{")[0]
            is_plain = re.search(rf"\b{names}\s*\(", head) and not _SIZED.search(head)
            found = re.sub(r"\s+", " ", _LINKAGE.sub("", head).strip()) if is_plain \
                else functions[names]
        elif kind == "v" and symbol:
            found = f"extern {declaration}"
        elif kind == "t" and symbol:
            found = f"extern __thread {declaration}"
        elif kind == "d" and names and not _PRIVATE.match(declaration or written):
            found = declaration or written
        if kind in "fvtd":
            yield begin, begin + len(written), found


def _in_order(text: str, declared: list[tuple[int, int, str]]) -> list[str]:
    """Returns the lines of a header: directives and declarations as they follow in the
    text, so that each means the same."""
    found = [(begin, 1, one) for begin, _, one in declared if one]
    for match in _TOKEN.finditer(text):
        if match["directive"]:
            within = [one for begin, end, one in declared if begin <= match.start() < end]
            # A type is copied with the directives in it.
            is_copied = any(match["directive"] in one for one in within)
            if not is_copied and (not within or match["name"] in _GLOBAL):
                found.append((match.start(), 0, match["directive"].strip()))
    lines: list[str] = []
    is_open = False
    for _, is_declaration, one in sorted(found, key=lambda entry: entry[:2]):
        if is_open != bool(is_declaration):
            lines += ["", *_OPEN, ""] if is_declaration else ["", *_CLOSE, ""]
            is_open = bool(is_declaration)
        lines.append(_spelled(one.rstrip().rstrip(";")) + ";" if is_declaration else one)
    return lines + (["", *_CLOSE] if is_open else [])


def _spelled(text: str) -> str:
    return re.sub(r"\b(?:_Bool|_Noreturn|restrict)\b", lambda match: _SPELLED[match[0]], text)


def header(about: str, name: str, text: str, options: Any, lines: str,
           functions: Mapping[str, str], types: str) -> str:
    """Returns the text of the header `name`; raises ValueError. functions: declarations of
    those with C's names, which of a text in C++ are all that it has. types: those of the
    text, as FunctionsSection.h has them."""
    guard = re.sub(r"\W", "_", name).upper()
    parts = ["#include <Python.h>"] if options["python"] else []
    for one in options["defines"]:
        macro, _, value = one.partition("=")
        parts.append(f"#define {macro} {value if '=' in one else 1}")
    parts += [options["prefix"]] if options.get("prefix") else []
    if options["language"] == "c":
        body = _in_order(text, list(_declared(text, lines, functions)))
    else:
        body = ["", *_OPEN, "", *(f"{one};" for one in functions.values()), "", *_CLOSE]
    if any(re.search(r"\bbool\b", one) for one in body):
        parts.append("#include <stdbool.h>")
    whole = "\n".join([f"/* {about} */", f"#ifndef {guard}", f"#define {guard}", *parts,
                       *body, f"#endif /* {guard} */", ""])
    _check(whole, options, types)
    other = {"c": "c++", "c++": "c"}[options["language"]]
    try:
        _clinch.compile_object(whole, name, _plain(options, other))
    except Exception:  # Of whatever it lacks, its users are told what it is for.
        ours, theirs = ("C", "C++") if other == "c++" else ("C++", "C")
        condition = "#ifdef" if other == "c++" else "#ifndef"
        first = f"#define {guard}\n"
        return whole.replace(first, f"{first}{condition} __cplusplus\n#error {name} is for "
                                    f"{ours}, not for {theirs}\n#endif\n", 1)
    return whole


def _plain(options: Any, language: str) -> Any:
    """Returns the options of a compile as others do it, who know where headers are."""
    return {**options, "language": language, "tier": "fast", "cpu": "", "flags": (),
            "defines": (), "prefix": "", "objects": (), "libraries": (), "symbols": {},
            "keep": (), "key": "", "disk_cache": False}


def _check(described: str, options: Any, types: str) -> None:
    """Compiles a header: what it lacks is said here, and not to its users."""
    try:
        found = _clinch.Text(described, "header", _plain(options, options["language"])).types
    except Exception as error:
        raise no_header(error) from None
    there = dict(_layouts(found))
    for name, layout in _layouts(types):
        if there.get(name, layout) != layout:
            raise no_header(f"`{name}` is another type there than with the options of the text")


def _layouts(types: str) -> Iterable[tuple[str, list[str]]]:
    """Yields the name of each struct, union and enum that has one, and what code knows of
    it: its size, and where its members are."""
    for line in filter(None, types.partition("\n\n")[0].split("\n")):
        kind, _, *rest = line.split("\t")
        if kind in ("s", "u") and rest[0]:
            name, *sizes = rest
            yield name, [kind, *sizes[:2], *(one for at in range(2, len(sizes), 4)
                                             for one in sizes[at:at + 3])]
        elif kind == "e" and rest[0]:
            yield rest[0], [kind, *rest[1:]]
