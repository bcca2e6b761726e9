"""The exceptions that Clinch raises."""

from __future__ import annotations

from . import _clinch
from .base.annotations import Any, Diagnostic, Iterable, Sequence
from .base.pictures import Pictured


class CompileError(Pictured, Exception):
    """A text does not compile.

    `diagnostics` is a list of dicts with severity, origin, line, column,
    message, source_line, fixits and notes. One about a hook's text also has its
    class, hook and file, the subject it was called for, and the numbers of the
    block and the apply. `source` is the C text, or None.
    """

    kind = "compile"

    def __init__(self, message: str, diagnostics: Iterable[Diagnostic] = (),
                 source: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.diagnostics = list(diagnostics)
        self.source = source

    def __reduce__(self) -> Any:
        return type(self), (self.message, self.diagnostics, self.source)

    def render(self, colour: bool = False) -> str:
        """The message and every diagnostic, as a terminal shows them."""
        return _clinch.render(self.message, self.diagnostics, colour)

    def __str__(self) -> str:
        return self.render()


class RuleError(CompileError):
    """A text compiles but breaks a rule of the contract."""

    kind = "rule"


class LinkError(CompileError):
    """Symbols or libraries are missing."""

    kind = "link"


class HookError(CompileError):
    """A hook returned something that cannot be used."""

    kind = "hook"


class LimitError(CompileError):
    """A compile exceeded its time or memory limit."""

    kind = "limit"


class CompilerCrash(CompileError):
    """The compiler crashed; the process did not."""

    kind = "crash"


class CompileWarning(UserWarning):
    """Clang finds an author's text doubtful."""


class GraphError(ValueError):
    """A cycle, a foreign variable, wrong types or counts."""

    def __init__(self, message: str, diagnostics: Iterable[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = list(diagnostics)


class DtypeError(GraphError, TypeError):
    """An Op has no rule for arrays of these dtypes."""


class DebugModeError(Exception):
    """DebugMode found a broken promise: `node` is the apply, `hook` the hook
    that broke it, `value` a value that shows it."""

    def __init__(self, message: str, node: Any = None, hook: str | None = None,
                 value: Any = None) -> None:
        super().__init__(message)
        self.node = node
        self.hook = hook
        self.value = value


def add_note(error: BaseException, note: str) -> None:
    """Adds a note, unless the exception is of a class that takes none: what
    its author raised is raised, never what adding the note raised."""
    try:
        error.add_note(note)
    except BaseException:
        pass


def notes_of(error: BaseException) -> Sequence[str]:
    """Returns the notes of an exception, whatever its class made of them."""
    notes = getattr(error, "__notes__", ())
    return notes if isinstance(notes, (list, tuple)) else ()


_CLASSES = {cls.kind: cls for cls in (
    CompileError, RuleError, LinkError, HookError, LimitError, CompilerCrash)}
_PLAIN = {"argument": ValueError, "io": OSError, "host": RuntimeError}


def make_error(kind: str, message: str, diagnostics: list[Diagnostic]) -> Exception:
    """Makes the exception for an error of the library; `_clinch` calls it."""
    if kind == "graph":
        return GraphError(message, diagnostics)
    if kind in _PLAIN:
        return _PLAIN[kind](message)
    return _CLASSES.get(kind, CompileError)(message, diagnostics)


for _class in (*_CLASSES.values(), GraphError, DtypeError, DebugModeError,
               CompileWarning):
    _class.__module__ = "clinch"  # Tracebacks show the public name.
