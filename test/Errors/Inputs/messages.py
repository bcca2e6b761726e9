"""The messages of the sources, as patterns: `...` stands for what varies."""

import ast
import glob
import os
import re

CALL = re.compile(
    r"\b(?:Error|PyErr_Format|PyErr_SetString|makeError|refused?|problem"
    r"|HookError)\(")
RETURNED = re.compile(r"return \{Error::Kind::\w+,(.*?)\};", re.S)
# Where functions return what a message says.
SENTENCES = re.compile(r'return (?:std::string\()?("[^;]*? [^;]*? [^;]*?);', re.S)
OF_SENTENCES = ("TextCheck.cpp", "RuleMessages.h")
LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"')
RAW = re.compile(r'R"\((.*?)\)"', re.S)
ESCAPES = {"n": " ", "t": " "}


def unescape(text):
    """A C literal's characters, near enough."""
    return re.sub(r"\\(.)", lambda m: ESCAPES.get(m.group(1), m.group(1)),
                  text)


def arguments(text, start):
    """The text between the parentheses that open at `start`."""
    depth, at = 0, start
    while at < len(text):
        literal = LITERAL.match(text, at)
        if literal:
            at = literal.end()
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return text[start + 1:at]
        at += 1
    return ""


def pattern(text):
    """String literals joined; between those with code in between, `...`."""
    pieces, end = [], None
    for literal in LITERAL.finditer(text):
        if end is not None and text[end:literal.start()].strip():
            pieces.append("...")
        elif end is None and text[:literal.start()].count("+"):
            pieces.append("...")
        pieces.append(unescape(literal.group(1)))
        end = literal.end()
    joined = "".join(pieces)
    return re.sub(r"%[-0-9.]*[a-z]{1,2}", "...", joined)


def of_cpp(path):
    """(line, pattern) of each error that a C++ source makes."""
    with open(path) as file:
        text = file.read()
    calls = [(call, arguments(text, call.end() - 1))
             for call in CALL.finditer(text)]
    calls += [(call, call.group(1)) for call in RETURNED.finditer(text)]
    if path.endswith(OF_SENTENCES):
        calls += [(call, call.group(1)) for call in SENTENCES.finditer(text)]
    for call, said in calls:
        found = pattern(said)
        if len(found.replace("...", "").strip()) >= 12:
            yield text.count("\n", 0, call.start()) + 1, found


def text_of(node):
    """The pattern of a Python expression that makes a string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(v) if isinstance(v, ast.Constant) else "..."
                       for v in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return text_of(node.left) + text_of(node.right)
    return "..."


def of_python(path):
    """(line, pattern) of each exception that a Python module raises."""
    with open(path) as file:
        tree = ast.parse(file.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for argument in node.exc.args[:1]:
                found = text_of(argument)
                if len(found.replace("...", "").strip()) >= 12:
                    yield node.lineno, found


def all_messages(source):
    """(path, line, pattern) of every message that a user may read."""
    for folder in ("lib", "jit", "python/extension"):
        for path in glob.glob(os.path.join(source, folder, "**", "*.*"),
                              recursive=True):
            if not path.endswith((".cpp", ".h")):
                continue
            yield from ((path, *found) for found in of_cpp(path))
    for path in glob.glob(os.path.join(source, "python/clinch/**/*.py"),
                          recursive=True):
        yield from ((path, *found) for found in of_python(path))


def tells_of(entry, known):
    """Whether an entry is about the message that has these pieces: it has the
    longest, and no less than half of them."""
    return (max(known, key=len) in entry
            and 2 * sum(piece in entry for piece in known) >= len(known))


def pieces(found):
    """The fixed parts of a pattern that are long enough to know it by."""
    parts = (part.strip(" `.,;:") for part in found.split("..."))
    return [part for part in parts if len(part) >= 8]
