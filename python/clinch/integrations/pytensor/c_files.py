"""The package's C, which stands in files of its own."""

import ctypes
import functools
import os

import clinch

_FOLDER = os.path.dirname(os.path.abspath(__file__))


@functools.cache
def c_text(*names):
    """Returns the text of files of this package, one behind another."""
    texts = []
    for name in names:
        with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
            texts.append(file.read())
    return "\n".join(texts)


def compiled(*names, **how):
    """Compiles files that are one text, and begins with NumPy."""
    text = clinch.compile(c_text(*names), os.path.basename(names[-1]), python=True, **how)
    ctypes.PYFUNCTYPE(ctypes.c_void_p)(text.lookup("clinch_begin"))()
    return text


compiled_once = functools.cache(compiled)
