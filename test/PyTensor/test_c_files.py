"""The C of the package: each file is C, and Clang says nothing of it."""

import glob
import os

import pytest

import clinch
from clinch.pytensor import c_files

_FOLDER = os.path.dirname(c_files.__file__)
#: What stands before a file in its text.
_BEFORE = {
    "native/scan.c": ["native/scan.h"],
    **{f"native/{name}.c": ["native/arrays.c"] for name in ("indices", "rows", "small")},
}
FILES = sorted(
    os.path.relpath(path, _FOLDER)
    for path in glob.glob(f"{_FOLDER}/**/*.c", recursive=True)
)
_HEADER = "#include <numpy/arrayobject.h>\n"


def test_there_are_files():
    assert {"function.c", "native/lapack.c", *_BEFORE} <= set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_c(name):
    text = _HEADER + c_files.c_text(*_BEFORE.get(name, ()), name)
    symbols = {"clinch_target": 8} if name == "function.c" else None
    # Not all of a file is used by each Op that has it.
    flags = ["-Wall", "-Wextra", "-Wno-unused", "-Wno-unused-parameter", "-Werror"]
    clinch.compile(text, name, python=True, flags=flags, symbols=symbols)
