"""Errors in the words of who writes hooks in Python.

The library speaks of templates, `%(fail)s`, and names a hook of a class. Here
the graph is known, and with it the methods: an error learns where in the
author's file the hook is, says `sub["fail"]`, and is told once for all
variables of a Type.
"""

import inspect
import os
import re

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_MANGLED = re.compile(r"(?<![A-Za-z0-9])(V|node_|label_|failure = )\d+")
_WORDS = (("%(fail)s", 'sub["fail"]'), ("%(name)s", "{name}"))
_LEFT = "nothing was put in its place"
_C_FILES = (".c", ".cc", ".cpp", ".cxx", ".h")
_MOST_NAMED = 3
_NOBODY = {"class": "", "hook": "", "subject": "", "file": "", "block": 0,
           "apply": 0}
_COUNTED = {"compile": ("The text does not compile:", "error"),
            "rule": ("The text breaks a rule in", "place")}


def explain(error, variables):
    """Adds to a CompileError what the graph behind it tells."""
    classes = classes_of(variables)
    hooks = {}
    for diagnostic in error.diagnostics:
        author = author_of(diagnostic)
        place = place_of(classes, *author) if author else None
        if place is not None:
            hooks[".".join(author)] = place
            error.message = reworded(error.message)
        reword(diagnostic, place is not None)
    before = len(error.diagnostics)
    error.diagnostics = merged(error.diagnostics)
    if error.message == _counted(error.kind, before):
        error.message = _counted(error.kind, len(error.diagnostics))
    for hook, (file, line) in hooks.items():
        if not file.startswith("<"):
            error.add_note(f"`{hook}` is at {file}:{line}.")


def _counted(kind, count):
    """What the library says of so many faults of one kind, or None."""
    if kind not in _COUNTED:
        return None
    said, what = _COUNTED[kind]
    return f"{said} {count} {what}{'s' * (count != 1)}."


def author_of(diagnostic):
    """(class, hook) of the text that it is about, or None: it is of no hook,
    or a `#line` in it says that the lines are another file's."""
    if not diagnostic["class"] or diagnostic["file"] == diagnostic["origin"]:
        return None
    return diagnostic["class"], diagnostic["hook"]


def reword(diagnostic, in_python):
    """Says it in the words of C files, or of hooks in Python."""
    if diagnostic["origin"].endswith(_C_FILES):
        diagnostic["message"] = diagnostic["message"].replace(
            "%(fail)s", "FAIL")
    if in_python:
        diagnostic["message"] = reworded(diagnostic["message"])
        for fixit in diagnostic["fixits"]:
            fixit["replacement"] = reworded(fixit["replacement"])
        _hint(diagnostic)


def classes_of(variables):
    """Name to class, for each Type and Op of the graph behind variables."""
    classes, seen, stack = {}, set(), list(variables)
    while stack:
        variable = stack.pop()
        if id(variable) in seen:
            continue
        seen.add(id(variable))
        node = getattr(variable, "owner", None)
        for thing in (variable.type, getattr(node, "op", None)):
            classes.setdefault(type(thing).__name__, type(thing))
        if node is not None:
            stack += [*node.inputs, *node.outputs]
    return classes


def place_of(classes, name, hook, of_package=False):
    """(file, line) of a hook that somebody wrote in Python, or None; those of
    this package only when they are asked for."""
    method = inspect.unwrap(getattr(classes.get(name), hook, None))
    code = getattr(method, "__code__", None)
    if code is None or (not of_package
                        and code.co_filename.startswith(_PACKAGE)):
        return None
    return code.co_filename, code.co_firstlineno


def reworded(message):
    """The message in the words of Python hooks; once is enough."""
    if _WORDS[0][1] in message:
        return message
    if message.endswith(_LEFT):
        advice = f"; write `{_WORDS[0][1]}`" if "%(fail)" in message else ""
        return message + advice
    for theirs, ours in _WORDS:
        message = message.replace(theirs, ours)
    return message


def _hint(diagnostic):
    """`if (...) FAIL; else ...`: the block of `fail` ends the `if`."""
    line = diagnostic["source_line"].encode()
    before = line[:diagnostic["column"] - 1].decode(errors="replace")
    after = line[diagnostic["column"] - 1:].decode(errors="replace")
    if (diagnostic["message"] == "expected expression"
            and after.startswith("else")
            and re.search(r"goto label_\d+;\}\s*;\s*$", before)):
        diagnostic["message"] += (
            ' before `else`; `sub["fail"]` is a block: write no `;` after it')


def merged(diagnostics):
    """One for each fault: a hook of a Type writes a text for each variable,
    and the same slip is in all of them."""
    faults = {}
    for diagnostic in diagnostics:
        faults.setdefault(_fault(diagnostic), []).append(diagnostic)
    return [_told_once(same) for same in faults.values()]


def _fault(diagnostic):
    """Equal for diagnostics that tell of one fault."""
    author = author_of(diagnostic)
    if author is None:
        return id(diagnostic)
    first = _MANGLED.search(diagnostic["source_line"])
    column = diagnostic["column"]
    if first and first.start() < column:  # V10 is longer than V1.
        column = None
    return (author, diagnostic["severity"], diagnostic["line"],
            _MANGLED.sub("V", diagnostic["source_line"]), column,
            _MANGLED.sub("V", diagnostic["message"]))


def _told_once(same):
    """The one of a variable that has a name, with a note of the others."""
    names = [d["subject"] for d in same] if len(same) > 1 else []
    best = next((i for i, name in enumerate(names)
                 if not _MANGLED.fullmatch(name.strip("`"))), 0)
    told = same[best]
    others = [name for name in dict.fromkeys(names) if name != names[best]]
    if others:
        said = ", ".join(others[:_MOST_NAMED])
        if len(others) > _MOST_NAMED:
            said += f" and {len(others) - _MOST_NAMED} more"
        told["notes"].append(
            {"severity": "note", "origin": "", "line": 0, "column": 0,
             "message": f"the same for {said}", "source_line": "",
             "fixits": [], "notes": [], **_NOBODY})
    return told
