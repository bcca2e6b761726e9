"""C functions that call a compiled Function, for hosts that want a pointer.

The text finds the Function's Python object in `clinch_target`; its array
arguments are views of the caller's memory.
"""

from __future__ import annotations

import ctypes

from ..base.annotations import Any, Tier
from ..source.compiled_text import compile
from ..base.c_source import c_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..source.c_text import CompiledText


def compile_calling(text: str, target: Any, name: str,
                    tier: Tier | None = None) -> CompiledText:
    """Returns a CompiledText whose functions call `target` and keep it alive."""
    # Equal texts share their variables in a process unless they are linked with
    # different symbols, so each gets a cell of its own.
    cell = ctypes.c_void_p(id(target))
    made = compile(c_source("call_function.h") + text, name, python=True, tier=tier,
                   symbols={"clinch_target": ctypes.addressof(cell)})
    address: Any = made.lookup("clinch_init")
    ctypes.PYFUNCTYPE(ctypes.c_void_p)(address)()
    made._memory.keep("target", (cell, target))
    return made
