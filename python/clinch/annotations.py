"""Names for annotations, which only type checkers import: `typing` takes 2 ms."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

Tier = Literal["fast", "default", "max"]
Form = Literal["struct", "function"]
Linker = Literal["auto", "graph", "op"]
Language = Literal["c", "c++"]
Isolation = Literal["process"]
Axis = int | Sequence[int] | None
Diagnostic = dict[str, Any]
Version = tuple[object, ...]

__all__ = ["Any", "Axis", "Callable", "ClassVar", "Diagnostic", "Form", "Isolation",
           "Iterable", "Iterator", "Language", "Linker", "Mapping", "Sequence", "Tier", "Version"]
