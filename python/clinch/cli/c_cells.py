"""`%%clinch`: cells of C in a notebook, by the prompt's rules."""

from __future__ import annotations

from html import escape

from .. import _clinch
from ..base.configuration import enable_crash_notes
from . import c_sharing
from ..source.c_types import read_at
from .c_guard import Crash, Interrupted
from .c_inputs import Inputs
from .c_mistakes import InputError
from .c_shape import Shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Iterable
    from .c_values import Value

_GOES_ON = frozenset("= , + - * / % & | ^ ? : && || -> . < >".split())


def inputs_of(text: str) -> Iterable[str]:
    """Yields the inputs of a text, each behind empty lines for those before it."""
    begin, lines = 0, text.rstrip().split("\n")
    for end in range(1, len(lines) + 1):
        shape = Shape("\n".join(lines[begin:end]))
        if not shape.tokens:
            begin = end
        elif end == len(lines) or not (shape.is_open() or shape.last in _GOES_ON):
            yield "\n" * begin + shape.text
            begin = end


class CellError(Exception):
    """What stopped a cell, as a notebook shows it: without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return str(self).rstrip("\n").split("\n")


class Shown:
    """The value of a cell."""

    def __init__(self, value: Value) -> None:
        self._text = value.text
        self._rows = _members(value)

    def __repr__(self) -> str:
        return self._text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        if not self._rows:
            return {"text/plain": self._text}
        rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(text))}</td></tr>"
                       for name, text in self._rows)
        return {"text/plain": self._text, "text/html": f"<table>{rows}</table>"}


def _members(value: Value) -> list[tuple[str, Any]]:
    """Returns the names of a struct's members and their values."""
    if not value.kind.startswith("#") or value.types._rows[value.kind][0] not in "su":
        return []
    found = read_at(value.kind, value.address, value.types)
    return [(field[0], getattr(found, field[0])) for field in found.__ctype__.fields]


class Cells:
    """The C of a notebook."""

    error_colour = False

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.inputs = Inputs(self)
        self.values: list[Shown] = []
        self.inputs.give = lambda value: self.values.append(Shown(value))
        _clinch.guard_calls()  # Below the notes, which pass signals on.
        enable_crash_notes()
        shell.events.register("post_run_cell", self._take_back)

    @property
    def namespace(self) -> dict[str, Any]:
        """What Python has: Inputs asks for it."""
        return self.shell.user_ns

    def _take_back(self, _: Any) -> None:
        c_sharing.take_back(self.inputs.names)

    def run(self, line: str, cell: str) -> Any:
        """Runs a cell; prints the values of its expressions, and returns the last."""
        if line.strip():
            raise CellError(f"%%clinch takes no arguments, and `{line.strip()}` was given")
        name = f"<cell {self.shell.execution_count}>"
        self.values.clear()
        for text in inputs_of(cell):
            self._enter(text, name, cell)
        return self.values.pop() if self.values else None

    def _enter(self, text: str, name: str, cell: str) -> None:
        for value in self.values:
            print(value)
        self.values.clear()
        try:
            self.inputs.enter(text, name)
        except InputError as error:
            raise CellError(error.render()) from None
        except Crash as error:
            self.inputs.sources[name] = cell
            raise CellError(self.inputs.line_at(error) + str(error)) from None
        except Interrupted as error:
            self.inputs.sources[name] = cell
            raise CellError(self.inputs.line_at(error) + "interrupted") from None
        self.inputs.sources[name] = cell
