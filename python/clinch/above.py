"""What a module needs of those above it, by name.

A Variable has NumPy's methods and a picture in notebooks, and arrays have loops;
what makes these imports Variables and Types. `clinch` and `clinch.tensor` say where
each is. Its module is imported when somebody first asks for it.
"""

from __future__ import annotations

import functools
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .annotations import Any

#: Name -> (module, name there).
PLACES: dict[str, tuple[str, str]] = {}


@functools.cache
def above(name: str) -> Any:
    """Returns what `PLACES` has by that name."""
    module, found = PLACES[name]
    return getattr(import_module(module), found)
