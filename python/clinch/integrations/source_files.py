"""Compiles files of C and C++ that are sources of extension modules."""

from __future__ import annotations

import os
import re

from . import module_files
from ..base.annotations import Any, Sequence
from ..source.compiled_text import describe
from ..source.text_pickling import described
from ..errors import CompileError

LANGUAGES = {".c": "c", **dict.fromkeys((".cc", ".cpp", ".cxx", ".c++", ".C"), "c++")}
_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
#: Macros that a text defines for NumPy's headers, which the prefix has read by then.
_BEFORE_HEADERS = re.compile(r"PY_(ARRAY|UFUNC)_UNIQUE_SYMBOL|NO_IMPORT_(ARRAY|UFUNC)")

#: FFCx prints a form in another order in each process; the signature in a file's name says
#: what is in it.
_SIGNED = re.compile(r"libffcx_[a-z]+_[0-9a-f]{40}\.c")


def describe_file(path: str, flags: Sequence[str]) -> tuple[Any, ...]:
    """Compiles a file; returns what described() returns. Python's headers are
    precompiled before it where that does not change what it means."""
    language: Any = LANGUAGES.get(os.path.splitext(path)[1])
    if language is None:
        raise ValueError("Clinch compiles C and C++")
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    name = os.path.basename(path) if os.path.isabs(path) else path
    signed = _SIGNED.fullmatch(os.path.basename(path))
    options: dict[str, Any] = {"language": language, "key": signed[0] if signed else "",
                               "flags": [*_beside(text, path), *flags]}
    if "Python.h" in text and not _BEFORE_HEADERS.search(" ".join(options["flags"]) + text):
        try:
            return describe(text, name, python=True, **options)
        except CompileError:
            pass  # It may define what those headers do, and only it says what is wrong.
    return describe(text, name, **options)


def _beside(text: str, path: str) -> list[str]:
    """Returns flags to find the headers that lie in the folder of a file; a relative
    one, as programs name it that work in a temporary folder, is the same in each."""
    folder = os.path.dirname(path) or "."
    if any(os.path.isfile(os.path.join(folder, name))
           for name in _INCLUDED.findall(text)):
        return ["-iquote", folder]
    return []


def write_module(path: str, sources: Sequence[tuple[Any, ...]],
                 libraries: Sequence[str], library_dirs: Sequence[str]) -> None:
    """Writes the file of a module that is made of descriptions."""
    ordered = sorted(sources, key=lambda one: "PyInit" not in one[0]
                     and "PyMODINIT" not in one[0])
    text, name, options, code, *_ = ordered[0]
    module_files.write(path, described(text, name, {
        **options, "objects": [other[3] for other in ordered[1:]],
        "libraries": list(libraries), "library_dirs": list(library_dirs)}, code))
