"""Calls of host code in CUDA, and what went wrong on the device."""

from __future__ import annotations

from . import _clinch
from .annotations import Any, Callable, Diagnostic, Iterable
from .errors import CompileError, RuleError

#: The device of a text that names none, where there is none: what is compiled for it
#: runs on all later ones.
OLDEST = "sm_75"
#: The device that is simulated, if none is named.
SIMULATED = "sm_90"


class LaunchError(RuntimeError):
    """A kernel was not launched, or another function of CUDA failed, and host code
    did not ask for it with `cudaGetLastError`. `code` is CUDA's number for it;
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


def settled_device(language: str | None, device: str | None, simulate: bool,
                   check: bool, math: str = "clinch") -> dict[str, Any]:
    """Returns the options of a compile that say what its kernels are for."""
    if language != "cuda":
        if device is not None or simulate or check or math != "clinch":
            raise ValueError('`device`, `simulate`, `check` and `math` are for '
                             '`language="cuda"`')
        return {}
    if device is None:
        device = SIMULATED if simulate or check else _clinch.first_device() or OLDEST
    if not isinstance(device, str):
        raise TypeError(f'device is a str such as "sm_90", not a '
                        f'{type(device).__name__}')
    if not device:
        raise ValueError('device is empty; it is a name such as "sm_90"')
    return {"device": device, "simulate": simulate or check, "check": check}


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


def problem(name: str = "", text: str = "",
            after: int = 0) -> CompileError | LaunchError | None:
    """Returns what went wrong last with the launches of this thread, once; None if it
    is not `after` so many problems."""
    found = _clinch.take_problem()
    if found is None or found[-1] <= after:
        return None
    code, is_wrong, message, diagnostics, _ = found
    error = (RuleError(message, diagnostics) if is_wrong else
             LaunchError(message, code, diagnostics))
    return with_lines(error, name, text)


#: Grows with each problem of any thread: most calls leave it as it is, and need not ask.
noted = _clinch.problems_noted


def raise_problem(made_of: Any, after: int) -> None:
    """Raises what went wrong after so many problems in this thread, if anything did.
    made_of: text, name, options."""
    error = problem(made_of[1], made_of[0], after)
    if error is not None:
        raise error


def with_memory(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls it; what it launches may use the arrays that it is given."""
    import numpy  # A text of C loads it with its first array.
    _clinch.give_memory([
        (f"argument {number}", one.ctypes.data, one.nbytes, bool(one.flags.writeable))
        for number, one in enumerate(arguments, 1) if isinstance(one, numpy.ndarray)])
    try:
        return function(*arguments)
    finally:
        _clinch.give_memory([])
