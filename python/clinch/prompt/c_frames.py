"""The variables of C where a signal found it, as they were then.

C that has crashed has left its stack, of which the extension keeps a copy. Where the
variables are, debug information says: the text is compiled again with it, and its code
must be what ran. So an input that does not crash pays nothing for this.
"""

from __future__ import annotations

import ctypes

from .. import _clinch
from ..c_types import Types
from .c_compiling import RUN
from .c_guard import Crash
from .c_values import Printer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any
    from .c_guard import Interrupted
    from .c_inputs import Inputs


#: What a text of the prompt is compiled with, and where its variables are.
_FLAGS = ("-g", "-fasynchronous-unwind-tables")


class Frame:
    """A function that was called."""

    def __init__(self, name: str, file: str, line: int) -> None:
        self.name, self.file, self.line = name, file, line
        #: {variable: value}, None of one that the code did not keep; and all names, of
        #: those too whose declarations were to come.
        self.values: dict[str, str | None] = {}
        self.names: set[str] = set()

    def called(self, file: str) -> str:
        """Says that it called what is in the file."""
        name = "" if self.name == RUN else f"{self.name}, "
        place = "" if self.file == file else f"{self.file}, "
        return f"  called by {name}{place}line {self.line}{self.listed(': ')}\n"

    def listed(self, before: str) -> str:
        """Returns the values behind what stands before them, if there are any."""
        gone = [name for name, value in self.values.items() if value is None]
        shown = ", ".join(f"{name} = {value}" for name, value in self.values.items()
                          if value is not None)
        if gone:
            shown += f"{' ' * bool(shown)}(optimised away: {', '.join(gone)})"
        return before + shown if shown else ""


def frames(inputs: Inputs, error: Crash | Interrupted) -> tuple[list[Frame], int]:
    """Returns the innermost functions that an error has left, and how many more there
    were; none if C was left again since."""
    total, files, *stack = _clinch.crash_frames()
    if error.number != Crash.count:
        return [], 0
    # A method is in the code of what calls it, whose input is another.
    kept = [made for made in reversed(inputs.kept) if made._made_of[1] in files]
    return [frame for number in range(len(files))
            for frame in _read(inputs, number, kept, stack)], total - len(files)


def _read(inputs: Inputs, number: int, kept: list[Any], stack: list[int]) -> list[Frame]:
    """Returns the functions that were in one place, since some may be inlined."""
    unknown = Frame("", "", 0)
    for made in kept:
        text, origin, options = made._made_of
        lines, scopes = made._text.locals(
            number, text, origin, {**options, "keep": (), "flags": _FLAGS})
        types = Types(lines)
        if scopes:
            printer = Printer(types, inputs.names, 10, stack)
            return [_frame(printer, *scope) for scope in scopes
                    if not scope[1].startswith("/")]  # A header's.
        unknown.names |= {known[2] for known in types.locals}
    return [unknown]


def _frame(printer: Printer, name: str, file: str, place: tuple[int, int],
           variables: Any) -> Frame:
    """Returns a function with the variables whose declarations were past."""
    frame = Frame(name, file, place[0])
    for known, *where in variables:
        name = known[2]
        frame.names.add(name)
        kind, end, loop = printer.types.locals.get(known, ("?", place, place))
        if (end < place or loop == place) and kind != "?" and \
                not name.startswith("clinch_prompt_"):
            frame.values[name] = _value(printer, kind, *where)
    return frame


def _value(printer: Printer, kind: str, address: int, data: bytes) -> str | None:
    """Returns the text of a variable at an address, or that was in registers; None if
    the code did not keep it."""
    if address:
        there = printer.read(address, printer.types.size(kind))
        return "(no memory is there)" if there is None else printer.show(kind, address)
    if len(data) < printer.types.size(kind):
        return None
    kept = ctypes.create_string_buffer(data)
    return printer.show(kind, ctypes.addressof(kept))
