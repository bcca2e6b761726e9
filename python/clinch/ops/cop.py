"""Ops whose C code is in separate files."""

from __future__ import annotations

import inspect
import os
import sys

from .. import _clinch
from ..base.annotations import Any, Sequence, Version
from .native_op import NativeOp


class ExternalCOp(NativeOp):
    """An Op made of C files with `#section` lines.

    func_files: one path or several, relative to the file that defines the
    class; func_name: the C function to call, if the files have no `code`
    section. A hook that a subclass defines overrides that of the files.
    """

    _cop_num_inputs = None
    _cop_num_outputs = None
    check_input = True

    @classmethod
    def get_path(cls, path: str) -> str:
        """Returns `path` relative to the folder of the class's file."""
        if os.path.isabs(path):
            return path
        return os.path.normpath(os.path.join(cls._folder(), path))

    @classmethod
    def _folder(cls) -> str:
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        if file:
            return os.path.dirname(os.path.abspath(file))
        try:
            return os.path.dirname(os.path.abspath(inspect.getfile(cls)))
        except (TypeError, OSError):  # The class was typed at a prompt.
            return os.getcwd()

    def __init__(self, func_files: str | Sequence[str],
                 func_name: str | None = None) -> None:
        files: Any = (func_files if isinstance(func_files, (list, tuple))
                      else [func_files])
        self.func_files = [self.get_path(os.fspath(f)) for f in files]
        self.func_name = func_name
        self._load()

    def _load(self) -> None:
        self._native = _clinch.native_file_op(
            type(self).__name__, self.func_files, self.func_name or "",
            self._cop_num_inputs or 0, self._cop_num_outputs or 0,
            bool(self.check_input))

    def c_code_cache_version(self) -> Version:
        return ("files", self._native.version)

    def __getstate__(self) -> Any:
        state = dict(self.__dict__)
        state.pop("_native", None)
        return state

    def __setstate__(self, state: Any) -> None:
        self.__dict__.update(state)
        self._load()
