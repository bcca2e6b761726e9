"""`clinch cc` and `clinch c++`: commands that take gcc's arguments, for programs that
start a compiler. Clang and LLD are those of the engine, whose program they become. By a
link that is called gcc, the program does the same without Python."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig

from .. import _clinch


def run(command: str, arguments: list[str]) -> int:
    """Replaces this process by the engine's compiler; returns only if that fails."""
    program, library = _clinch.engine()
    try:
        os.execv(program, [program, library, command, *arguments])
    except OSError as error:
        print(f"clinch {command}: {program}: {error.strerror}", file=sys.stderr)
    return 2


#: The names by which build tools start a compiler.
NAMES = ("gcc", "g++", "cc", "c++", "x86_64-linux-gnu-gcc", "x86_64-linux-gnu-g++")


def install(arguments: list[str]) -> int:
    """`clinch install-compilers [FOLDER]`: links the engine's program under the names of
    gcc, in the folder of Python's commands unless another is named. Where the name exists
    in the folder, or without a folder on PATH, nothing changes."""
    if len(arguments) > 1 or arguments[:1] == ["--help"]:
        print("usage: clinch install-compilers [FOLDER]", file=sys.stderr)
        return 2
    program, _ = _clinch.engine()
    folder = arguments[0] if arguments else sysconfig.get_path("scripts")
    searched = folder if arguments else os.pathsep.join((folder, os.environ.get("PATH", "")))
    try:
        os.makedirs(folder, exist_ok=True)
        for name in NAMES:
            path = os.path.join(folder, name)
            existing = path if os.path.lexists(path) else shutil.which(name, path=searched)
            if existing:
                print(f"{existing} exists")
            else:
                os.symlink(program, path)
                print(f"{path} -> {program}")
    except OSError as error:
        print(f"clinch install-compilers: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0
