"""Clinch in notebooks: what functions, graphs, ladders and errors show there of
themselves, and what `%load_ext clinch` brings.

Each picture is a MIME bundle: SVG where it is small, HTML that is folded where
it is large, and text beside it.
"""

import re
from html import escape

from ..drawing import MOST_IN_NOTEBOOK as MOST
from ..drawing import model, svg_of

_COLOURS = re.compile(r"\033\[([\d;]*)m")
_TAGS = {"0": "</b>", "1": "<b>"} | {
    code: f'<b style="color: {colour}">' for code, colour in (
        ("1;31", "#b91c1c"), ("1;32", "#15803d"), ("1;35", "#a21caf"),
        ("1;36", "#0e7490"))}


def of_function(function):
    """The bundle of a function: its graph, and beside it the ladder."""
    return _picture(model.of_function(function, MOST), repr(function))


def of_graph(outputs, plain):
    """The bundle of what is computed for `outputs`."""
    return _picture(model.of_graph(outputs, MOST), plain)


def of_thunk(thunk):
    """The bundle of a thunk: the ladder of its blocks."""
    return _picture(model.of_thunk(thunk, MOST), repr(thunk))


def _picture(drawn, plain):
    svg = svg_of(drawn)
    if drawn.whole:
        return {"text/plain": plain, "image/svg+xml": svg}
    return {"text/plain": plain,
            "text/html": _folded(f"{plain}: {drawn.count}", svg)}


def of_error(error):
    """The bundle of a CompileError: its diagnostics, and the text, folded."""
    shown = _pre(_coloured(error.render(colour=True)))
    if error.source:
        shown += _folded("the text", _pre(escape(error.source)))
    return {"text/plain": error.render(), "text/html": shown}


def _pre(inner):
    return ('<pre style="font-family: monospace; overflow-x: auto">'
            f"{inner}</pre>")


def _folded(summary, inner):
    return (f"<details><summary>{escape(summary)}</summary>{inner}"
            "</details>")


def _coloured(text):
    """Text with a terminal's colours as HTML."""
    return _COLOURS.sub(lambda match: _TAGS[match[1]], escape(text))


def load_ipython_extension(shell):
    """What `%load_ext clinch` does."""
    from .cells import op_of_cell
    shell.register_magic_function(
        lambda line, cell: op_of_cell(shell.user_ns, line, cell),
        magic_kind="cell", magic_name="op")
