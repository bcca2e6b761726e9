"""Calls a function when a module is imported."""

import importlib.abc
import importlib.util
import sys


class _Loader(importlib.abc.Loader):
    """Runs a module's own loader, then the callback."""

    def __init__(self, own, then):
        self.own = own
        self.then = then

    def create_module(self, spec):
        return self.own.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self.own
        self.own.exec_module(module)
        self.then()


class _Finder(importlib.abc.MetaPathFinder):
    """Finds awaited modules as the other finders do, and wraps their loaders."""

    def __init__(self):
        self.waiting = {}

    def find_spec(self, name, path=None, target=None):
        then = self.waiting.pop(name, None)
        if then is None:
            return None
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            self.waiting[name] = then
            return spec
        spec.loader = _Loader(spec.loader, then)
        return spec


_finder = _Finder()


def when_imported(name, then):
    """Calls `then()` when the module is imported, or at once if it already is."""
    if name in sys.modules:
        then()
        return
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    _finder.waiting[name] = then
