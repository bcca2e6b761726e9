"""Chooses the headers that compiled text includes.

Clinch ships those of the Python and NumPy it was built with. They serve every
release of that minor version of Python, whose C interface does not change, and
every NumPy that runs code made with them: headers of NumPy 2 serve NumPy 1 too,
those of NumPy 1 later releases of NumPy 1. Others need their own headers.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig

import numpy

from .. import _clinch
from .configuration import look_for_headers


def folders() -> list[str]:
    """Returns the folders to search for headers; none if the shipped ones serve."""
    if (_release(_clinch.built_for_python) == sys.version_info[:2]
            and serve(_clinch.built_for_numpy)):
        return []
    # NumPy's comes first: Python's may contain headers of another NumPy.
    found = [numpy.get_include(), sysconfig.get_path("include")]
    return [folder for folder in found if os.path.isdir(folder)]


def serve(version: str) -> bool:
    """Whether code made with that NumPy's headers runs with this NumPy."""
    made, running = _release(version), _release(numpy.__version__)
    return made[0] >= 2 or (running[0] == made[0] and running >= made)


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", version)[:2])


look_for_headers(folders())
