"""Kernels of CUDA C++ that run without a device: `clinch.cuda.compile(simulate=True)`."""

from __future__ import annotations

import sys

import numpy

from .. import _clinch
from ..source.c_text import declaration_of, declared_type
from ..source.conversions import dtype_of
from ..errors import CompileError
from .kernels import Kernels
from ..device.launches import with_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any

#: The program of an object; see jit/Simulate/SimulatedCode.h.
PROGRAM = "clinch_sim_program"


class SimulatedCode(Kernels):
    """What a text in CUDA was compiled to, for this processor. A kernel is run as
    code["saxpy"](grid, block)(x, y, n), with NumPy arrays for pointers."""

    def __init__(self, device: str, source: str, name: str, text: Any) -> None:
        super().__init__(device,
                         (text.stage("declarations") or "").partition("\n\n")[0])
        self._text, self._source, self._name = text, source, name
        self._functions = {one[0]: one for one in text.functions}

    def __getitem__(self, name: str) -> Any:
        """Returns the kernel of that name, to be given a grid and a block."""
        return _Kernel(self, self.symbol(name))

    def _raise(self, error: Exception) -> None:
        """Raises it, with the lines of the text."""
        if isinstance(error, CompileError):
            with_lines(error, self._name, self._source)
        raise error


class _Kernel:
    """A kernel, to be given a grid and a block."""

    def __init__(self, code: SimulatedCode, symbol: str) -> None:
        self._code, self._symbol = code, symbol
        #: What it takes, as its author wrote it.
        self.signature: str = declaration_of(code._functions[symbol])

    def __call__(self, grid: Any, block: Any, *, shared: int = 0,
                 schedule: int = 0) -> Any:
        """Returns what runs it. grid, block: a number or up to three. shared: bytes of
        dynamic shared memory. schedule: another number lets the threads run in
        another order."""
        extents = _extent("grid", grid), _extent("block", block)
        if not isinstance(shared, int) or not 0 <= shared < 1 << 32:
            raise ValueError(f"shared={shared!r} is no number of bytes")

        def launch(*arguments: Any) -> None:
            self._launch(extents, shared, schedule, arguments)
        return launch

    def _launch(self, extents: Any, shared: int, schedule: int, arguments: Any) -> None:
        code, types = self._code, self._code._functions[self._symbol][4]
        if len(arguments) != len(types):
            raise TypeError(f"`{self.signature}` takes {len(types)} arguments, and "
                            f"{len(arguments)} were given")
        memory: list[Any] = []
        given = [_bytes_of(value, kind, size, number, memory)
                 for number, (value, (kind, _), (size, _)) in enumerate(
                     zip(arguments, types, code.parameters[self._symbol]), 1)]
        printed, error = _clinch.launch_simulated(
            code._text.lookup(PROGRAM), self._symbol, *extents, shared, schedule,
            given, memory)
        sys.stdout.write(printed)
        if error is not None:
            code._raise(error)


def _extent(what: str, given: Any) -> tuple[int, int, int]:
    numbers = tuple(given) if isinstance(given, (tuple, list)) else (given,)
    if not 1 <= len(numbers) <= 3:
        raise ValueError(f"a {what} has 1 to 3 numbers, not {len(numbers)}")
    for one in numbers:
        if not 0 <= one < 1 << 32:
            raise ValueError(f"{one} is no extent of a {what}")
    x, y, z = (*numbers, 1, 1)[:3]
    return int(x), int(y), int(z)


def _bytes_of(value: Any, kind: str, size: int, number: int, memory: list[Any]) -> bytes:
    """Returns an argument as the kernel gets it, and adds an array to `memory`."""
    if kind.endswith("*"):
        return _pointer(value, kind, number, memory)
    try:
        known = declared_type(kind)
    except ValueError:
        known = None  # A struct: its bytes are given.
    if known is not None:
        try:
            return bytes(known.pack(value))
        except (TypeError, OverflowError) as error:
            raise type(error)(f"argument {number}: {error}") from None
    data = bytes(value) if hasattr(value, "__bytes__") else memoryview(value).tobytes()
    if len(data) != size:
        raise TypeError(f"argument {number} has {len(data)} bytes, and `{kind}` {size}")
    return data


def _pointer(value: Any, kind: str, number: int, memory: list[Any]) -> bytes:
    if value is None:
        return bytes(8)
    if not isinstance(value, numpy.ndarray):
        raise TypeError(f"argument {number} is a `{kind}`: expected a NumPy array, not a "
                        f"{type(value).__name__}")
    words = kind[:-1].split()
    is_constant = "const" in words
    item = " ".join(word for word in words if word not in ("const", "volatile"))
    item = {"char": "signed char"}.get(item, item)
    try:
        wanted = dtype_of(declared_type(item)) if item != "void" else value.dtype
    except ValueError:
        wanted = value.dtype  # A struct, or a pointer.
    if value.dtype != wanted:
        raise TypeError(f"argument {number} is a `{kind}`: expected an array of {wanted}, "
                        f"not of {value.dtype}")
    if not value.flags.c_contiguous:
        raise TypeError(f"argument {number}: expected an array whose items stand one "
                        f"after another; `numpy.ascontiguousarray` makes one")
    if not (is_constant or value.flags.writeable):
        raise TypeError(f"argument {number} is a `{kind}`, and the array is read-only")
    memory.append((f"argument {number}", value.ctypes.data, value.nbytes,
                   bool(value.flags.writeable)))
    return value.ctypes.data.to_bytes(8, "little")
