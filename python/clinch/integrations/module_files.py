"""Files of extension modules that hold compiled text instead of a shared library."""

from __future__ import annotations

import importlib.machinery
import pickle

from ..source.c_text import CompiledText
from ..source.text_pickling import load_described
from ..source.extensions import TextLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from ..base.annotations import Any

#: No ELF file begins so, and dlopen says that it is none.
_MAGIC = b"clinch module 1\n"
_create_module = importlib.machinery.ExtensionFileLoader.create_module


def write(path: str, described: tuple[Any, ...]) -> None:
    """Writes a module's file; `described` is what `compiled_text.described` returned."""
    with open(path, "wb") as file:
        file.write(_MAGIC + pickle.dumps(described))


def read(path: str) -> CompiledText | None:
    """Returns the text of a file, linked; None if the file is another one."""
    with open(path, "rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            return None
        try:
            described = pickle.load(file)
        except Exception as error:
            raise ImportError(f"{path} is damaged: {error}", path=path) from None
    return load_described(*described)


def _create(self: Any, spec: importlib.machinery.ModuleSpec) -> ModuleType:
    """Is `ExtensionFileLoader.create_module`, for these files too."""
    text = read(self.path)
    if text is None:
        return _create_module(self, spec)
    return TextLoader(text).create_module(spec)


def import_them() -> None:
    """Lets `import` load such files, wherever it finds them."""
    setattr(importlib.machinery.ExtensionFileLoader, "create_module", _create)
