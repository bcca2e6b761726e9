"""The library that runs loops over arrays, and its header."""

import functools
import os

from .. import _clinch

NAME = "clinch_arrays"


@functools.cache
def folder():
    """Returns the library's folder, which is that of the extension."""
    return os.path.dirname(os.path.abspath(_clinch.__file__))


@functools.cache
def header():
    """Returns the text of loops.h, which precedes every loop."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "loops.h"), encoding="utf-8") as file:
        return file.read()


class InLibrary:
    """The hooks that link an Op's text with the library."""

    def c_support_code(self, **kwargs):
        return [header()]

    def c_libraries(self, c_compiler=None):
        return [NAME]

    def c_lib_dirs(self, c_compiler=None):
        return [folder()]

    def c_headers(self, c_compiler=None):
        return ["<numpy/arrayobject.h>"]
