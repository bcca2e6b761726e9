"""Applies fix-its to C files: all of a file's, or none."""

from __future__ import annotations

import hashlib
import os
import tempfile

from ... import _clinch
from ...base import headers
from ...base.annotations import Any


def fix(result: Any) -> None:
    """Applies the certain fix-its; records in the result which were applied."""
    files: dict[str, list[Any]] = {}
    for finding in result.findings:
        if finding.fixits and finding.digest:
            files.setdefault(finding.path, []).append(finding)
    if files:
        _clinch.start_checker(headers.folders(), "")
    for path, findings in files.items():
        try:
            _fix_file(path, findings)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None)
            result.unseen.append(
                (path, f"it cannot be mended: {why or error}"))
        else:
            for finding in findings:
                finding.fixed = True


def _fix_file(path: str, findings: list[Any]) -> None:
    with open(path, "rb") as file:
        data = file.read()
    if hashlib.sha256(data).hexdigest() != findings[0].digest:
        raise ValueError("it has changed since it was looked at")
    fixes = {(f.line, f.source_line, fixit["begin_column"],
              fixit["end_column"], fixit["replacement"])
             for f in findings for fixit in f.fixits}
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise ValueError("it is not in UTF-8") from None
    text = _clinch.fixed(path, text, sorted(fixes))
    _replace(os.path.realpath(path), text.encode())


def _replace(path: str, data: bytes) -> None:
    """Replaces a file atomically."""
    folder = os.path.dirname(path)
    handle, new = tempfile.mkstemp(dir=folder, prefix=".clinch-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(new, os.stat(path).st_mode & 0o7777)
        os.replace(new, path)
    except BaseException:
        os.unlink(new)
        raise
