"""Calls a function when a module is imported."""

import importlib.abc
import importlib.util
import sys
from contextlib import contextmanager

from clinch.pytensor.patching import Change


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

    def __init__(self, waiting):
        self.waiting = waiting

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
