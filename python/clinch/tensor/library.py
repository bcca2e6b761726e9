"""The library that runs loops over arrays, and its header, which the engine has."""

from __future__ import annotations

import functools
import os

from .. import _clinch

NAME = "clinch_arrays"
HEADER = "#include <clinch/loops.h>"


@functools.cache
def folder() -> str:
    """Returns the library's folder, which is that of the extension."""
    return os.path.dirname(os.path.abspath(_clinch.__file__))


@functools.cache
def hooks() -> dict[str, list[str]]:
    """Returns {hook: list} of what a text that calls the library needs."""
    return {"c_headers": ["<numpy/arrayobject.h>"], "c_libraries": [NAME],
            "c_lib_dirs": [folder()], "c_support_code": [HEADER]}
