"""Launches of kernels by the blocks of a graph, and what went wrong on the device."""

from __future__ import annotations

from .. import _clinch
from ..base.annotations import Any, Diagnostic, Iterable
from ..errors import CompileError, RuleError

class LaunchError(RuntimeError):
    """A block of a graph did not launch a kernel. `code` is CUDA's number for the reason;
    `diagnostics` say where, as those of a CompileError."""

    def __init__(self, message: str, code: int = 0,
                 diagnostics: Iterable[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.message, self.code = message, code
        self.diagnostics = list(diagnostics)

    def __reduce__(self) -> Any:
        return type(self), (self.message, self.code, self.diagnostics)

    def __str__(self) -> str:
        return str(_clinch.render(self.message, self.diagnostics, False))


LaunchError.__module__ = "clinch.cuda"


def fitting_device(device: str, simulates: bool) -> str:
    """Returns what kernels that come from another machine are compiled for here: the
    first device, if that does not run what was made for `device`."""
    here = "" if simulates else _clinch.first_device()
    return here if here and not _runs(here, device) else device


def _runs(here: str, device: str) -> bool:
    """Whether a device runs PTX for another: an older one, or with an "a" the same."""
    if device.endswith("a"):
        return device[:-1] == here
    return int(device.partition("_")[2]) <= int(here.partition("_")[2])


def with_lines(error: Any, name: str, text: str) -> Any:
    """Returns an error whose diagnostics show the lines of a text."""
    lines = text.split("\n")
    for one in error.diagnostics:
        for said in (one, *one["notes"]):
            if said["origin"] == name and 0 < said["line"] <= len(lines):
                said["source_line"] = lines[said["line"] - 1]
    return error


def problem() -> CompileError | LaunchError | None:
    """Returns what went wrong last with the launches of this thread, once. The code of a
    graph calls it."""
    found = _clinch.take_problem()
    if found is None:
        return None
    code, is_wrong, message, diagnostics = found
    return (RuleError(message, diagnostics) if is_wrong else
            LaunchError(message, code, diagnostics))
