"""The package's C, which stands in files of its own."""

import functools
import os

_FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "c")


@functools.cache
def c_source(name: str) -> str:
    """Returns the text of a file in the folder `c`."""
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read()
