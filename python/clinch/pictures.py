"""What notebooks show of Clinch's values, and the page of a function's stages.

What draws stands above these values: `clinch` registers it here.
"""

from __future__ import annotations

from .annotations import Any, Callable

# (`functools.singledispatch` imports `typing`, which takes 2 ms.)
#: A class's name -> what makes the MIME bundle of its values.
PICTURES: dict[str, Callable[[Any], dict[str, str]]] = {}
#: A class's name -> what writes the page of a value to a path, or to a temporary file that it
#: opens in a browser, and returns the path.
PAGES: dict[str, Callable[[Any, Any], Any]] = {}


def made_by(makers: dict[str, Any], value: object) -> Any:
    """Returns what was registered for the class of a value, or for a base of it."""
    return next(makers[kind.__name__] for kind in type(value).__mro__
                if kind.__name__ in makers)


class Pictured:
    """What notebooks show as its picture."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return made_by(PICTURES, self)(self)
