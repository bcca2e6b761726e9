"""The extension: what the package does not call by a class is of no known type."""

from typing import Any

from .class_methods import FunctionMethods, ThunkMethods

class Function(FunctionMethods):
    steps: tuple[Any, ...]
    __name__: str
    def __init__(self, steps: tuple[Any, ...], inputs: list[Any], outputs: list[Any],
                 single: bool, name: str, details: Any) -> None: ...
    def __call__(self, *arguments: Any, **named: Any) -> Any: ...

class Thunk(ThunkMethods):
    def __call__(self) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

def __getattr__(name: str) -> Any: ...
