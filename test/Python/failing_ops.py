"""Ops that fail as they are told, and what is said of it."""

from clinch import double, generic
from clinch.testing import TextOp

#: Calls its argument; the result is the output.
call = TextOp("""
    Py_XDECREF({z});
    {z} = PyObject_CallNoArgs({x});
    if (!{z})
        {fail}""", generic)


class Text(TextOp):
    """C text on doubles."""

    def __init__(self, text, language=None):
        super().__init__(text, double, c_compiler=lambda: language)


def notes(error):
    return "\n".join(error.value.__notes__)
