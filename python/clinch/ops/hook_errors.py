"""Rewords compile errors for people who write hooks in Python.

The library's messages use template keys such as `%(fail)s` and name a class and
a hook. The graph is known here, and with it the methods: the error gains the
hook's place in the author's file, says `sub["fail"]`, and is reported once for
all variables of a Type.
"""

from __future__ import annotations

import inspect
import os
import re

from .. import _clinch
from ..base.annotations import Any, Diagnostic, Iterable, Mapping, Sequence
from ..errors import add_note
from ..base.walks import applies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..errors import CompileError
    from ..graph.variables import Variable

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_MANGLED = r"(?<![A-Za-z0-9])(V|node_|label_|failure = )\d+"
_IN_PYTHON = {"%(fail)s": 'sub["fail"]', "%(name)s": "{name}"}
_IN_C_FILES = {"%(fail)s": "FAIL"}
_C_FILES = (".c", ".cc", ".cpp", ".cxx", ".h")
_MOST_NAMED = 3
_NOBODY = {"class": "", "hook": "", "subject": "", "file": "", "block": 0,
           "apply": 0}


def explain(error: CompileError, variables: Sequence[Variable]) -> None:
    """Rewords a CompileError and notes where the hooks of its graph are."""
    classes = classes_of(variables)
    hooks = {}
    for diagnostic in error.diagnostics:
        author = author_of(diagnostic)
        place = place_of(classes, *author) if author else None
        if author and place:
            hooks[".".join(author)] = place
        before = diagnostic["message"]
        reword(diagnostic, place is not None)
        if error.message.endswith(before):
            error.message = (error.message.removesuffix(before)
                             + diagnostic["message"])
    before = len(error.diagnostics)
    error.diagnostics = merged(error.diagnostics)
    count = len(error.diagnostics)
    if count < before:
        error.message = (_clinch.fault_count(error.kind, count)
                         or error.message)
    for hook, (file, line) in hooks.items():
        if not file.startswith("<"):
            add_note(error, f"`{hook}` is at {file}:{line}.")


def author_of(diagnostic: Diagnostic) -> tuple[Any, ...] | None:
    """Returns the (class, hook) that wrote the text, or None if no hook did or
    a `#line` assigns the text to another file."""
    if not diagnostic["class"] or diagnostic["file"] == diagnostic["origin"]:
        return None
    return diagnostic["class"], diagnostic["hook"]


def file_of(diagnostic: Diagnostic) -> str:
    """Returns the file that its lines refer to: an Op's C file, or one that a
    `#line` names; "" for a hook's text."""
    for file in (diagnostic["origin"], diagnostic["file"]):
        if os.path.isfile(file):
            return file
    return ""


def reword(diagnostic: Diagnostic, in_python: bool) -> None:
    """Rewords the diagnostic for authors of C files or of hooks in Python."""
    if diagnostic["origin"].endswith(_C_FILES):
        words = _IN_C_FILES
    elif in_python:
        words = _IN_PYTHON
    else:
        return
    key = _unfilled(diagnostic)
    if key is not None:  # The message shows it as the author wrote it.
        if key in words:
            diagnostic["message"] += f"; write `{words[key]}`"
        return
    diagnostic["message"] = _spelled(diagnostic["message"], words)
    for fixit in diagnostic["fixits"]:
        fixit["replacement"] = _spelled(fixit["replacement"], words)


def _unfilled(diagnostic: Diagnostic) -> str | None:
    """Returns the template key that a fix-it would delete from the author's
    text, or None."""
    line = diagnostic["source_line"].encode()
    for fixit in diagnostic["fixits"]:
        text = line[fixit["begin_column"] - 1:fixit["end_column"] - 1].decode(
            errors="replace")
        if not fixit["replacement"] and text.startswith("%("):
            return text.removesuffix("s") + "s"
    return None


def _spelled(text: str, words: Mapping[str, str]) -> str:
    """Replaces template keys in the text by the author's words."""
    for key, word in words.items():
        text = text.replace(key, word)
    return text


def classes_of(variables: Sequence[Variable]) -> dict[str, type]:
    """Maps names to the classes of all Types and Ops in the variables' graph."""
    order = applies((), variables)
    things = [v.type for v in variables]
    for node in order:
        things += (node.op, *(v.type for v in (*node.inputs, *node.outputs)))
    return {type(thing).__name__: type(thing) for thing in reversed(things)}


def place_of(classes: Mapping[str, type], name: str, hook: str,
             of_package: bool = False) -> tuple[str, int] | None:
    """Returns the (file, line) of a hook written in Python, or None. Hooks of
    this package count only if `of_package` is true."""
    written: Any = getattr(classes.get(name), hook, None)
    method = inspect.unwrap(written)
    code = getattr(method, "__code__", None)
    if code is None or (not of_package
                        and code.co_filename.startswith(_PACKAGE)):
        return None
    return code.co_filename, code.co_firstlineno


def merged(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Returns one diagnostic per fault. A Type's hook writes a text for each
    variable, so each contains the same mistake."""
    faults: dict[Any, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        faults.setdefault(_fault(diagnostic), []).append(diagnostic)
    return [_told_once(same) for same in faults.values()]


def _fault(diagnostic: Diagnostic) -> Any:
    """Returns a key that is equal for diagnostics of one fault."""
    author = author_of(diagnostic)
    if author is None:
        return id(diagnostic)
    first = re.search(_MANGLED, diagnostic["source_line"])
    column = diagnostic["column"]
    if first and first.start() < column:  # V10 is longer than V1.
        column = None
    return (author, diagnostic["severity"], diagnostic["line"],
            re.sub(_MANGLED, "V", diagnostic["source_line"]), column,
            re.sub(_MANGLED, "V", diagnostic["message"]))


def _told_once(same: Sequence[Diagnostic]) -> Diagnostic:
    """Returns one of these diagnostics, of a named variable if there is one,
    with a note that lists the others."""
    names = [d["subject"] for d in same] if len(same) > 1 else []
    best = next((i for i, name in enumerate(names)
                 if not re.fullmatch(_MANGLED, name.strip("`"))), 0)
    told = same[best]
    others = [name for name in dict.fromkeys(names) if name != names[best]]
    if others:
        said = ", ".join(others[:_MOST_NAMED])
        if len(others) > _MOST_NAMED:
            said += f" and {len(others) - _MOST_NAMED} more"
        told["notes"].append(plain_note(f"the same for {said}"))
    return told


def plain_note(message: str) -> Diagnostic:
    """Returns a note that is about no place in a text."""
    return {"severity": "note", "origin": "", "line": 0, "column": 0,
            "message": message, "source_line": "", "fixits": [], "notes": [],
            **_NOBODY}
