"""Calls a function when a module is imported."""

import importlib.abc
import sys
from contextlib import contextmanager

from clinch.integrations.pytensor.patching import Change


class _Loader:
    """A module's own loader, which also calls the callback after the module has run."""

    def __init__(self, own, then):
        self.own = own
        self.then = then

    def __getattr__(self, name):
        return getattr(self.own, name)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self.own
        self.own.exec_module(module)
        self.then()


class _Finder(importlib.abc.MetaPathFinder):
    """Finds awaited modules as the other finders do, and wraps their loaders."""

    def __init__(self, waiting):
        self.waiting = waiting

    def find_spec(self, name, path=None, target=None):
        if name not in self.waiting:
            return None
        others = (f.find_spec for f in sys.meta_path if f is not self and hasattr(f, "find_spec"))
        spec = next(filter(None, (find(name, path, target) for find in others)), None)
        if spec is not None and spec.loader is not None:
            # PyMC only asks whether nutpie can be found: what is awaited is the import.
            spec.loader = _Loader(spec.loader, lambda: self.waiting.pop(name, bool)())
        return spec


def when_imported(then):
    """Returns the change that calls `then[name]()`, once, when that module is imported,
    unless it already is."""
    finder = _Finder({n: call for n, call in then.items() if n not in sys.modules})

    @contextmanager
    def put():
        if finder.waiting:
            sys.meta_path.insert(0, finder)
        yield
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)

    return Change("sys.meta_path", f"awaits the import of {' and '.join(then)}", put)
