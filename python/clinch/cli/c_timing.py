"""`:time` and `:bench` of expressions of C."""

from __future__ import annotations

import ctypes

from ..base.configuration import config
from .c_guard import guarded
from .c_compiling import RUN
from .c_mistakes import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Callable
    from .c_inputs import Inputs



def runner(inputs: Inputs, text: str) -> Callable[[int], Any]:
    """Returns what evaluates an expression of C so many times. Its value is stored, and
    nothing that it reads is known from one time to the next."""
    kind = "__auto_type" if config.language == "c" else "auto"
    known = '__asm__ volatile("" : : "r"(&clinch_prompt_it) : "memory");'
    head = "" if config.language == "c" else 'extern "C" '
    head += f"void {RUN}(long clinch_prompt_n) {{\nwhile (clinch_prompt_n-- > 0) {{\n"
    try:
        found = inputs.compile(f"{head}{kind} clinch_prompt_it = (\n", text,
                               f"\n); {known} }} }}", "<time>", config.tier)
    except InputError:
        known = '__asm__ volatile("" : : : "memory");'
        found = inputs.compile(head, text, f"\n; {known} }} }}", "<time>", config.tier)
    function = ctypes.CFUNCTYPE(None, ctypes.c_long)(found.address(RUN))
    function.owner = found.made  # type: ignore[attr-defined]
    return lambda count: guarded(function, count)
