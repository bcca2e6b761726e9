"""The modules' names of version 0.1, which its pickles and programs still use.

Each is imported by its old name as the module that it is now: one object, which
`sys.modules` has twice. This goes one version after the names did.
"""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import ModuleSpec

from .annotations import Any, Sequence

#: Folder -> what of it `clinch` itself had, and by which name if by another one.
_FOLDERS = {
    "base": "annotations class_methods configuration headers installed integers pictures "
            "progress sources=c_source suggestions walks",
    "device": "device_memory=memory launches",
    "graph": "array_methods operators",
    "types": "array_type generic_type native_hooks params scalars type",
    "ops": "cop generic_ops hook_errors native_op op scalar_perform",
    "source": "c_header c_text c_types compiled_text extensions linked_texts prefixes "
              "remarks saving text_pickling text_warnings",
    "build": "filters functions interface linkers modes ownership pickling pieces "
             "shared_variables",
    "ufuncs": "callbacks gufuncs scipy_callable ufunc_objects",
    "tracing": "sandbox traced traced_numpy",
    "cuda": "gpu_array_type=array_type gpu_elemwise=elemwise gpu_reduce=reduce kernels "
            "libdevice simulated",
    "debug": "debugmode leaks storages testing",
    "integrations": "brian2 build_ext entry_points module_files pystan pytensor "
                    "source_files stan stan_nutpie torch triton",
    "cli": "c_file checking drawing interleave notebook",
}
MOVED = {
    "clinch.prompt": "clinch.cli",
    **{f"clinch.{old}": f"clinch.{folder}.{new or old}"
       for folder, names in _FOLDERS.items()
       for old, _, new in (name.partition("=") for name in names.split())},
}


def new_name(name: str) -> str | None:
    """Returns what a module is called now, or None if its name is not an old one."""
    module, rest = name, ""
    while "." in module:
        if module in MOVED:
            return MOVED[module] + rest
        module, _, last = module.rpartition(".")
        rest = f".{last}{rest}"
    return None


class OldNames:
    """Finds modules by their old names, and is their loader."""

    def find_spec(self, name: str, path: Sequence[str] | None,
                  target: Any = None) -> ModuleSpec | None:
        if name.startswith("clinch.") and new_name(name):
            return ModuleSpec(name, self)  # type: ignore[arg-type]
        return None

    def create_module(self, spec: ModuleSpec) -> None:
        """Python's own module, which exec_module() replaces."""

    def exec_module(self, module: Any) -> None:
        name = module.__name__
        sys.modules[name] = importlib.import_module(new_name(name) or name)


def serve_old_names() -> None:
    """Lets `import` find modules by their old names, before Python finds the file of an
    old package's module, of which it would make a second one."""
    finders: list[Any] = sys.meta_path
    if not any(isinstance(finder, OldNames) for finder in finders):
        finders.insert(0, OldNames())
