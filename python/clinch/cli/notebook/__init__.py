"""Clinch in notebooks: shows functions, graphs, ladders and errors, and loads
the extension `%load_ext clinch`.

Each picture is a MIME bundle: Markdown with Mermaid if it is small, folded text if it
is large, always with plain text.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape

from ...base.annotations import Any
from ..drawing import MOST_IN_NOTEBOOK as MOST
from ..drawing import as_text, model
from ..drawing.as_mermaid import markdown
from ..c_cells import Cells
from . import magics
from .cells import op_of_cell, without_frames

_COLOURS = re.compile(r"\033\[([\d;]*)m")
_TAGS = {"0": "</b>", "1": "<b>"} | {
    code: f'<b style="color: {colour}">' for code, colour in (
        ("1;31", "#b91c1c"), ("1;32", "#15803d"), ("1;35", "#a21caf"),
        ("1;36", "#0e7490"))}


def of_function(function: Any) -> Any:
    """Returns the bundle of a function: its graph and its ladder."""
    return _picture(model.of_function(function, MOST), repr(function))


def of_variable(variable: Any) -> Any:
    """Returns the bundle of a Variable: the graph that computes it."""
    return _picture(model.of_graph([variable], MOST), repr(variable))


def of_apply(node: Any) -> Any:
    """Returns the bundle of an Apply: the graph that computes its outputs."""
    return _picture(model.of_graph(node.outputs, MOST), repr(node))


def of_thunk(thunk: Any) -> Any:
    """Returns the bundle of a thunk: the ladder of its blocks."""
    return _picture(model.of_thunk(thunk, MOST), repr(thunk))


def _picture(drawn: Any, plain: str) -> dict[str, str]:
    if drawn.whole:
        return {"text/plain": plain, "text/markdown": markdown(drawn)}
    return {"text/plain": plain, "text/html": _folded(
        f"{plain}: {drawn.count}", _pre(escape(as_text.text(drawn))))}


def of_error(error: Any) -> dict[str, str]:
    """Returns the bundle of a CompileError: its diagnostics and the folded text."""
    shown = _pre(_coloured(error.render(colour=True)))
    if error.source:
        shown += _folded("the text", _pre(escape(error.source)))
    return {"text/plain": error.render(), "text/html": shown}


def _pre(inner: str) -> str:
    return ('<pre style="font-family: monospace; overflow-x: auto">'
            f"{inner}</pre>")


def _folded(summary: str, inner: str) -> str:
    return (f"<details><summary>{escape(summary)}</summary>{inner}"
            "</details>")


def _coloured(text: str) -> str:
    """Converts text with a terminal's colours to HTML."""
    return _COLOURS.sub(lambda match: _TAGS[match[1]], escape(text))


_BUNDLES = {"Variable": of_variable, "Apply": of_apply, "FunctionMethods": of_function,
            "ThunkMethods": of_thunk, "CompileError": of_error}


def bundle(value: object) -> Any:
    """Returns the MIME bundle of a value."""
    return next(_BUNDLES[cls.__name__] for cls in type(value).__mro__
                if cls.__name__ in _BUNDLES)(value)


def load_ipython_extension(shell: Any) -> None:
    """Registers the magics; `%load_ext clinch` calls it."""
    cells = cache(lambda: Cells(shell))  # Notebooks without C keep their signals.
    shell.register_magic_function(
        lambda line, cell: without_frames(op_of_cell, shell.user_ns, line, cell),
        magic_kind="cell", magic_name="op")
    shell.register_magic_function(
        lambda line, cell: cells().run(line, cell), magic_kind="cell", magic_name="clinch")
    for name, magic in (("emit", magics.emit), ("graph", magics.graph)):
        shell.register_magic_function(
            lambda line, magic=magic: magic(shell.user_ns, line),
            magic_kind="line", magic_name=name)
