"""`:edit`: the last input in the user's editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any


def edit(reader: Any) -> None:
    """Enters what $VISUAL or $EDITOR makes of the last input; nothing if it is the same
    or the editor fails."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "input.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(reader.last + "\n")
        if subprocess.run([*shlex.split(editor), path], check=False).returncode:
            return
        with open(path, encoding="utf-8") as file:
            text = file.read().rstrip("\n")
    if text != reader.last:
        print(text)
        reader.run_lines(text.split("\n"))
