"""Finds the files in given paths that may define Types and Ops."""

from __future__ import annotations

import os
import re
import stat

from ...base.annotations import Iterable, Iterator

C_ENDINGS = (".c", ".cc", ".cpp", ".cxx")
_CLASS = re.compile(rb"^\s*class\s", re.MULTILINE)
_SECTION = re.compile(rb"^\s*#\s*section\b", re.MULTILINE)


def targets(paths: Iterable[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Returns the files to check and [(path, reason)] for the rest."""
    found: dict[str, None] = {}
    unseen = []
    for path in paths:
        if os.path.isdir(path):
            files = list(_in_folder(path))
            if not files:
                unseen.append((path, "there is no Python module with a class "
                                     "and no Op's C file in this folder"))
            found.update(dict.fromkeys(files))
        else:
            why = _problem(path)
            if why:
                unseen.append((path, why))
            else:
                found[os.path.abspath(path)] = None
    return list(found), unseen


def _problem(path: str) -> str | None:
    """Returns why a given file cannot be checked, or None if it can."""
    try:
        text = _read(path)
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    if text is None:
        return "it is not a regular file"
    if path.endswith(".py"):
        return None
    if not path.endswith(C_ENDINGS):
        return "it is no Python module (.py) and no Op's C file (.c)"
    if not _SECTION.search(text):
        return ("it is no Op's C file: it has no `#section` line, such as "
                "`#section code`")
    return None


def _in_folder(folder: str) -> Iterator[str]:
    """Yields modules that define a class and C files with sections."""
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders
                            if not name.startswith((".", "__pycache__")))
        for name in sorted(names):
            path = os.path.abspath(os.path.join(here, name))
            wanted = (_CLASS if name.endswith(".py") else
                      _SECTION if name.endswith(C_ENDINGS) else None)
            if wanted is None:
                continue
            try:
                text = _read(path)
            except OSError:
                yield path  # The check will report the error.
            else:
                if text is not None and wanted.search(text):
                    yield path


def _read(path: str) -> bytes | None:
    """Returns a file's bytes, or None for a pipe or device, which may not end."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        return None
    with open(path, "rb") as file:
        return file.read()
