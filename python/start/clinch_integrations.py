"""Enables integrations in programs that do not import Clinch.

Python reads `clinch_integrations.pth` when it starts. With `CLINCH_INTEGRATIONS=torch,triton`
in the environment, each of the libraries is connected when the program imports it.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from types import ModuleType


def _torch() -> None:
    importlib.import_module("clinch.torch")


def _triton() -> None:
    build = importlib.import_module("clinch.triton").build
    sys.modules["triton.knobs"].build.impl = build


#: An integration -> what enables it, after one of these modules was imported.
INTEGRATIONS: dict[str, tuple[Callable[[], None], tuple[str, ...]]] = {
    "torch": (_torch, ("torch._inductor.codecache", "torch.utils.cpp_extension")),
    "triton": (_triton, ("triton.knobs",)),
}


class Finder(importlib.abc.MetaPathFinder):
    """Calls a function after a module was imported. Other finders find the module."""

    def __init__(self, after: dict[str, Callable[[], None]]) -> None:
        self._after = after

    def find_spec(self, fullname: str, path: Sequence[str] | None,
                  target: ModuleType | None = None) -> importlib.machinery.ModuleSpec | None:
        enable = self._after.pop(fullname, None)
        spec = importlib.util.find_spec(fullname) if enable else None
        if enable is None or spec is None or spec.loader is None:
            return None
        loader, execute = spec.loader, spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            vars(loader).pop("exec_module")
            execute(module)
            enable()

        vars(loader)["exec_module"] = exec_module
        return spec


def enable(names: str) -> None:
    """Enables integrations. names: of `INTEGRATIONS`, at commas."""
    after = {}
    for name in filter(None, map(str.strip, names.split(","))):
        if name not in INTEGRATIONS:
            print(f"CLINCH_INTEGRATIONS: there is no integration `{name}`; there are "
                  + ", ".join(f"`{known}`" for known in INTEGRATIONS), file=sys.stderr)
            continue
        function, modules = INTEGRATIONS[name]
        after.update(dict.fromkeys(modules, function))
    sys.meta_path.insert(0, Finder(after))


enable(os.environ.get("CLINCH_INTEGRATIONS", ""))
