"""The methods in Python of the extension's classes, which are their base classes."""

from __future__ import annotations

import warnings
from importlib import import_module

from .annotations import Any
from .pictures import Pictured

#: What `emit` shows that the assembler makes; the compiler's are `_clinch.stages`.
ASSEMBLED = ("graph", "blocks", "labels", "c")


class Waited(Pictured):
    """Has `settle`, the name of `wait` in version 0.1, for one version."""

    __slots__ = ()

    wait: Any

    def settle(self, timeout: float | None = None) -> bool:
        warnings.warn("settle() is called wait() now", DeprecationWarning, stacklevel=2)
        waited: bool = self.wait(timeout)
        return waited


class FunctionMethods(Waited):
    """What a Function knows of itself, from the `details` it was made with."""

    __slots__ = ()

    details: Any
    trust_input: bool

    @property
    def inputs(self) -> list[Any]:
        return [item.variable for item in self.details.ins]

    @property
    def outputs(self) -> list[Any]:
        return list(self.details.given_outputs)

    @property
    def stats(self) -> dict[str, Any]:
        """How the function was made: form, tier, language, linker, cache, stages
        with milliseconds, sizes; and the tier of the code that runs now."""
        request = self.details
        return {**request.linked.stats, "tier": request.tier, "form": request.form,
                "linker": request.linker, "language": request.language}

    @property
    def key(self) -> str:
        return self.details.linked.key

    @property
    def tasks(self) -> list[dict[str, Any]]:
        return self.details.linked.tasks

    @property
    def thunk(self) -> Any:
        return self.details.linked.thunk

    @property
    def cells(self) -> dict[Any, list[Any]]:
        return self.details.linked.cells

    def wait(self, timeout: float | None = None) -> bool:
        """Waits for the code of the final tier; returns whether it runs now."""
        return self.details.linked.wait(timeout)

    def emit(self, stage: str, lines: bool = False) -> Any:
        """Returns the function at a stage: "graph", "blocks", "labels", "c", "llvm",
        "llvm-opt", "asm" (text) or "obj" (bytes); with `lines`, compiled with line
        tables."""
        return self.details.emit(stage, lines)

    def show(self, path: Any = None) -> Any:
        """Writes the stage view, a page of all stages side by side, to `path`, or to
        a temporary file that it opens in a browser. Returns the path."""
        return import_module("clinch.cli.drawing.stages").show(self, path)

    def copy(self) -> Any:
        """Returns a function with the same code and its own state."""
        made = self.details.copy().link()
        made.trust_input = self.trust_input
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def __reduce__(self) -> Any:
        return self.details.reduced(self.trust_input)

    def with_object(self) -> WithObject:
        """Returns what pickles the function with its machine code, or not at all."""
        return WithObject(self)


class WithObject:
    """Pickles a function with its machine code, or fails; unpickling gives the
    function itself."""

    def __init__(self, function: FunctionMethods) -> None:
        self._function = function

    def __reduce__(self) -> Any:
        self._function.details.check_has_object()
        return self._function.__reduce__()


class ThunkMethods(Waited):
    """What a Thunk is in a notebook."""

    __slots__ = ()
