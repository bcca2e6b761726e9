"""Callables whose modules are imported when somebody first calls them.

What knows a module that start-up does without, a package of its own, makes one; and
gives it to those below, which call what they were given.
"""

from __future__ import annotations

import functools
from importlib import import_module

from .annotations import Any


class Later:
    """`module.name`, which takes the arguments of a call."""

    def __init__(self, module: str, name: str) -> None:
        self._place = module, name

    @functools.cached_property
    def found(self) -> Any:
        module, name = self._place
        return getattr(import_module(module), name)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self.found(*arguments, **keywords)
