"""What notebooks show of Clinch's values."""

from __future__ import annotations

from importlib import import_module

from .annotations import Any


class Pictured:
    """What notebooks show as its picture."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return import_module("clinch.cli.notebook").bundle(self)
