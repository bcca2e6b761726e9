"""What notebooks show of Clinch's values, and the page of a function's stages.

What draws stands above these values: `clinch` registers it here.
"""

from __future__ import annotations

import functools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .annotations import Any


@functools.singledispatch
def picture(value: Any) -> dict[str, str]:
    """Returns the MIME bundle of a value."""
    return {"text/plain": repr(value)}


@functools.singledispatch
def page(value: Any, path: Any = None) -> Any:
    """Writes the page of a value to `path`, or to a temporary file that it opens in a
    browser. Returns the path."""
    raise NotImplementedError(type(value))


class Pictured:
    """What notebooks show as its picture."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return picture(self)
